/**
 * The shape of each keyword's value: the meta-schemas of all drafts. A shape checks one value and reports the schemas
 * inside of it to the walker (walk.ts).
 */
import { compareNums, isIntegral } from './num.ts';
import { isNum, isObject, keyOfPlain, type Plain } from './plain.ts';
import { isList } from '../domain/values/tree.ts';

/** Where a keyword's value holds schemas. */
type Holder =
  /** The value is a schema. */
  | 'schema'
  /** An array of schemas, one at least. */
  | 'list'
  /** An object whose members are schemas. */
  | 'map'
  | 'schema-or-list'
  /** An object whose members are schemas or arrays of names. */
  | 'dependencies';

export interface SchemaShape {
  /** Ends the sentence "… must be". */
  readonly expected: string;
  readonly holds: (value: Plain) => boolean;
  readonly holder?: Holder;
}

const TYPES: ReadonlySet<Plain> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

const isText = (value: Plain): value is string => typeof value === 'string';
const isNames = (value: Plain): boolean => isList(value) && value.every(isText) && areDistinct(value);
const isFilled = (value: Plain): boolean => isList(value) && value.length > 0;
const membersAre =
  (holds: (value: Plain) => boolean) =>
  (value: Plain): boolean =>
    isObject(value) && Object.values(value).every(holds);
const isCount = (value: Plain): boolean => isNum(value) && isIntegral(value) && compareNums(value, 0) >= 0;

function areDistinct(values: readonly Plain[]): boolean {
  return new Set(values.map(keyOfPlain)).size === values.length;
}

function isType(value: Plain): boolean {
  return isList(value)
    ? value.length > 0 && value.every((each) => TYPES.has(each)) && areDistinct(value)
    : TYPES.has(value);
}

/** Anything that could be a schema; what is in it is the walker's to check. */
const isSchema = (value: Plain): boolean => isObject(value) || typeof value === 'boolean';

export const SHAPES = {
  any: { expected: 'anything', holds: () => true },
  text: { expected: 'a string', holds: isText },
  flag: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
  number: { expected: 'a number', holds: isNum },
  positive: {
    expected: 'a number greater than 0',
    holds: (value) => isNum(value) && compareNums(value, 0) > 0,
  },
  count: { expected: 'an integer of 0 or more', holds: isCount },
  type: { expected: 'the name of a type, or an array of different ones', holds: isType },
  list: { expected: 'an array', holds: isList },
  choices: {
    expected: 'an array of at least one value, all different',
    holds: (value) => isList(value) && value.length > 0 && areDistinct(value),
  },
  names: { expected: 'an array of different strings', holds: isNames },
  someNames: {
    expected: 'an array of at least one string, all different',
    holds: (value) => isNames(value) && isFilled(value),
  },
  namesByName: { expected: 'an object of arrays of different strings', holds: membersAre(isNames) },
  flags: {
    expected: 'an object of true and false',
    holds: membersAre((value) => typeof value === 'boolean'),
  },
  anchor: {
    expected: 'a name: letters, digits, -, _ and ., a letter or _ first',
    holds: (value) => isText(value) && /^[A-Za-z_][-A-Za-z0-9._]*$/.test(value),
  },
  anchor2019: {
    expected: 'a name: letters, digits, -, _, : and ., a letter or _ first',
    holds: (value) => isText(value) && /^[A-Za-z_][-A-Za-z0-9.:_]*$/.test(value),
  },
  schema: { expected: 'a schema: an object, true or false', holds: isSchema, holder: 'schema' },
  schemas: { expected: 'an array of at least one schema', holds: isFilled, holder: 'list' },
  schemaOrSchemas: {
    expected: 'a schema or an array of at least one',
    holds: (value) => isFilled(value) || isSchema(value),
    holder: 'schema-or-list',
  },
  schemasByName: { expected: 'an object of schemas', holds: isObject, holder: 'map' },
  dependencies: {
    expected: 'an object of schemas and arrays of different strings',
    holds: membersAre((value) => isNames(value) || isSchema(value)),
    holder: 'dependencies',
  },
} as const satisfies Readonly<Record<string, SchemaShape>>;

export type ShapeName = keyof typeof SHAPES;
