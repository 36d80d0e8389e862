/**
 * Conditions as people type them, and back: `year >= 1990` is the parameter `filter[year]={"$gte":1990}`. And what may be
 * typed next: fields, then operators, then values that documents have shown.
 */
import type { Json } from '../../../../client/values.ts';
import { isMembers, parsed } from '../../../parts/fields/json.ts';
import { ID, unwrapped } from '../../../parts/fields/kinds.ts';
import { filterOfWords } from '../../../parts/fields/names.tsx';
import type { FieldKind, Fields } from '../fields.ts';
import type { Condition } from '../view.ts';

/** What is typed after an operator. */
type Operand = 'value' | 'values' | 'boolean' | 'pattern' | 'size' | 'point' | 'json';

interface Operator {
  readonly name: string;
  /** How a condition shows it, and another way to type it. */
  readonly sign: string;
  readonly says: string;
  readonly operand: Operand;
  /** The kinds that it is offered for first; for all without it. */
  readonly kinds?: readonly FieldKind[];
}

const ORDERED: readonly FieldKind[] = ['number', 'long', 'decimal', 'date', 'string', 'id'];

const PLACES: readonly FieldKind[] = ['geometry'];
const LISTS: readonly FieldKind[] = ['array'];

/** The operators that the filter bar offers (docs/search.md): how each is read, for which kinds, and what it takes. */
const OPERATORS: readonly Operator[] = [
  { name: '$eq', sign: '=', says: 'equals', operand: 'value' },
  { name: '$ne', sign: '≠', says: 'does not equal', operand: 'value' },
  { name: '$gt', sign: '>', says: 'is more, or later', operand: 'value', kinds: ORDERED },
  { name: '$gte', sign: '≥', says: 'is at least', operand: 'value', kinds: ORDERED },
  { name: '$lt', sign: '<', says: 'is less, or earlier', operand: 'value', kinds: ORDERED },
  { name: '$lte', sign: '≤', says: 'is at most', operand: 'value', kinds: ORDERED },
  { name: '$in', sign: 'in', says: 'is one of these, separated by commas', operand: 'values' },
  { name: '$nin', sign: 'not in', says: 'is none of these', operand: 'values' },
  { name: '$exists', sign: 'exists', says: 'is there: true or false', operand: 'boolean' },
  {
    name: '$regex',
    sign: '~',
    says: 'matches a pattern; /pattern/i for any case',
    operand: 'pattern',
    kinds: ['string', 'array'],
  },
  {
    name: '$near',
    sign: 'near',
    says: 'is near: longitude, latitude, meters',
    operand: 'point',
    kinds: PLACES,
  },
  { name: '$geoWithin', sign: 'within', says: 'lies within a geometry', operand: 'json', kinds: PLACES },
  { name: '$geoIntersects', sign: 'intersects', says: 'meets a geometry', operand: 'json', kinds: PLACES },
  { name: '$all', sign: 'has all', says: 'holds all of these', operand: 'values', kinds: LISTS },
  { name: '$size', sign: 'has size', says: 'holds so many items', operand: 'size', kinds: LISTS },
  {
    name: '$elemMatch',
    sign: 'has item',
    says: 'holds an item that meets conditions',
    operand: 'json',
    kinds: LISTS,
  },
];

const TYPED: Readonly<Record<string, string>> = {
  '=': '$eq',
  '==': '$eq',
  '!=': '$ne',
  '<>': '$ne',
  '>=': '$gte',
  '<=': '$lte',
};

function operatorOf(typed: string): Operator | undefined {
  const name = TYPED[typed] ?? typed;
  return OPERATORS.find((each) => each.name === name || each.sign === name);
}

/** Those for a kind come first; a field that nobody has seen yet may have any. */
function operatorsFor(kind: FieldKind): readonly Operator[] {
  if (kind === 'null') return OPERATORS;
  const fits = ({ kinds }: Operator) => kinds === undefined || kinds.includes(kind);
  return [...OPERATORS.filter(fits), ...OPERATORS.filter((each) => !fits(each))];
}

/** A sign needs no blank behind it, a word does. */
const TYPED_OPERATOR = /^(?:([=<>!~≠≥≤]+)\s*|(\$\w+|has (?:all|size|item)|not in|\w+)(?:\s+|$))(.*)$/s;

/** What may follow a name: a blank, or the sign of an operator. */
const BEYOND_NAME = /[\s=<>!~≠≥≤]/;

