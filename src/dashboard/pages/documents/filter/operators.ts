/** The operators that the filter bar offers (docs/search.md): how each is read, for which kinds, and what it takes. */
import type { FieldKind } from '../fields.ts';

/** What is typed after an operator. */
type Operand = 'value' | 'values' | 'boolean' | 'pattern' | 'size' | 'point' | 'json';

export interface Operator {
  readonly name: string;
  /** How a condition shows it, and another way to type it. */
  readonly sign: string;
  readonly says: string;
  readonly operand: Operand;
  /** The kinds that it is offered for first; for all without it. */
  readonly kinds?: readonly FieldKind[];
}

const ORDERED: readonly FieldKind[] = ['number', 'long', 'decimal', 'date', 'string', 'id'];

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
    kinds: ['geometry'],
  },
  {
    name: '$geoWithin',
    sign: 'within',
    says: 'lies within a geometry',
    operand: 'json',
    kinds: ['geometry'],
  },
  {
    name: '$geoIntersects',
    sign: 'intersects',
    says: 'meets a geometry',
    operand: 'json',
    kinds: ['geometry'],
  },
  { name: '$all', sign: 'has all', says: 'holds all of these', operand: 'values', kinds: ['array'] },
  { name: '$size', sign: 'has size', says: 'holds so many items', operand: 'size', kinds: ['array'] },
  {
    name: '$elemMatch',
    sign: 'has item',
    says: 'holds an item that meets conditions',
    operand: 'json',
    kinds: ['array'],
  },
];

/** Other ways to type an operator. */
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
