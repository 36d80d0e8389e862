/**
 * The JSON of schemas and documents: plain, except that numbers beyond JavaScript's stay exact. It must never lose a
 * digit, nor take a member for one of a prototype.
 */
import { Exact } from '../domain/values/exact.ts';
import { Unrepresentable } from '../domain/values/json.ts';
import { inside, type Place } from '../domain/pointer.ts';
import { isList, type Branch, type Tree } from '../domain/values/tree.ts';
import { Decimal, Double, Long, ObjectId } from '../domain/values/values.ts';
import { numOf, textOfNum, type Num } from './num.ts';

export type Plain = Tree<Exact>;

export type PlainObject = Branch<Exact>;

/** Told of what is no JSON, or too much of it: where it is and what is wrong. */
export type Complain = (place: Place, detail: string) => void;

export function isNum(value: Plain | undefined): value is Num {
  return typeof value === 'number' || value instanceof Exact;
}

export function isObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !isList(value) && !(value instanceof Exact);
}

/**
 * A copy of any JSON in this form: what `JSON.parse` gives, what the service's own reader gives (`Parsed`), and
 * values of documents, shown as answers show them. Dates become ISO strings, object ids their digits. What is no
 * JSON is complained of and replaced by null; so is what nests deeper than `levels` arrays and objects.
 */
export function plainOf(value: unknown, levels: number, complain: Complain, place: Place = null): Plain {
  switch (typeof value) {
    case 'boolean':
    case 'string':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'object':
      return value === null ? null : plainOfObject(value, levels, complain, place);
    default:
  }
  complain(place, 'The value is no JSON.');
  return null;
}

function plainOfObject(value: object, levels: number, complain: Complain, place: Place): Plain {
  if (value instanceof Long) return numOf(value.value.toString());
  if (value instanceof Decimal) return numOf(value.text);
  if (value instanceof Double) return value.value;
  if (value instanceof ObjectId) return value.hex;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Exact) return value;
  if (value instanceof Unrepresentable) {
    complain(place, `The number ${value.source.slice(0, 40)} fits no kind of number.`);
    return null;
  }
  if (levels === 0) {
    complain(place, 'The JSON is nested too deeply.');
    return null;
  }
  const copy = (child: unknown, key: string | number): Plain =>
    plainOf(child, levels - 1, complain, inside(place, key));
  if (Array.isArray(value)) return value.map(copy);
  // fromEntries defines own members, so that one named __proto__ is only a member.
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, copy(child, name)]));
}

/** One text for each value. Equal values have equal texts; the order of members does not matter. */
export function keyOfPlain(value: Plain): string {
  if (isNum(value)) return textOfNum(value);
  if (isList(value)) return `[${value.map(keyOfPlain).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${keyOfPlain(value[name] ?? null)}`).join(',')}}`;
}
