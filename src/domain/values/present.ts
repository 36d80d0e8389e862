/** Values as answers show them (spec, Value types, response form): plain JSON, every digit kept. */
import { keepWarm } from '../caching/keep-warm.ts';
import { isList, mapTree, type Tree } from './tree.ts';
import { Decimal, Double, kindOf, Long, ObjectId, type Value } from './values.ts';

/** A JSON text that `JSON.stringify` writes as it is (ECMAScript's JSON.rawJSON). */
interface RawJson {
  readonly rawJSON: string;
}

declare global {
  interface JSON {
    rawJSON(text: string): RawJson;
  }
}

/** Finished JSON, for what need not be taken apart to be shown. It may only stand where `textOfAnswer` looks for it. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): never {
    throw new Error('Finished JSON stands where nothing looks for it.');
  }
}
keepWarm(new JsonText('null'));

/** What `JSON.stringify` can write. */
export type Presentable = Tree<RawJson | JsonText>;

/** The response form of a value. A value without special kinds is returned as it is, not copied. */
export function present(value: Value): Presentable {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.hex;
  if (value instanceof Long || value instanceof Decimal || value instanceof Double) {
    return JSON.rawJSON(textOfNumber(value));
  }
  return mapTree<Value, Presentable>(value, present);
}

/**
 * The form of a value in the extended-json profile: wrappers for all that plain JSON would be taken for something else.
 * Doubles have no wrapper and need none: plain JSON says them with a fraction or an exponent.
 */
export function presentWrapped(value: Value): Presentable {
  if (typeof value === 'number') {
    return kindOf(value) === 'long' ? { $numberLong: value.toString() } : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof ObjectId) return { $oid: value.hex };
  if (value instanceof Long) return { $numberLong: value.value.toString() };
  if (value instanceof Decimal) return { $numberDecimal: value.text };
  if (value instanceof Double) return JSON.rawJSON(textOfNumber(value));
  return mapTree<Value, Presentable>(value, presentWrapped);
}

/** How what plain JSON can not say begins in the stored encoding. */
const TAGGED = '{"$';

/**
 * The response form of a stored text (codec.ts), as JSON: what `present` makes of its value, without making the value.
 * In JSON text a `{"$` can only be a tag, since a quote inside a string is written `\"`.
 */
export function presentText(text: string): string {
  return withTags(text, presentTag);
}

/** The same as `presentWrapped` has it, but for plain integers: those say what they are. */
export function wrapText(text: string): string {
  return withTags(text, wrapTag);
}

const QUOTE = 0x22;

/** `written`: the text of what has a tag (codec.ts) and a content; undefined for another tag. */
function withTags(text: string, written: (tag: string, content: string) => string | undefined): string {
  let shown = '';
  let from = 0;
  for (let at = text.indexOf(TAGGED); at >= 0; at = text.indexOf(TAGGED, from)) {
    const name = at + TAGGED.length;
    const behind = text.indexOf('"', name);
    const end = text.indexOf('}', behind);
    const isText = text.charCodeAt(behind + 2) === QUOTE;
    const content = isText ? text.slice(behind + 3, end - 1) : text.slice(behind + 2, end);
    const tag = written(text.slice(name, behind), content);
    shown += tag === undefined ? text.slice(from, name) : text.slice(from, at) + tag;
    from = tag === undefined ? name : end + 1;
  }
  return from === 0 ? text : shown + text.slice(from);
}

function presentTag(tag: string, content: string): string | undefined {
  switch (tag) {
    case 'date':
      return `"${new Date(Number(content)).toISOString()}"`;
    case 'oid':
      return `"${content}"`;
    case 'double':
      return textOfDouble(Number(content));
    case 'long':
    case 'decimal':
      return content;
    default:
      return undefined;
  }
}

function wrapTag(tag: string, content: string): string | undefined {
  switch (tag) {
    case 'date':
    case 'oid':
      return `{"$${tag}":${presentTag(tag, content)}}`;
    case 'long':
      return `{"$numberLong":"${content}"}`;
    case 'decimal':
      return `{"$numberDecimal":"${content}"}`;
    default:
      return presentTag(tag, content);
  }
}

/** A whole answer as JSON. The members of its top, and the elements of those, may be finished JSON. `last`: more. */
export function textOfAnswer(answer: Presentable, last?: string): string {
  if (!isObject(answer)) return textOf(answer);
  let text = '{';
  let separator = '';
  for (const name in answer) {
    const member = answer[name] ?? null;
    text += `${separator}${quoted(name)}:`;
    text += isList(member) ? textOfArray(member) : textOf(member);
    separator = ',';
  }
  return last === undefined ? `${text}}` : `${text}${separator}${last}}`;
}

/** Strings that are added up are copied once, at the end; those that are joined are copied twice. */
function textOfArray(array: readonly Presentable[]): string {
  let text = '[';
  let separator = '';
  for (const element of array) {
    text += separator + textOf(element);
    separator = ',';
  }
  return `${text}]`;
}

function textOf(value: Presentable): string {
  if (typeof value === 'string') return quoted(value);
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

function isObject(value: Presentable): value is { readonly [name: string]: Presentable } {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof JsonText);
}

/** A number as answers show it. */
export function textOfNumber(value: number | Long | Double | Decimal): string {
  if (typeof value === 'number') return String(value);
  if (value instanceof Decimal) return value.text;
  return value instanceof Double ? textOfDouble(value.value) : value.value.toString();
}

/** An integral double as a JSON number that still reads as one: `1.0`, not `1`. */
function textOfDouble(value: number): string {
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** A time in milliseconds since 1970, as a date is shown. */
export function presentTime(at: number, wrapped: boolean): Presentable {
  const text = new Date(at).toISOString();
  return wrapped ? { $date: text } : text;
}

/** Texts as JSON strings. */

/** Texts without what JSON escapes: quotes, backslashes, control characters and halves of characters. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** What `JSON.stringify` makes of a text: most have nothing to escape, and need no serializer. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
