/** `$exists`, `$type` and `$mod`: what kind of value is there, and the remainder of a number. */
import { isParsedArray, type Parsed } from '../../../domain/json.ts';
import { inside, type Place } from '../../../domain/pointer.ts';
import { integerOf as valueOfInteger, type Kind } from '../../../domain/values.ts';
import { isNumber, numberKey, truncated } from '../../order/numbers.ts';
import { refuse, valueOf, type FieldOperator, type Operand, type Scope } from '../scope.ts';
import { integerOf } from './integers.ts';

/** MongoDB takes any operand and asks whether it is true: not false, null or zero. */
const exists: FieldOperator = ({ json, path, place, scope }) => {
  const value = valueOf(json, place, scope);
  const isFalse = value === false || value === null || (isNumber(value) && numberKey(value) === 0);
  return { op: 'exists', path, exists: !isFalse };
};

/** MongoDB's kinds by number and alias; those that no document here holds match nothing. */
const KINDS: readonly (readonly [number: number, alias: string, kind: Kind | null])[] = [
  [1, 'double', 'double'],
  [2, 'string', 'string'],
  [3, 'object', 'object'],
  [4, 'array', 'array'],
  [5, 'binData', null],
  [6, 'undefined', null],
  [7, 'objectId', 'objectId'],
  [8, 'bool', 'bool'],
  [9, 'date', 'date'],
  [10, 'null', 'null'],
  [11, 'regex', null],
  [12, 'dbPointer', null],
  [13, 'javascript', null],
  [14, 'symbol', null],
  [15, 'javascriptWithScope', null],
  [16, 'int', 'int'],
  [17, 'timestamp', null],
  [18, 'long', 'long'],
  [19, 'decimal', 'decimal'],
  [-1, 'minKey', null],
  [127, 'maxKey', null],
];

const BY_NAME = new Map<string | number, readonly Kind[]>([
  ...KINDS.flatMap(([number, alias, kind]): [string | number, readonly Kind[]][] => {
    const kinds = kind === null ? [] : [kind];
    return [
      [number, kinds],
      [alias, kinds],
    ];
  }),
  ['number', ['int', 'long', 'double', 'decimal']],
]);

const type: FieldOperator = (operand) => {
  const { json, path, place, scope } = operand;
  const list = isParsedArray(json) ? json : [json];
  if (list.length === 0) return refuse(operand, '$type takes at least one kind.');
  const kinds = list.flatMap((item, index) =>
    kindsOf(item, isParsedArray(json) ? inside(place, index) : place, scope),
  );
  return { op: 'type', path, kinds: [...new Set(kinds)] };
};

function kindsOf(json: Parsed, place: Place, scope: Scope): readonly Kind[] {
  const name = typeof json === 'string' ? json : integerOf(json, place, scope);
  const kinds = name === undefined ? undefined : BY_NAME.get(name);
  if (kinds !== undefined) return kinds;
  scope.report(place, '$type takes an alias such as "string", a number of a kind, or an array of these.');
  return [];
}

const mod: FieldOperator = (operand) => {
  const { json, path, place } = operand;
  if (!isParsedArray(json) || json.length !== 2) {
    return refuse(operand, '$mod takes an array of two numbers, the divisor and the remainder.');
  }
  const [divisor, remainder] = json.map((item, index) => wholeOf(item, inside(place, index), operand));
  if (divisor === undefined || remainder === undefined)
    return refuse(operand, '$mod takes numbers within 64 bits.');
  if (divisor === 0n) return refuse(operand, 'The divisor of $mod must not be 0.');
  return {
    op: 'mod',
    path,
    divisor: valueOfInteger(divisor) ?? 0,
    remainder: valueOfInteger(remainder) ?? 0,
  };
};

/** Fractions of a divisor or remainder are cut off, as MongoDB does. */
function wholeOf(json: Parsed, place: Place, { scope }: Operand): bigint | undefined {
  const value = valueOf(json, place, scope);
  return isNumber(value) ? truncated(value) : undefined;
}

export const KIND_OPERATORS: Readonly<Record<string, FieldOperator>> = {
  $exists: exists,
  $type: type,
  $mod: mod,
};
