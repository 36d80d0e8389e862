/**
 * A second matcher, naive and slow, written from MongoDB's manual to be plainly right. It reads the JSON of a filter
 * itself and shares no code with src/query. It knows valid filters only, and neither geo nor full text.
 */
import { Decimal, Double, Long, ObjectId, type Value } from '../../src/domain/values/values.ts';

/** A filter with values in it: what the JSON says once wrappers are read. */
export interface Filter {
  readonly [name: string]: unknown;
}

interface Dict {
  readonly [name: string]: unknown;
}

function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Whether a document meets a filter: every member of the filter must hold. */
export function matches(document: unknown, filter: Filter): boolean {
  return Object.entries(filter).every(([name, operand]) => {
    const list = operand as readonly Filter[];
    if (name === '$and') return list.every((each) => matches(document, each));
    if (name === '$or') return list.some((each) => matches(document, each));
    if (name === '$nor') return !list.some((each) => matches(document, each));
    const found = resolve(document, name.split('.'));
    return holds(found, operand);
  });
}

/** What a path finds: values one by one, each marked when it is an array that ends the path and may be opened. */
interface Found {
  readonly value: unknown;
  readonly opens: boolean;
}

/** A missing value. */
const MISSING = undefined;

function resolve(container: unknown, path: readonly string[]): Found[] {
  const [first, ...rest] = path;
  if (first === undefined) throw new Error('An empty path finds nothing.');
  const value = childOf(container, first);
  if (isArray(value)) return rest.length === 0 ? [{ value, opens: true }] : resolveInArray(value, rest);
  if (rest.length === 0) return [{ value, opens: false }];
  return isDict(value) ? resolve(value, rest) : [{ value: MISSING, opens: false }];
}

function resolveInArray(array: readonly unknown[], path: readonly string[]): Found[] {
  const [first = '', ...rest] = path;
  const implicit = array.filter(isDict).flatMap((item) => resolve(item, path));
  const position = array.findIndex((_item, index) => String(index) === first);
  if (position < 0) return implicit;
  const item = array[position];
  if (rest.length === 0) return [...implicit, { value: item, opens: false }];
  if (isArray(item)) return [...implicit, ...resolveInArray(item, rest)];
  return isDict(item) ? [...implicit, ...resolve(item, rest)] : implicit;
}

function childOf(container: unknown, name: string): unknown {
  if (isArray(container)) return container.find((_item, index) => String(index) === name);
  if (!isDict(container)) return MISSING;
  return Object.entries(container).find(([each]) => each === name)?.[1];
}

/** Whether what a path found meets an expression: a value, or an object of operators. */
function holds(found: readonly Found[], expression: unknown): boolean {
  if (!isDict(expression) || !Object.keys(expression).some((name) => name.startsWith('$'))) {
    return holds(found, { $eq: expression });
  }
  return Object.entries(expression).every(([name, operand]) =>
    holdsOperator(found, name, operand, expression),
  );
}

function holdsOperator(found: readonly Found[], name: string, operand: unknown, all: Dict): boolean {
  switch (name) {
    case '$not':
      return !holds(found, operand);
    case '$ne':
      return !holds(found, { $eq: operand });
    case '$nin':
      return !holds(found, { $in: operand });
    case '$exists':
      return found.some(({ value }) => value !== MISSING) === Boolean(operand);
    case '$size':
      return found.some(({ value }) => isArray(value) && value.length === operand);
    case '$elemMatch':
      return found.some(({ value }) => isArray(value) && value.some((item) => meetsElement(item, operand)));
    case '$all': {
      const wanted = operand as readonly unknown[];
      return wanted.length > 0 && wanted.every((each) => holds(found, each));
    }
    case '$options':
      return true;
    default:
      // One of the values must meet the operator; an array at the end is tried by its items and as a whole.
      return found
        .flatMap(({ value, opens }) => (opens && isArray(value) ? [...value, value] : [value]))
        .some((value) => meets(value, name, operand, all));
  }
}

/** The forms of `$elemMatch`: a list of expressions, operators on the item itself, conditions on its fields. */
function meetsElement(item: unknown, operand: unknown): boolean {
  if (isArray(operand)) return operand.every((each) => meetsElement(item, each));
  const expression = operand as Dict;
  const [first = ''] = Object.keys(expression);
  const onItem = first.startsWith('$') && !['$and', '$or', '$nor'].includes(first);
  if (onItem) return holds([{ value: item, opens: false }], expression);
  return (isDict(item) || isArray(item)) && matches(item, expression);
}

