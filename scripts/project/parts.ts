/**
 * What a project declares, as documents of the service: settings and schemas of types, definitions of aggregates, API
 * keys, webhooks, how people log in, mails. Files and the service are compared in one form, which lacks what the
 * service makes and what is there anyway.
 */
import '../older-node.ts';
import { isDeepStrictEqual } from 'node:util';
import { GROUPS_OF_SETTINGS, SCOPE } from '../../src/domain/accounts/settings.ts';
import { CORE } from '../../src/domain/types.ts';
import { WRITE_EVENTS } from '../../src/domain/webhooks.ts';
import type { Json } from '../json-objects.ts';

interface PartFacts {
  /** What it is called, before its name. */
  readonly what: string;
  /** The attribute that it is found by. */
  readonly key: string;
  /** The type of the document whose file it is in, if that is another. */
  readonly within?: string;
  /** What stays on the server. */
  readonly made?: string;
  /** What attributes are where they are not said; null without. */
  readonly defaults?: Json;
}

/** In the order in which they are pushed: rules of keys may ask what settings and schemas say. */
const PARTS: Readonly<Record<string, PartFacts>> = {
  [CORE.typeSettings]: { what: 'settings of', key: 'name' },
  [CORE.schema]: { what: 'schema of', key: 'target', within: CORE.typeSettings },
  [CORE.aggregate]: {
    what: 'aggregate',
    key: 'output-type',
    defaults: { parameters: {} },
  },
  [CORE.apiKey]: { what: 'key', key: 'name', made: 'secure-id' },
  [CORE.webhook]: {
    what: 'webhook',
    key: 'name',
    made: 'secret',
    defaults: { events: [...WRITE_EVENTS], active: true },
  },
  [CORE.accountSettings]: {
    what: 'accounts of the',
    key: SCOPE.name,
    defaults: {
      [SCOPE.name]: SCOPE.value,
      ...Object.fromEntries(GROUPS_OF_SETTINGS.map((name) => [name, []])),
    },
  },
  [CORE.identityProvider]: {
    what: 'identity provider',
    key: 'name',
    made: 'client-secret',
    within: CORE.accountSettings,
  },
  [CORE.mailTemplate]: { what: 'mail', key: 'name' },
};

export const PART_TYPES = Object.keys(PARTS);

/** The types that files of these parts are about, in their order. */
export function typesBeside(parts: readonly Pick<Part, 'type'>[]): readonly string[] {
  const files = new Set(parts.map(({ type }) => type));
  return PART_TYPES.filter((type) => files.has(PARTS[type]?.within ?? type));
}

export interface Part {
  readonly type: string;
  /** What it is found by. */
  readonly name: string;
  /** Which one it is of several schemas of a type, from 0; else 0. */
  readonly index: number;
  readonly attributes: Json;
}

export function factsOf(type: string): PartFacts {
  const facts = PARTS[type];
  if (facts === undefined) throw new Error(`No project declares documents of type ${type}.`);
  return facts;
}

/** What parts of one file have in common. */
export function fileKeyOf({ type, name, attributes }: Part): string {
  const { within = type } = factsOf(type);
  if (within === CORE.accountSettings) return within;
  return `${within} ${name === '' ? `${String(attributes['target'])} ${String(attributes['url'])}` : name}`;
}

export function labelOf({ type, name, index }: Part): string {
  return `${factsOf(type).what} ${name}${index === 0 ? '' : ` (${index + 1})`}`;
}

/** The value of an attribute that is not said. */
export function defaultOf(type: string, name: string): unknown {
  return factsOf(type).defaults?.[name] ?? null;
}

/** Attributes without those that the service makes, and those that are as if they were not said. */
export function normal(type: string, attributes: Json): Json {
  const { made } = factsOf(type);
  const said = Object.entries(attributes).filter(
    ([name, value]) => name !== made && value !== null && !isDeepStrictEqual(value, defaultOf(type, name)),
  );
  return Object.fromEntries(said);
}

/** The names of the members in which two objects differ. */
export function differing(one: Json, other: Json): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name]));
}

/** The parts of accounts as the content of their file. */
export function accountsFileOf(parts: readonly Part[]): Json {
  const of = (each: string) => parts.filter(({ type }) => type === each).map(({ attributes }) => attributes);
  const [settings] = of(CORE.accountSettings);
  const providers = of(CORE.identityProvider);
  return { ...settings, ...(providers.length > 0 && { providers }) };
}

/** The parts of a type as the content of its file: settings side by side with the schema, or a list of several. */
export function typeFileOf(parts: readonly Part[]): Json {
  const { name: _, ...settings } = parts.find(({ type }) => type === CORE.typeSettings)?.attributes ?? {};
  const schemas = parts
    .filter(({ type }) => type === CORE.schema)
    .map(({ attributes }) => attributes['content']);
  return { ...settings, ...(schemas.length > 0 && { schema: schemas.length === 1 ? schemas[0] : schemas }) };
}
