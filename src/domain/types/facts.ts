/** The one table of facts about the service's own types. All other files get these facts here. A leaf without I/O. */
import { Lru } from '../caching/lru.ts';
import { recall } from '../caching/recall.ts';
import {
  CORE,
  isAggregateType,
  isResourceType,
  STORED_AS,
  storedType,
  type HolderType,
  type TypeName,
} from '../types.ts';

/** The first segments of paths. */
export type Module =
  | 'resources'
  | 'files'
  | 'users'
  | 'api-keys'
  | 'schemas'
  | 'aggregates'
  | 'webhooks'
  | 'audit'
  | 'applications';

/** What is pushed to the collections of other types. */
export type PushedPart = CopiedPart | 'settings';

/** Those of it that the collections keep as it comes: settings are asked about before. */
export type CopiedPart = 'schemas' | 'webhooks';

/** Facts about a type. Absent facts are those of the types that clients choose. */
export interface TypeFacts {
  /** Where its documents are served; null where no endpoint serves them. */
  readonly module: Module | null;
  /** The name of its collection in storage, if it is not the type's name. No two types share one. */
  readonly storedAs?: string;
  /** True when links may point to its documents. */
  readonly linkable?: boolean;
  /** True when no endpoint reads one of its documents: no link leads to it, includes and related reads pass over it. */
  readonly unreadable?: boolean;
  /** True when its documents are identities: ACLs may name them. */
  readonly identity?: boolean;
  /** True when each document gets every right on itself. */
  readonly ownsItself?: boolean;
  /** True when its documents log in, and may be members of groups. */
  readonly holdsTokens?: boolean;
  /** For tokens: the type of their holders. */
  readonly tokensOf?: HolderType;
  /** Seconds after which a document is deleted. */
  readonly lifetime?: number;
  /** True when a document whose time is over leaves nothing, not even that it was there. */
  readonly forgotten?: boolean;
  /** True when the last document cannot be deleted (decisions, section 4), except with its application. */
  readonly keepsLast?: boolean;
  /** The attributes whose values are unique among its documents; an import knows a document by the first. */
  readonly unique?: readonly string[];
  /** True when each new document is told by mail (collection/mail). */
  readonly mailed?: boolean;
  /** The relationship whose targets are indexed, so that the documents that link to one are found. */
  readonly members?: string;
  /** True when collections with streams hear at once that its documents change: the streams depend on them. */
  readonly followed?: boolean;
  /** True when no permission with ACL admits anybody to its documents, whatever rights they have. */
  readonly forServices?: boolean;
  /** True when its documents have copies in KV for lookups. */
  readonly published?: boolean;
  /** What its documents are to the collections that they are pushed to before a write of one answers. */
  readonly pushed?: PushedPart;
  /** True when each document stands for an application, and may say when that is to be deleted. */
  readonly ends?: boolean;
  /** True when each document has content in the bucket of files, under its id: stored before it, deleted after it. */
  readonly hasContent?: boolean;
  /** What stands below the address of a document in the place of a relationship: none may have these names. */
  readonly below?: readonly string[];
  /** True when schemas and settings may be for it (decisions, section 5). */
  readonly schemaTarget?: boolean;
  readonly pipelineInput?: boolean;
  /** The fields that full text never looks into, and that only the document's own user is shown under ACL. */
  readonly secret?: readonly string[];
  /** The fields that no pipeline sees, whoever asks. */
  readonly hiddenFromPipelines?: readonly string[];
  /**
   * True when answers show credentials, or who somebody is: no cache may keep them, and the tag of one document says
   * whose it is, because `me` may be its address.
   */
  readonly confidential?: boolean;
  /** True when answers show what a secret signs: once another one signs, they show something else. */
  readonly signed?: boolean;
}

/** Seconds that a token is valid (spec, Authentication, rule 8). */
export const TOKEN_LIFETIME = 30 * 86_400;

/** Seconds after its id was made when a token is over for sure: its time runs by another clock. */
export const TOKEN_OVER = TOKEN_LIFETIME + 3_600;

/** Seconds after which an account action goes, and a mail that the service keeps. */
export const ACTION_LIFETIME = 2 * 86_400;
const MAIL_LIFETIME = 7 * 86_400;

const PASSWORD = ['password'];

/** The service's own types that a pipeline may read: identities, and never a password (decisions, section 5). */
const READ_BY_PIPELINES = { pipelineInput: true, hiddenFromPipelines: PASSWORD } as const;

const IDENTITIES = {
  module: 'users',
  linkable: true,
  identity: true,
  schemaTarget: true,
  followed: true,
  ...READ_BY_PIPELINES,
} as const;

const HOLDERS = { ...IDENTITIES, ownsItself: true, holdsTokens: true, confidential: true } as const;

/** Those that accounts are made of. */
const OF_ACCOUNTS = { module: 'users', linkable: true, confidential: true } as const;

const FOR_SERVICES = { module: 'users', linkable: true, forServices: true } as const;

const TOKENS = { ...OF_ACCOUNTS, lifetime: TOKEN_LIFETIME, signed: true } as const;

