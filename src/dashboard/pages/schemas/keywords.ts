/** The keywords of JSON Schema: what each takes. For completion, and for a first look at what somebody types. Pure. */
import { isMembers, member, type Fault } from '../../parts/fields/json.ts';
import { below } from '../document/draft.ts';

/** What a keyword takes: what is wanted of its value, and whether that is so. A schema may be a boolean. */
const TAKES = {
  any: ['anything', () => true],
  text: ['a string', (value) => typeof value === 'string'],
  number: ['a number', (value) => typeof value === 'number'],
  count: ['a whole number from 0', (value) => Number.isInteger(value) && Number(value) >= 0],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  schema: ['a schema: an object, true or false', isSchema],
  schemas: ['a list of schemas', Array.isArray],
  map: ['an object of schemas by name', isMembers],
  names: ['a list of different names', areNames],
  list: ['a list', Array.isArray],
  items: ['a schema, or a list of schemas', (value) => isSchema(value) || Array.isArray(value)],
  types: ['the name of a type, or a list of these', areTypes],
  bound: ['a number (true or false in draft-04)', (value) => /number|boolean/.test(typeof value)],
  dependencies: ['an object of lists of names, or of schemas', isMembers],
} as const satisfies Readonly<Record<string, readonly [wanted: string, suits: (value: unknown) => boolean]>>;
type Takes = keyof typeof TAKES;

/** What each keyword takes, and what it is for. */
export const KEYWORDS: Readonly<Record<string, readonly [takes: Takes, about: string]>> = {
  type: ['types', 'string, number, integer, boolean, object, array, null, or a list of these'],
  enum: ['list', 'the values that are allowed'],
  const: ['any', 'the one value that is allowed'],
  properties: ['map', 'a schema for each member by its name'],
  patternProperties: ['map', 'a schema for members whose names match a pattern'],
  additionalProperties: ['schema', 'for all other members; false allows none'],
  unevaluatedProperties: ['schema', 'for members that nothing has looked at'],
  propertyNames: ['schema', 'for the names of members'],
  required: ['names', 'the members that must be there'],
  minProperties: ['count', 'how many members there must be'],
  maxProperties: ['count', 'how many members there may be'],
  dependencies: ['dependencies', 'what a member brings with it'],
  dependentRequired: ['dependencies', 'the members that a member brings with it'],
  dependentSchemas: ['map', 'schemas that hold where a member is there'],
  items: ['items', 'a schema for each item'],
  prefixItems: ['schemas', 'schemas for the first items, in order'],
  additionalItems: ['schema', 'for the items after those'],
  unevaluatedItems: ['schema', 'for items that nothing has looked at'],
  contains: ['schema', 'for at least one item'],
  minContains: ['count', 'how many items must'],
  maxContains: ['count', 'how many items may'],
  minItems: ['count', 'how many items there must be'],
  maxItems: ['count', 'how many items there may be'],
  uniqueItems: ['flag', 'whether all items differ'],
  minimum: ['number', 'the least number'],
  maximum: ['number', 'the greatest number'],
  exclusiveMinimum: ['bound', 'what the number must be above'],
  exclusiveMaximum: ['bound', 'what the number must be below'],
  multipleOf: ['number', 'what the number is a multiple of'],
  minLength: ['count', 'how many characters there must be'],
  maxLength: ['count', 'how many characters there may be'],
  pattern: ['text', 'a regular expression of ECMA-262; it may match anywhere'],
  format: ['text', 'date-time, date, time, duration, email, hostname, ipv4, ipv6, uri, uuid, regex…'],
  allOf: ['schemas', 'all of these hold'],
  anyOf: ['schemas', 'at least one of these holds'],
  oneOf: ['schemas', 'just one of these holds'],
  not: ['schema', 'this does not hold'],
  if: ['schema', 'where this holds, so does then'],
  then: ['schema', 'holds where if does'],
  else: ['schema', 'holds where if does not'],
  $ref: ['text', 'a place inside the schema: #/definitions/address'],
  $schema: ['text', 'the draft'],
  $id: ['text', 'the address of the schema'],
  $anchor: ['text', 'a name for a place'],
  $defs: ['map', 'schemas to refer to'],
  definitions: ['map', 'schemas to refer to'],
  title: ['text', 'a name; it checks nothing'],
  description: ['text', 'what it is; it checks nothing'],
  default: ['any', 'it checks nothing'],
  examples: ['list', 'they check nothing'],
};

export const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

export const FORMATS: readonly string[] = [
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'regex',
  'json-pointer',
  'relative-json-pointer',
  // Forms here show these.
  'color',
  'markdown',
];

export const DRAFTS: readonly string[] = [
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
];

/** What cannot be right in a schema. The service looks at everything when the schema is saved. */
export function faultsOfSchema(schema: unknown, pointer = ''): readonly Fault[] {
  if (typeof schema === 'boolean') return [];
  if (!isMembers(schema)) return [faultOf('schema', pointer)];
  return Object.entries(schema).flatMap(([name, value]) => {
    const [takes] = member(KEYWORDS, name) ?? [];
    if (takes === undefined) return [];
    const at = below(pointer, name);
    const [, suits] = TAKES[takes];
    return suits(value) ? inside(takes, value, at) : [faultOf(takes, at)];
  });
}

function faultOf(takes: Takes, pointer: string): Fault {
  return { pointer, message: `This must be ${TAKES[takes][0]}.` };
}

/** What is wrong with the schemas that a value is or holds. */
function inside(takes: Takes, value: unknown, pointer: string): readonly Fault[] {
  const isOne = takes === 'schema' || (takes === 'items' && !Array.isArray(value));
  if (isOne) return faultsOfSchema(value, pointer);
  if (!/^(schemas|items|map|dependencies)$/.test(takes)) return [];
  return Object.entries(value ?? {}).flatMap(([step, each]) =>
    takes === 'dependencies' && Array.isArray(each) ? [] : faultsOfSchema(each, below(pointer, step)),
  );
}

function isSchema(value: unknown): boolean {
  return typeof value === 'boolean' || isMembers(value);
}

function areNames(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((each) => typeof each === 'string') && new Set(value).size === value.length;
}

function areTypes(value: unknown): boolean {
  const types: readonly unknown[] = Array.isArray(value) ? value : [value];
  return types.length > 0 && types.every((each) => typeof each === 'string' && TYPES.includes(each));
}
