/** JSON: what it is, its text, and members of objects. What stands in answers is a client's, and is read with care. */
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';

export type Members = Readonly<Record<string, Json>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isItems(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Something wrong, at the place that a pointer (RFC 6901) names. */
export interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** What is wrong at a place or below it: as places from there. */
export function faultsIn(faults: readonly Fault[], pointer: string): readonly Fault[] {
  return faults
    .filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))
    .map((fault) => ({ ...fault, pointer: fault.pointer.slice(pointer.length) }));
}

/** Something wrong in a file. */
export interface LineFault {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
}

/** A string, or ''. */
export function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The link that a value is. */
export function linkIn(value: unknown): Link | undefined {
  const { type, id } = isMembers(value) ? value : {};
  return typeof type === 'string' && typeof id === 'string' ? { type, id } : undefined;
}

/** Undefined for what is no JSON. */
export function parsed(text: string): Json | undefined {
  try {
    // What JSON.parse makes is JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** JSON on several lines. A number that is not finished stays one that JSON does not know. */
export function printed(value: unknown, indent = ''): string {
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => printed(item, deeper));
    const line = `[${items.join(', ')}]`;
    if (!line.includes('\n') && line.length <= 80) return line;
    return `[\n${items.map((item) => deeper + item).join(',\n')}\n${indent}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, each]) => `${deeper}${JSON.stringify(name)}: ${printed(each, deeper)}`,
    );
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
  }
  return typeof value === 'number' ? (Object.is(value, -0) ? '-0.0' : String(value)) : JSON.stringify(value);
}

/** JSON in which integers that no double holds stand in wrappers, as drafts have them. */
export function wrapped(json: string): string {
  return json.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `{"$numberLong":"${token}"}` : token,
  );
}

/** The same with their digits alone: the JSON of the service's own types has no wrappers. */
export function bare(json: string): string {
  return json.replaceAll(/\{\s*"\$numberLong":\s*"(-?\d{16,})"\s*\}/g, '$1');
}

/** Equal down to the kinds. The order of members counts for nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`)
      .join()}}`;
  return typeof value === 'string' ? JSON.stringify(value) : Object.is(value, -0) ? '-0' : String(value);
}

/** A member of its own: `__proto__` is a name as any other. */
export function member<T>(members: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** The members with one more, or another value in its place; without it for undefined. */
export function withMember<T>(
  members: Readonly<Record<string, T>>,
  name: string,
  value: T | undefined,
): Readonly<Record<string, T>> {
  const entries = Object.entries(members);
  if (value === undefined) return Object.fromEntries(entries.filter(([each]) => each !== name));
  return Object.hasOwn(members, name)
    ? Object.fromEntries(entries.map(([each, old]) => [each, each === name ? value : old]))
    : Object.fromEntries([...entries, [name, value]]);
}

/** A list in parts of a size. */
export function chunksOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** A text as a pattern that matches itself. */
export function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