const FACTS: Readonly<Record<keyof typeof CORE, TypeFacts>> = {
  user: { ...HOLDERS, unique: ['username', 'confirmed-email'], secret: PASSWORD },
  externalUser: HOLDERS,
  userGroup: { ...IDENTITIES, members: 'users' },
  userToken: { ...TOKENS, tokensOf: CORE.user, unreadable: true },
  externalUserToken: { ...TOKENS, tokensOf: CORE.externalUser },
  accountSettings: { ...FOR_SERVICES, unique: ['scope'] },
  accountAction: {
    module: 'users',
    lifetime: ACTION_LIFETIME,
    forgotten: true,
    unreadable: true,
    mailed: true,
    confidential: true,
  },
  passkey: { ...OF_ACCOUNTS, unique: ['credential'], secret: ['public-key', 'counter'] },
  secondFactor: {
    ...FOR_SERVICES,
    unique: ['user'],
    secret: ['secret', 'step', 'recovery', 'failures'],
    confidential: true,
  },
  mailTemplate: { ...FOR_SERVICES, unique: ['name'] },
  identityProvider: { ...FOR_SERVICES, unique: ['name'], secret: ['client-secret'], confidential: true },
  identity: { ...OF_ACCOUNTS, unique: ['key'], secret: ['key'] },
  mail: {
    module: 'users',
    lifetime: MAIL_LIFETIME,
    forgotten: true,
    forServices: true,
    confidential: true,
  },
  apiKey: {
    module: 'api-keys',
    linkable: true,
    keepsLast: true,
    published: true,
    followed: true,
    confidential: true,
    signed: true,
  },
  schema: { module: 'schemas', linkable: true, pushed: 'schemas' },
  webhook: {
    module: 'webhooks',
    linkable: true,
    forServices: true,
    pushed: 'webhooks',
    secret: ['secret'],
    confidential: true,
  },
  // The registry has the collection of this type's own name, from before there were settings.
  typeSettings: {
    module: 'schemas',
    storedAs: STORED_AS.typeSettings,
    linkable: true,
    unique: ['name'],
    pushed: 'settings',
  },
  file: {
    module: 'files',
    linkable: true,
    schemaTarget: true,
    pipelineInput: true,
    hasContent: true,
    below: ['content', 'links'],
  },
  aggregate: { module: 'aggregates', linkable: true, unique: ['output-type'] },
  // Its creation shows the first API key. Its quotas are looked up with every key.
  application: { module: 'applications', confidential: true, published: true, ends: true },
  auditEntry: { module: 'audit', forgotten: true },
  typeRegistry: { module: null, storedAs: STORED_AS.typeRegistry },
};

/** Facts about the types that clients choose. */
const RESOURCES: TypeFacts = { module: 'resources', linkable: true, schemaTarget: true, pipelineInput: true };

/** Facts about the types that pipelines make. */
const AGGREGATES: TypeFacts = { module: 'aggregates' };

const NOTHING: TypeFacts = { module: null };

const OWN: readonly (readonly [string, TypeFacts])[] = Object.entries(FACTS).map(([key, facts]) => [
  CORE[key as keyof typeof CORE],
  facts,
]);

const byName: ReadonlyMap<string, TypeFacts> = new Map(OWN);

/** Types by the names of their collections in storage, if these differ. */
const byStored: ReadonlyMap<string, string> = new Map(
  OWN.flatMap(([type, { storedAs }]) => (storedAs === undefined ? [] : [[storedAs, type]])),
);

/** By types that were asked for: each request asks several times. */
const known = new Lru<string, TypeFacts>(1_000);

/** The facts about a type; none for a name that no type has. */
export function typeInfo(type: string): TypeFacts {
  return byName.get(type) ?? recall(known, type, othersOf);
}

/** The facts about a type that is none of the service's own. */
function othersOf(type: string): TypeFacts {
  if (isAggregateType(type)) return AGGREGATES;
  return isResourceType(type) ? RESOURCES : NOTHING;
}

/** True for a type that links may point to: any stored type, never an aggregate. */
export function isLinkable(type: string): boolean {
  return typeInfo(type).linkable === true;
}

export function isToken(type: string): boolean {
  return typeInfo(type).tokensOf !== undefined;
}

/** True for a type whose documents every export holds: all that is stored but tokens, which nobody is to get back. */
export function isExported(type: string): boolean {
  return isLinkable(type) && !isToken(type);
}

/** True for a type that the quotas of an application limit: all but tokens, or nobody could log in to a full one. */
export function isUnderQuotas(type: string): boolean {
  return isLinkable(type) && !isToken(type);
}

/** True for a type whose documents reach others before a write of one answers: they are written one at a time. */
export function isWrittenAlone(type: string): boolean {
  const { published, pushed } = typeInfo(type);
  return published === true || pushed !== undefined;
}

/** True for a type whose documents log in. */
export function isHolderType(type: string): type is HolderType {
  return typeInfo(type).holdsTokens === true;
}

/** True for a type that streams depend on: users, groups, keys. */
export function isFollowed(type: string): boolean {
  return typeInfo(type).followed === true;
}

export function tokenTypeOf(holder: HolderType): TypeName {
  const found = OWN.find(([, { tokensOf }]) => tokensOf === holder);
  if (found === undefined) throw new Error(`Documents of type ${holder} hold no tokens.`);
  return storedType(found[0]);
}

export function storedNameOf(type: string): string {
  return byName.get(type)?.storedAs ?? type;
}

/** The inverse of `storedNameOf`. */
export function typeStoredAs(name: string): TypeName {
  return storedType(byStored.get(name) ?? name);
}

/** The names of the service's own types for which a condition holds. */
export function coreTypesThat(holds: (facts: TypeFacts) => boolean | undefined): readonly string[] {
  return OWN.flatMap(([type, facts]) => (holds(facts) === true ? [type] : []));
}
