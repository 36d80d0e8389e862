/** The order of a list by its `sort`, as in the service (docs/search.md, Sort): for lists that change in the page. */
import { Decimal, ObjectId } from '../index.ts';

type Compare<Of> = (one: Of, other: Of) => number;

/** Compares documents by paths, with `-` in front for descending; equal ones, and all without paths, by id. */
export function orderOf(
  sort: string | readonly string[] = [],
): <D extends { readonly id: string }>(documents: Iterable<D>) => D[] {
  const paths = (typeof sort === 'string' ? sort.split(',') : sort).map((path) => ({
    sign: path.startsWith('-') ? -1 : 1,
    names: path.replace(/^-/, '').split('.'),
  }));
  const isBefore: Compare<readonly unknown[]> = (one, other) => {
    for (const [at, { sign }] of paths.entries()) {
      const difference = compare(one[at], other[at]);
      if (difference !== 0) return difference * sign;
    }
    return 0;
  };
  return (documents) =>
    Array.from(documents, (document) => ({
      document,
      key: paths.map(({ sign, names }) => {
        const [first, ...others] = reach(document, names);
        return others.reduce((best, each) => (compare(each, best) * sign < 0 ? each : best), first);
      }),
    }))
      .sort(
        (one, other) => isBefore(one.key, other.key) || compareStrings(one.document.id, other.document.id),
      )
      .map(({ document }) => document);
}

/** What a document sorts by at a path: the items of arrays; `undefined` for an empty one, null for what is missing. */
function reach(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) return throughArray(value, name === undefined ? [] : [name, ...rest]);
  if (name === undefined) return [value ?? null];
  if (!isObject(value) || !Object.hasOwn(value, name)) return [null];
  return reach(Reflect.get(value, name), rest);
}

function throughArray(items: readonly unknown[], names: readonly string[]): unknown[] {
  const [name = '', ...rest] = names;
  const item = /^\d+$/.test(name) ? items[Number(name)] : undefined;
  if (item !== undefined) return reach(item, rest);
  if (items.length === 0) return [names.length > 0 ? null : undefined];
  return items.flatMap((each) =>
    Array.isArray(each) ? [names.length > 0 ? null : each] : reach(each, names),
  );
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The place of a value's kind among kinds: values of different kinds sort kind by kind. */
function kindOf(value: unknown): number {
  if (value === undefined) return 0;
  if (value === null) return 1;
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Decimal) return 2;
  if (typeof value === 'string') return 3;
  if (Array.isArray(value)) return 5;
  if (value instanceof ObjectId) return 6;
  if (typeof value === 'boolean') return 7;
  return value instanceof Date ? 8 : 4;
}

function compare(one: unknown, other: unknown): number {
  const kinds = kindOf(one) - kindOf(other);
  if (kinds !== 0) return kinds;
  if (typeof one === 'string') return compareStrings(one, String(other));
  if (one instanceof ObjectId) return compareStrings(one.hex, String(other));
  if (Array.isArray(one)) return compareAll(one, other as readonly unknown[]);
  if (kindOf(one) === 4) return compareAll(partsOf(one), partsOf(other));
  const [a, b] = [numberOf(one), numberOf(other)];
  return a < b ? -1 : Number(a > b);
}

/** Numbers, truths and dates. A decimal counts as the double next to it. */
const numberOf = (value: unknown): number | bigint =>
  typeof value === 'bigint' ? value : Number(value instanceof Decimal ? value.text : value);

function compareAll(one: readonly unknown[], other: readonly unknown[]): number {
  for (const [at, each] of one.slice(0, other.length).entries()) {
    const difference = compare(each, other[at]);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** What an object compares by: of each field kind, name and value, in their own order; of a link, type and id alone. */
function partsOf(value: unknown): readonly unknown[] {
  if (!isObject(value)) return [];
  const { type, id } = value as Readonly<Record<string, unknown>>;
  if (typeof type === 'string' && typeof id === 'string') return [type, id];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) => [kindOf(each), name, each]);
}

/** By code points: UTF-16 has those past U+FFFF before some that are less. */
function compareStrings(one: string, other: string): number {
  for (let at = 0; at < Math.min(one.length, other.length); at += 1) {
    const difference = placeOf(one.charCodeAt(at)) - placeOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

const placeOf = (unit: number) => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
