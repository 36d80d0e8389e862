/** What may be typed next in the filter bar: fields, then operators, then values that documents have shown. */
import type { Fields } from '../fields.ts';
import { operatorsFor, partsOf } from './condition.ts';

export interface Suggestion {
  readonly label: string;
  /** A word beside it: the kind of a field, what an operator means. */
  readonly says: string;
  /** The text of the bar when it is taken. */
  readonly text: string;
  /** Whether the text is a whole condition then. */
  readonly isWhole: boolean;
}

/** How many are offered. */
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
