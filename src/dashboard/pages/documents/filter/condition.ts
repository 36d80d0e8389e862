/**
 * Conditions in parts that people read, and back: `year`, `≥`, `1990` are `filter[year]={"$gte":1990}`; and as they are
 * typed in the filter bar, with what may come next.
 */
import type { Json } from '../../../../client/values.ts';
import { isItems, isMembers, parsed } from '../../../parts/fields/json.ts';
import { ID, unwrapped } from '../../../parts/fields/kinds.ts';
import { filterOfWords } from '../../../parts/fields/names.tsx';
import { readExactly } from '../../document/draft.ts';
import type { FieldKind, Fields } from '../fields.ts';
import { filterOf, type Condition } from '../view.ts';

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

export function operatorOf(typed: string): Operator | undefined {
  const name = TYPED[typed] ?? typed;
  return OPERATORS.find((each) => each.name === name || each.sign === name);
}

/** Those for a kind come first; a field that nobody has seen yet may have any. */
export function operatorsFor(kind: FieldKind): readonly Operator[] {
  if (kind === 'null') return OPERATORS;
  const fits = ({ kinds }: Operator) => kinds === undefined || kinds.includes(kind);
  return [...OPERATORS.filter(fits), ...OPERATORS.filter((each) => !fits(each))];
}

export function kindAt(path: string, fields: Fields): FieldKind {
  if (path === 'id' || path.endsWith('.id')) return 'id';
  return fields.get(path)?.kind ?? 'null';
}

/** One condition of several lists, of which all of one must hold. */
export function anyOf(lists: readonly (readonly Condition[])[]): Condition {
  return { field: '*', text: `{"$or":[${lists.map(filterOf).join()}]}` };
}

/** A condition in its parts, the value as one would type it; without an operator it is JSON, or words. */
export interface ConditionRow {
  readonly field: string;
  readonly operator: Operator | undefined;
  readonly kind: FieldKind;
  readonly value: string;
}

/** The condition that a row makes. */
export function written({ field, operator, kind, value }: ConditionRow): Condition {
  if (operator === undefined)
    return { field: '*', text: value.trim().startsWith('{') ? value : filterOfWords(value) };
  // An id that is typed for a relationship is that of the document which it leads to.
  const path = kind === 'link' && /[0-9a-f]{24}/i.test(value) ? `${field}.id` : field;
  return { field: path, text: textOf(operator, value, kind) };
}

/** The row that makes a condition. */
export function rowOf({ field, text }: Condition, fields: Fields): ConditionRow {
  if (field === '*') return { field: '', operator: undefined, kind: 'null', value: wordsIn(text) ?? text };
  const kind = kindAt(field, fields);
  const { operator = operatorOf('$eq'), operand } = operandOf(text, kind);
  return { field, operator, kind, value: operand };
}

/** The conditions of which one must hold: several where an `$or` says so plainly. */
export function alternativesIn(condition: Condition): readonly Condition[] {
  const said = condition.field === '*' ? readExactly(condition.text) : undefined;
  const json = said !== undefined && 'value' in said ? said.value : null;
  const [[name, lists] = [], ...more] = Object.entries(isMembers(json) ? json : {});
  const alternatives = name === '$or' && more.length === 0 && isItems(lists) ? lists.map(conditionsIn) : [];
  const isPlain = alternatives.length > 0 && alternatives.every(({ length }) => length === 1);
  return isPlain ? alternatives.flat() : [condition];
}

/** The conditions of a filter in JSON, all of which hold. */
export function conditionsIn(json: Json): readonly Condition[] {
  if (!isMembers(json)) return [];
  return Object.entries(json).flatMap(([name, value]): readonly Condition[] => {
    if (name === '$and' && isItems(value)) return value.flatMap(conditionsIn);
    if (name.startsWith('$')) return [{ field: '*', text: JSON.stringify({ [name]: value }) }];
    const operators = isMembers(value) ? Object.entries(value) : [];
    const areApart = operators.length > 1 && operators.every(([each]) => operatorOf(each) !== undefined);
    const texts = areApart ? operators.map(([each, operand]) => ({ [each]: operand })) : [value];
    return texts.map((each) => ({ field: name, text: JSON.stringify(each) }));
  });
}

