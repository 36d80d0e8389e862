/** The names of types of documents. No other file spells one (types/facts.ts has their facts). A leaf without I/O. */
import { LIMITS } from './limits.ts';

declare const brand: unique symbol;

/** The name of a type: a text that was read as one. Made here only. */
export type TypeName = string & { readonly [brand]: 'TypeName' };

type Named<Name extends string> = Name & { readonly [brand]: 'TypeName' };

/** The names of the service's own types. */
const NAMES = {
  user: 'core.user',
  userToken: 'core.user.token',
  userGroup: 'core.user-group',
  externalUser: 'core.external-user',
  externalUserToken: 'core.external-user.token',
  /** How the accounts of the application work: one document, or none. */
  accountSettings: 'core.account-settings',
  /** What somebody has begun and proves by a code. */
  accountAction: 'core.account-action',
  /** What a device of a user logs in with. */
  passkey: 'core.passkey',
  /** What an app of a user makes codes of, for logins beside a password. */
  secondFactor: 'core.second-factor',
  /** Another service that users log in with, and what somebody is there. */
  identityProvider: 'core.identity-provider',
  mailTemplate: 'core.mail-template',
  identity: 'core.identity',
  /** A mail that was not sent, because the service keeps them. */
  mail: 'core.mail',
  apiKey: 'core.api-key',
  schema: 'core.schema',
  /** Settings of a type: one document for each type that has some. */
  typeSettings: 'core.type',
  aggregate: 'core.aggregate',
  application: 'core.application',
  webhook: 'core.webhook',
  /** A document that has content: bytes in a bucket. */
  file: 'core.file',
  /** What was changed, by whom: written by the service alone. */
  auditEntry: 'core.audit-entry',
  /** Its documents name the types of an application, so that deleting it finds everything. No endpoint serves it. */
  typeRegistry: 'core.type-registry',
} as const;

type Names = typeof NAMES;

/** The same, as names of types. */
export const CORE = NAMES as { readonly [Key in keyof Names]: Named<Names[Key]> };

/** Names in storage that are not those of their types: former releases have stored documents under them. */
export const STORED_AS = { typeSettings: 'core.type-settings', typeRegistry: 'core.type' } as const;

/** The type of versions of documents: they are read at the addresses of these, and never stored. */
export const VERSION = 'core.version';

/** A login, as its user sees it. */
export const SESSION = 'core.session';

/** Where users list what is stored of them: documents of other types. */
export const OWN_DATA = 'core.own-data';

/** A type whose documents log in: they hold tokens. */
export type HolderType = typeof CORE.user | typeof CORE.externalUser;

const TYPE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/** How the names of types begin that pipelines make. */
export const AGGREGATE_PREFIX = 'agt.';

/** A type whose documents clients choose; undefined for another text. */
export function readResourceType(text: string): TypeName | undefined {
  return isResourceType(text) ? (text as TypeName) : undefined;
}

/** The name that storage or an address of ours holds: it was read as one before it went there. */
export function storedType(text: string): TypeName {
  return text as TypeName;
}

/** True for a type whose documents clients choose (decisions, section 2): the types under `/resources`. */
export function isResourceType(name: string): boolean {
  return (
    name.length <= LIMITS.typeName &&
    TYPE_NAME.test(name) &&
    !name.startsWith('core.') &&
    !name.startsWith(AGGREGATE_PREFIX) &&
    !name.endsWith('.acl')
  );
}

/** True for a type whose documents pipelines make and nothing stores: only the prefix decides. */
export function isAggregateType(type: string): boolean {
  return type.startsWith(AGGREGATE_PREFIX);
}

/** True for a name that a new aggregate may have. After the prefix comes a type's name: none that ends in `.acl`. */
export function isOutputType(name: string): boolean {
  return (
    isAggregateType(name) &&
    name.length <= LIMITS.typeName &&
    isResourceType(name.slice(AGGREGATE_PREFIX.length))
  );
}
