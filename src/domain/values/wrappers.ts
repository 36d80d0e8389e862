/**
 * Extended JSON of requests: parsed JSON becomes values, with wrappers read and names checked. It collects every fault
 * with its place and knows no statuses: a fault is a 422 in a document and a 400 in a filter.
 */
import { dateOf, parseDate } from './dates.ts';
import { parseDecimal } from './decimal.ts';
import { isParsedObject, Unrepresentable, type Parsed, type ParsedObject } from './json.ts';
import { faultOfName } from '../field-names.ts';
import { unknownName, type Detail } from '../names.ts';
import { inside, type Place } from '../pointer.ts';
import { isList, mapFields, mapList, mapTree, memberOf } from './tree.ts';
import { Decimal, Double, Long, longOf, ObjectId, Oversized, WrappedLong, type Value } from './values.ts';

/** Told of each fault: where it is and what is wrong, as a sentence. */
export type Report = (place: Place, detail: Detail, kind: 'value' | 'name') => void;

const WRAPPERS: Readonly<Record<string, [(content: Parsed) => Value | undefined, takes: string]>> = {
  $date: [readDate, 'an ISO 8601 string or an integer of milliseconds'],
  $numberLong: [readLong, 'a string of digits within 64 bits'],
  $numberDecimal: [
    (content) => (typeof content === 'string' ? parseDecimal(content) : undefined),
    'a string holding a finite number of at most 34 digits',
  ],
  $oid: [readObjectId, 'a string of 24 hexadecimal digits'],
};

const WRAPPER_NAMES = Object.keys(WRAPPERS);

/** True for the name of a wrapper (spec, Value types). */
export function isWrapperName(name: string): boolean {
  return Object.hasOwn(WRAPPERS, name);
}

/** The value of parsed JSON. It reports faults, and puts null in place of a value that has one. */
export function readValue(json: Parsed, place: Place, report: Report): Value {
  return read(json, place, report, false);
}

/**
 * The same for a value that may be sent over a stored one: what was wrapped can be told from what was not, and a number
 * that fits no kind is no fault yet where an answer could have shown it.
 */
export function readChange(json: Parsed, place: Place, report: Report): Value {
  return read(json, place, report, true);
}

/** The inverse of `readValue`: what a client would have sent for the value. */
export function toParsed(value: Value): Parsed {
  if (typeof value !== 'object' || value === null || value instanceof Long || value instanceof Double)
    return value;
  if (value instanceof Date) return { $date: value.getTime() };
  if (value instanceof ObjectId) return { $oid: value.hex };
  if (value instanceof Decimal) return { $numberDecimal: value.text };
  return mapTree<Value, Parsed>(value, toParsed);
}

/** Reports the numbers that no kind of value can hold, of JSON whose `$` names are no wrappers. */
export function reportUnfit(json: Parsed, place: Place, report: Report): void {
  if (json instanceof Unrepresentable) {
    report(place, unfit(json), 'value');
  } else if (isList(json)) {
    for (const [index, child] of json.entries()) reportUnfit(child, inside(place, index), report);
  } else if (isParsedObject(json)) {
    for (const [name, child] of Object.entries(json)) reportUnfit(child, inside(place, name), report);
  }
}

function unfit({ source }: Unrepresentable): string {
  return `The number ${source.slice(0, 40)} fits no kind of number.`;
}

function read(json: Parsed, place: Place, report: Report, change: boolean): Value {
  if (typeof json !== 'object' || json === null || json instanceof Long || json instanceof Double)
    return json;
  if (json instanceof Unrepresentable) {
    const shown = change ? parseDecimal(json.source) : undefined;
    if (shown !== undefined) return new Oversized(shown.text);
    report(place, unfit(json), 'value');
    return null;
  }
  if (isList(json)) {
    return mapList(json, (child, index) => read(child, inside(place, index), report, change));
  }
  const names = Object.keys(json);
  if (names.some((name) => name.startsWith('$'))) {
    return readWrapper(json, names, place, report, change);
  }
  return mapFields(json, (child, name) => {
    const at = inside(place, name);
    const wrong = faultOfName(name);
    if (wrong !== undefined) report(at, wrong, 'name');
    return read(child, at, report, change);
  });
}

function readWrapper(
  json: ParsedObject,
  names: readonly string[],
  place: Place,
  report: Report,
  change: boolean,
): Value {
  const [name = ''] = names;
  const wrapper = names.length === 1 ? memberOf(WRAPPERS, name) : undefined;
  if (wrapper === undefined) {
    const strange = names.find((each) => each.startsWith('$') && !isWrapperName(each));
    const detail =
      strange === undefined
        ? `A wrapper such as ${name} stands alone in its object.`
        : () => unknownName(strange, { what: 'wrapper', names: WRAPPER_NAMES });
    report(place, detail, 'value');
    return null;
  }
  const [reader, takes] = wrapper;
  const value = reader(json[name] ?? null);
  if (value === undefined) {
    report(place, `${name} takes ${takes}.`, 'value');
    return null;
  }
  if (!change || name !== '$numberLong') return value;
  if (value instanceof Long) return new WrappedLong(value.value);
  return typeof value === 'number' ? new WrappedLong(BigInt(value)) : value;
}

function readDate(content: Parsed): Date | undefined {
  if (typeof content === 'string') return parseDate(content);
  if (typeof content === 'number') return dateOf(content);
  if (isParsedObject(content)) {
    const long = Object.keys(content).length === 1 ? readLong(content['$numberLong'] ?? null) : undefined;
    if (long !== undefined) return dateOf(Number(long instanceof Long ? long.value : long));
  }
  return undefined;
}

function readLong(content: Parsed): Long | number | undefined {
  if (typeof content !== 'string' || !/^-?[0-9]{1,19}$/.test(content)) return undefined;
  const long = longOf(BigInt(content));
  return long instanceof Long || typeof long === 'number' ? long : undefined;
}

/** An object id from its hexadecimal digits of either case. */
export function readObjectId(content: Parsed): ObjectId | undefined {
  return typeof content === 'string' && /^[0-9a-fA-F]{24}$/.test(content)
    ? new ObjectId(content.toLowerCase())
    : undefined;
}