function meets(value: unknown, name: string, operand: unknown, all: Dict): boolean {
  switch (name) {
    case '$eq':
      return same(value, operand);
    case '$gt':
      return comparable(value, operand) && order(value, operand) > 0;
    case '$gte':
      return same(value, operand) || (comparable(value, operand) && order(value, operand) >= 0);
    case '$lt':
      return comparable(value, operand) && order(value, operand) < 0;
    case '$lte':
      return same(value, operand) || (comparable(value, operand) && order(value, operand) <= 0);
    case '$in':
      return (operand as readonly unknown[]).some((each) =>
        isDict(each) && '$regex' in each ? meets(value, '$regex', each['$regex'], each) : same(value, each),
      );
    case '$regex':
      return (
        typeof value === 'string' &&
        new RegExp(operand as string, (all['$options'] ?? '') as string).test(value)
      );
    case '$type':
      return (isArray(operand) ? operand : [operand]).some(
        (kind) =>
          kindOf(value) === kind ||
          (kind === 'number' && ['int', 'long', 'double', 'decimal'].includes(kindOf(value))),
      );
    case '$mod': {
      const [divisor, remainder] = (operand as readonly number[]).map((each) => BigInt(Math.trunc(each)));
      const whole = wholePart(value);
      return whole !== undefined && divisor !== undefined && whole % divisor === remainder;
    }
    default:
      throw new Error(`The oracle does not know ${name}.`);
  }
}

/** Equal for a filter: null is also what is missing. */
function same(value: unknown, operand: unknown): boolean {
  if (operand === null) return value === null || value === MISSING;
  return value !== MISSING && comparable(value, operand) && order(value, operand) === 0;
}

/** Values compare only with values of their own group of kinds. */
function comparable(value: unknown, operand: unknown): boolean {
  return groupOf(value) === groupOf(operand);
}

const GROUPS = ['missing', 'null', 'number', 'string', 'object', 'array', 'objectId', 'bool', 'date'];

function groupOf(value: unknown): string {
  const kind = kindOf(value);
  return ['int', 'long', 'double', 'decimal'].includes(kind) ? 'number' : kind;
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) return 'double';
    return value >= -(2 ** 31) && value < 2 ** 31 ? 'int' : 'long';
  }
  if (isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Long) return 'long';
  if (value instanceof Double) return 'double';
  return value instanceof Decimal ? 'decimal' : 'object';
}

/** MongoDB's order of all values, from its page on comparison and sort order: -1, 0 or 1. */
export function order(a: unknown, b: unknown): number {
  const groups = Math.sign(GROUPS.indexOf(groupOf(a)) - GROUPS.indexOf(groupOf(b)));
  if (groups !== 0) return groups;
  switch (groupOf(a)) {
    case 'number':
      return orderFractions(fractionOf(a), fractionOf(b));
    case 'string':
      return orderLists(bytesOf(a as string), bytesOf(b as string), (x, y) => Math.sign(x - y));
    case 'bool':
      return Math.sign(Number(a) - Number(b));
    case 'date':
      return Math.sign((a as Date).getTime() - (b as Date).getTime());
    case 'objectId':
      return order((a as ObjectId).hex, (b as ObjectId).hex);
    case 'array':
      return orderLists(a as Value[], b as Value[], order);
    case 'object':
      return orderLists(
        Object.entries(a as Dict),
        Object.entries(b as Dict),
        ([name, value], [other, content]) =>
          firstOf(
            Math.sign(GROUPS.indexOf(groupOf(value)) - GROUPS.indexOf(groupOf(content))),
            order(name, other),
            order(value, content),
          ),
      );
    default:
      return 0;
  }
}

/** The bytes of a text in UTF-8. */
function bytesOf(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

function firstOf(...differences: readonly number[]): number {
  return differences.find((each) => each !== 0) ?? 0;
}

function orderLists<T>(a: readonly T[], b: readonly T[], compare: (x: T, y: T) => number): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const difference = compare(item, other);
    if (difference !== 0) return difference;
  }
  return Math.sign(a.length - b.length);
}

/** A number as a fraction of two integers. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

function orderFractions(a: Fraction, b: Fraction): number {
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function fractionOf(value: unknown): Fraction {
  if (value instanceof Long) return { top: value.value, bottom: 1n };
  if (value instanceof Decimal) return fractionOfText(value.text);
  let double = value instanceof Double ? value.value : Number(value);
  let bottom = 1n;
  // Doubling is exact, and makes an integer of every double in the end.
  while (!Number.isInteger(double)) {
    double *= 2;
    bottom *= 2n;
  }
  return { top: BigInt(double), bottom };
}

function fractionOfText(text: string): Fraction {
  const [digits = '', power = '0'] = text.split('E');
  const [whole = '', decimals = ''] = digits.split('.');
  const exponent = Number(power) - decimals.length;
  const top = BigInt(whole + decimals);
  return exponent < 0
    ? { top, bottom: 10n ** BigInt(-exponent) }
    : { top: top * 10n ** BigInt(exponent), bottom: 1n };
}

/** What is left of a number without its fraction, within 64 bits. */
function wholePart(value: unknown): bigint | undefined {
  if (groupOf(value) !== 'number') return undefined;
  const { top, bottom } = fractionOf(value);
  const whole = top / bottom;
  return whole >= -(2n ** 63n) && whole < 2n ** 63n ? whole : undefined;
}