/** Takes typed text apart; undefined where it begins neither with a known field nor with a name and an operator. */
export function partsOf(text: string, fields: Fields) {
  const trimmed = text.trimStart();
  // Names may hold blanks: the longest one that fits is meant.
  const names = [...fields.keys(), 'id'].filter(
    (name) => trimmed.startsWith(name) && BEYOND_NAME.test(trimmed.charAt(name.length)),
  );
  const known = names.sort((one, other) => other.length - one.length)[0];
  const path = known ?? /^[^\s=<>!~≠≥≤"]+(?=[\s=<>!~≠≥≤])/.exec(trimmed)?.[0];
  if (path === undefined) return undefined;
  const after = trimmed.slice(path.length).trimStart();
  const [, sign, word = '', value = ''] = TYPED_OPERATOR.exec(after) ?? [];
  const operator = operatorOf(sign ?? word);
  if (known === undefined && operator === undefined) return undefined;
  return {
    field: path,
    kind: kindAt(path, fields),
    operator,
    rest: operator === undefined ? after : value,
  };
}

function kindAt(path: string, fields: Fields): FieldKind {
  if (path === 'id' || path.endsWith('.id')) return 'id';
  return fields.get(path)?.kind ?? 'null';
}

/** The conditions that were typed: several with `and` between them, where each of them is a field with an operator. */
export function conditionsOf(text: string, fields: Fields): readonly Condition[] {
  const pieces = text.trim().startsWith('{') ? [text] : text.split(/\s+and\s+/i);
  const areWhole = pieces.every((piece) => partsOf(`${piece.trim()} `, fields)?.operator !== undefined);
  return (areWhole ? pieces : [text]).map((piece) => conditionOf(piece, fields));
}

/** The condition that was typed: JSON for all of the document, a field with an operator, or words to search for. */
function conditionOf(text: string, fields: Fields): Condition {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return { field: '*', text: trimmed };
  const typed = partsOf(`${trimmed} `, fields);
  if (typed === undefined) return { field: '*', text: filterOfWords(trimmed) };
  const { kind, operator, rest } = typed;
  const value = rest.trim();
  // An id that is typed for a relationship is that of the document which it leads to.
  const field = kind === 'link' && /[0-9a-f]{24}/i.test(value) ? `${typed.field}.id` : typed.field;
  if (operator === undefined) {
    return value === '' ? { field, text: '{"$exists":true}' } : { field, text: textOfValue(value, kind) };
  }
  return { field, text: textOf(operator, value, kind) };
}

/** The words of such a search as they were typed. */
function wordsOf(search: string): string {
  return /^"[^\s"]*"( "[^\s"]*")*$/.test(search) ? search.replaceAll('"', '') : search;
}

