/**
 * The language of the filter bar: conditions as people type them, and what may be typed next: fields, then operators,
 * then values that documents have shown.
 */
import type { Fields } from '../fields.ts';
import type { Condition } from '../view.ts';
import { anyOf, kindAt, operatorOf, operatorsFor, rowOf, written } from './condition.ts';

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