/** The words of a search as they were typed; undefined for another expression. */
function wordsIn(text: string): string | undefined {
  const json = parsed(text);
  const words = isMembers(json) && Object.keys(json).length === 1 ? json['$text'] : undefined;
  const search = isMembers(words) ? words['$search'] : undefined;
  if (typeof search !== 'string') return undefined;
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
  if (isMembers(json) || Array.isArray(json) || json === null) return text;
  if (typeof json === 'boolean' && kind !== 'string') return text;
  const plain = typeof json === 'string' ? json : text;
  if (kind === 'date') return JSON.stringify({ $date: plain });
  if ((kind === 'id' || kind === 'link') && ID.test(plain)) return JSON.stringify({ $oid: plain });
  // A number that was typed for a string is one of its letters' making, unless the quotes say so anyway.
  if (typeof json === 'number' && kind !== 'string') return text;
  return JSON.stringify(plain);
}

/** How a condition is shown: `year ≥ 1990`. */
export function shownCondition({ field, text }: Condition): string {
  if (field === '*') {
    const words = wordsIn(text);
    return words === undefined ? text : `“${words}”`;
  }
  const { operator, operand } = operandOf(text);
  return `${field} ${operator?.sign ?? '='} ${operand}`;
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

/** The conditions that were typed: a field with an operator, or several such with `and` or `or` between them. */
export function conditionsOf(text: string, fields: Fields): readonly Condition[] {
  const alternatives = piecesOf(text, /\s+or\s+/i).map((piece) => piecesOf(piece, /\s+and\s+/i));
  const areWhole = alternatives
    .flat()
    .every((piece) => partsOf(`${piece.trim()} `, fields)?.operator !== undefined);
  const meant = areWhole ? alternatives : [[text]];
  const [first = [], ...others] = meant.map((pieces) => pieces.map((piece) => conditionOf(piece, fields)));
  return others.length === 0 ? first : [anyOf([first, ...others])];
}

function piecesOf(text: string, between: RegExp): readonly string[] {
  return text.trim().startsWith('{') ? [text] : text.split(between);
}

/** The condition that was typed: JSON for all of the document, a field with an operator, or words to search for. */
function conditionOf(text: string, fields: Fields): Condition {
  const value = text.trim();
  const typed = value.startsWith('{') ? undefined : partsOf(`${value} `, fields);
  if (typed === undefined) return written({ field: '', operator: undefined, kind: 'null', value });
  const rest = typed.rest.trim();
  const { operator = operatorOf(rest === '' ? '$exists' : '$eq') } = typed;
  return written({ ...typed, operator, value: rest });
}

/** The text that makes the condition again, to be changed in the bar. */
export function editedCondition(condition: Condition, fields: Fields): string {
  const { field, operator, value } = rowOf(condition, fields);
  return operator === undefined ? value : `${field} ${operator.name} ${value}`;
}

/** What may come next: texts of the bar, each with a word on it. */
export function suggestions(
  text: string,
  fields: Fields,
): readonly (readonly [text: string, says: string])[] {
  const typed = partsOf(text, fields);
  if (typed === undefined)
    return [...fields.values(), { name: 'id', kind: 'id' }].map(({ name, kind }) =>
      kind === 'link' ? [`${name}.id `, kind] : [`${name} `, kind === 'null' ? '' : kind],
    );
  const { field, kind, operator } = typed;
  if (operator === undefined)
    return operatorsFor(kind).map(({ name, sign, says }) => [`${field} ${name} `, `${sign} ${says}`]);
  const values = operator.operand === 'boolean' ? ['true', 'false'] : [...(fields.get(field)?.seen ?? [])];
  return values.map((value) => [`${field} ${operator.name} ${value}`, '']);
}

/** Whether what was typed makes a condition that means what it says. */
export function isCondition(text: string, fields: Fields): boolean {
  const trimmed = text.trim();
  if (trimmed === '') return false;
  const { rest, operator } = partsOf(`${trimmed} `, fields) ?? { rest: trimmed, operator: undefined };
  return rest.trim() !== '' || operator?.operand === 'boolean';
}