function textOf({ name, operand }: Operator, value: string, kind: FieldKind): string {
  const operated = (text: string) => `{"${name}":${text}}`;
  switch (operand) {
    case 'value':
      return name === '$eq' && !/^[[{]/.test(value)
        ? textOfValue(value, kind)
        : operated(textOfValue(value, kind));
    case 'values':
      return operated(
        value.startsWith('[')
          ? value
          : `[${itemsOf(value)
              .map((each) => textOfValue(each, kind))
              .join(',')}]`,
      );
    case 'boolean':
      return operated(value === 'false' ? 'false' : 'true');
    case 'pattern': {
      const [, pattern = value, options = ''] = /^\/(.*)\/([a-z]*)$/s.exec(value) ?? [];
      return `{"$regex":${JSON.stringify(pattern)}${options && `,"$options":${JSON.stringify(options)}`}}`;
    }
    case 'point':
      return operated(value.startsWith('{') ? value : nearText(value));
    case 'size':
    case 'json':
      return operated(value === '' ? 'null' : value);
  }
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function nearText(text: string): string {
  const [longitude = 0, latitude = 0, meters] = text.split(/[\s,]+/).map(Number);
  const near = { $geometry: { type: 'Point', coordinates: [longitude, latitude] } };
  return JSON.stringify(meters === undefined ? near : { ...near, $maxDistance: meters });
}

/** A typed value as JSON: what is no JSON is a string, and dates and ids get the wrappers that their fields need. */
export function textOfValue(text: string, kind: FieldKind): string {
  const json = parsed(text);
  if (isMembers(json) || Array.isArray(json) || json === null || typeof json === 'boolean') return text;
  const plain = typeof json === 'string' ? json : text;
  if (kind === 'date') return JSON.stringify({ $date: plain });
  if ((kind === 'id' || kind === 'link') && ID.test(plain)) return JSON.stringify({ $oid: plain });
  // A number that was typed for a string is one of its letters' making, unless the quotes say so anyway.
  if (typeof json === 'number' && kind !== 'string') return text;
  return JSON.stringify(plain);
}

/** How a condition is shown: `year ≥ 1990`. */
export function shownCondition({ field, text }: Condition): string {
  const { operator, operand } = operandOf(text);
  if (field === '*') {
    const json = parsed(text);
    const words = isMembers(json) && Object.keys(json).length === 1 ? json['$text'] : undefined;
    return isMembers(words) && typeof words['$search'] === 'string' ? `“${wordsOf(words['$search'])}”` : text;
  }
  return operator === undefined ? `${field} = ${operand}` : `${field} ${operator.sign} ${operand}`;
}

/** The text that makes the condition again, to be changed in the bar. */
export function editedCondition({ field, text }: Condition, fields: Fields): string {
  const { operator, operand } = operandOf(text, kindAt(field, fields));
  if (field === '*') {
    const shown = shownCondition({ field, text });
    return shown === text ? text : shown.slice(1, -1);
  }
  return `${field} ${operator?.name ?? '$eq'} ${operand}`;
}

/**
 * The one operator of a parameter with its operand as one would type it; a value alone is compared. Where the kind of
 * the field is given, wrappers are left out only if that kind makes them again.
 */
function operandOf(
  text: string,
  kind?: FieldKind,
): { readonly operator: Operator | undefined; readonly operand: string } {
  const json = parsed(text);
  if (!isMembers(json)) return { operator: undefined, operand: text };
  const names = Object.keys(json);
  const pattern = json['$regex'];
  if (typeof pattern === 'string' && names.every((name) => name === '$regex' || name === '$options')) {
    const options = json['$options'];
    const shown = typeof options === 'string' ? `/${pattern}/${options}` : pattern;
    return { operator: operatorOf('$regex'), operand: shown };
  }
  const operator = names.length === 1 ? operatorOf(names[0] ?? '') : undefined;
  if (operator === undefined) return { operator: undefined, operand: plainOf(json, kind) ?? text };
  // As it stands in the text: its digits may be more than a number of JavaScript holds.
  const operand = text.slice(text.indexOf(':') + 1, text.lastIndexOf('}')).trim();
  return { operator, operand: plainOf(json[operator.name], kind) ?? operand };
}

/** What is inside of the wrapper of a date or an id. */
function plainOf(json: Json | undefined, kind: FieldKind | undefined): string | undefined {
  const inner = json === undefined ? undefined : unwrapped(json);
  const isPlain = inner?.kind === 'date' || inner?.kind === 'id';
  return isPlain && (kind === undefined || kind === inner.kind) ? inner.text : undefined;
}

export interface Suggestion {
  readonly label: string;
  /** A word beside it: the kind of a field, what an operator means. */
  readonly says: string;
  /** The text of the bar when it is taken. */
  readonly text: string;
  /** Whether the text is a whole condition then. */
  readonly isWhole: boolean;
}

const OFFERED = 12;

export function suggestions(text: string, fields: Fields): readonly Suggestion[] {
  if (text.trimStart().startsWith('{')) {
    return [{ label: 'Filter by this JSON', says: 'filter[*]', text, isWhole: true }];
  }
  const typed = partsOf(text, fields);
  if (typed === undefined) return [...fieldsLike(text, fields), ...wordsLike(text)].slice(0, OFFERED);
  const { field, kind, operator, rest } = typed;
  if (operator === undefined) {
    const written = rest.toLowerCase();
    return operatorsFor(kind)
      .filter(({ name, sign, says }) => `${name} ${name.slice(1)} ${sign} ${says}`.includes(written))
      .map(({ name, sign, says }) => ({
        label: sign === name.slice(1) ? name : `${sign}  ${name}`,
        says,
        text: `${field} ${name} `,
        isWhole: false,
      }));
  }
  const values = operator.operand === 'boolean' ? ['true', 'false'] : [...(fields.get(field)?.seen ?? [])];
  const wanted = rest.toLowerCase().replace(/^"/, '');
  return values
    .filter((value) => value.toLowerCase().replace(/^"/, '').startsWith(wanted))
    .slice(0, OFFERED)
    .map((value) => ({
      label: value,
      says: '',
      text: `${field} ${operator.name} ${value}`,
      isWhole: true,
    }));
}

function fieldsLike(text: string, fields: Fields): readonly Suggestion[] {
  const wanted = text.trim().toLowerCase();
  const all = [...fields.values()]
    .map(({ name, kind }) => (kind === 'link' ? { name: `${name}.id`, kind } : { name, kind }))
    .concat({ name: 'id', kind: 'id' });
  // Those that begin with it come first.
  const placeOf = (name: string) => name.toLowerCase().indexOf(wanted);
  return all
    .filter(({ name }) => placeOf(name) >= 0)
    .sort((one, other) => Number(placeOf(one.name) > 0) - Number(placeOf(other.name) > 0))
    .slice(0, OFFERED - 1)
    .map(({ name, kind }) => ({
      label: name,
      says: kind === 'null' ? '' : kind,
      text: `${name} `,
      isWhole: false,
    }));
}

function wordsLike(text: string): readonly Suggestion[] {
  const words = text.trim();
  if (words === '') return [];
  return [{ label: `Search the text for “${words}”`, says: '$text', text: words, isWhole: true }];
}

/** Whether what was typed makes a condition that means what it says. */
export function isCondition(text: string, fields: Fields): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return false;
  const { rest, operator } = partsOf(`${trimmed} `, fields) ?? { rest: trimmed, operator: undefined };
  return rest.trim() !== '' || operator?.operand === 'boolean';
}
