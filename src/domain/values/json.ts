/**
 * Reading JSON text without losing a digit. It knows JSON only: wrappers such as `$date` are read one step later
 * (wrappers.ts), so that a filter's operators and a document's values can share this reader.
 */
import { type Place, inside } from '../pointer.ts';
import { present, type Presentable } from './present.ts';
import { isList, mapTree, memberOf, type Branch, type Tree } from './tree.ts';
import { Double, integerOf, Long } from './values.ts';

/** A number that no kind of value can hold: an integer beyond 64 bits, or a double beyond the largest. */
export class Unrepresentable {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** What a JSON text says, numbers exact. */
export type Parsed = Tree<Exceptional>;

export type ParsedObject = Branch<Exceptional>;

/** The numbers that a plain number would lose. */
type Exceptional = Long | Double | Unrepresentable;

export type ParseResult =
  | { readonly ok: true; readonly value: Parsed }
  | {
      readonly ok: false;
      readonly reason: 'syntax' | 'depth';
      readonly detail: string;
      readonly place?: undefined;
    }
  | { readonly ok: false; readonly reason: 'twice'; readonly detail: string; readonly place: Place };

/**
 * Where plain `JSON.parse` could lose something: 16 or more digits in a row, a fraction of zeros, an exponent, a
 * negative zero. What follows, or comes before, must be what can around a number, or every hexadecimal id, version
 * and date would match.
 */
const NEEDS_SOURCE = /[0-9]{16}|(?:\.0+|[0-9][eE][+-]?[0-9]+)\s*(?:[,}\]]|$)|(?:^|[[:,\s])-0\s*(?:[,}\]]|$)/;

/** Parses a JSON text whose arrays and objects may nest `maxDepth` levels. Numbers keep value and kind. */
export function parseJson(text: string, maxDepth: number): ParseResult {
  let plain: unknown;
  try {
    plain = JSON.parse(text) as unknown;
  } catch (error) {
    return { ok: false, reason: 'syntax', detail: error instanceof Error ? error.message : 'not JSON' };
  }
  const members = membersIn(plain, maxDepth);
  if (Number.isNaN(members)) {
    return { ok: false, reason: 'depth', detail: `The JSON nests more than ${maxDepth} levels.` };
  }
  const place = members === mostNames(text) ? undefined : findDuplicate(text);
  if (place !== undefined) {
    return { ok: false, reason: 'twice', place, detail: 'The name is given twice in one object.' };
  }
  // Only now: the reviver recurses, and the text is known to be shallow.
  const value: unknown = NEEDS_SOURCE.test(text) ? JSON.parse(text, reviveNumber) : plain;
  return { ok: true, value: value as Parsed };
}

/** True for a JSON object, and none of the classes that numbers may have become. */
export function isParsedObject(value: Parsed | undefined): value is ParsedObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Long || value instanceof Double || value instanceof Unrepresentable)
  );
}

/** What is at the end of a path of members; undefined where one of them is missing, or is in no object. */
export function memberAt(value: Parsed | undefined, ...names: readonly string[]): Parsed | undefined {
  return names.reduce((at, name) => (isParsedObject(at) ? memberOf(at, name) : undefined), value);
}

/** The members of all objects; NaN where they nest deeper. */
function membersIn(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return NaN;
  let members = 0;
  if (Array.isArray(value)) {
    for (const child of value as readonly unknown[]) {
      if (typeof child === 'object') members += membersIn(child, levels - 1);
    }
    return members;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    const child = fields[name];
    members += typeof child === 'object' ? 1 + membersIn(child, levels - 1) : 1;
  }
  return members;
}

/** At least the number of names in a text: colons after a quote or a blank. Only inside of strings are there others. */
function mostNames(text: string): number {
  let names = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === 0x22 || before <= 0x20) names += 1;
  }
  return names;
}

/** Gives a number its kind by how it was written (spec, Value types, rule 2). */
function reviveNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  if (/[.eE]/.test(source)) {
    if (!Number.isFinite(value)) return new Unrepresentable(source);
    return Number.isInteger(value) ? new Double(value) : value;
  }
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  return integerOf(BigInt(source)) ?? new Unrepresentable(source);
}

/** Parsed JSON as text again, every number as it was understood. What no number can hold becomes null. */
export function textOfParsed(value: Parsed): string {
  return JSON.stringify(presentParsed(value));
}

function presentParsed(value: Parsed): Presentable {
  if (value instanceof Unrepresentable) return null;
  return isList(value) || isParsedObject(value)
    ? mapTree<Parsed, Presentable>(value, presentParsed)
    : present(value);
}

/** An open array or object: its place, its names so far (an array has none), and its position. */
interface Open {
  readonly place: Place;
  readonly names: Set<string> | null;
  key: string | number;
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]/g;

/**
 * `JSON.parse` keeps the last of two equal names and drops the other silently: a filter must never hold less than was
 * asked. The place of the first name that repeats another, or undefined. The text must be valid JSON.
 */
function findDuplicate(text: string): Place | undefined {
  const open: Open[] = [];
  let previous = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const top = open.at(-1);
    if (token === '{' || token === '[') {
      const place = top === undefined ? null : inside(top.place, top.key);
      open.push(token === '{' ? { place, names: new Set(), key: '' } : { place, names: null, key: 0 });
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ',' && typeof top?.key === 'number') {
      top.key += 1;
    } else if (token === ':' && top?.names) {
      // The text before a colon is a name. Escapes may spell one name in two ways.
      const name = String(JSON.parse(previous));
      if (top.names.has(name)) return inside(top.place, name);
      top.names.add(name);
      top.key = name;
    }
    previous = token;
  }
  return undefined;
}
