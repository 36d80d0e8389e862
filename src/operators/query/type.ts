/** `$type`: what kind of value is there. */
import { offerOf } from '../../domain/names.ts';
import type { Parsed } from '../../domain/values/json.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { kindOf, type ValueKind } from '../../domain/values/values.ts';
import { KINDS } from '../core/kinds.ts';
import { smallInteger } from '../numbers/kinds.ts';
import { kind } from '../../query/sql/body-test.ts';
import { sql } from '../../query/sql/condition.ts';
import { ofValues, type LeafOperator } from './operator.ts';
import { refuseCondition, valueOf, type FieldOperator, type Scope } from '../filter/scope.ts';
import { isList } from '../../domain/values/tree.ts';

const BY_NAME = new Map<string | number, readonly ValueKind[]>([
  ...KINDS.flatMap(([number, alias, kind]): [string | number, readonly ValueKind[]][] => {
    const kinds = kind === null ? [] : [kind];
    return [
      [number, kinds],
      [alias, kinds],
    ];
  }),
  ['number', ['int', 'long', 'double', 'decimal']],
]);

const ALIASES = [...BY_NAME.keys()].filter((name) => typeof name === 'string');

const read: FieldOperator = (operand) => {
  const { json, path, place, scope } = operand;
  const list = isList(json) ? json : [json];
  if (list.length === 0) return refuseCondition(operand, '$type takes at least one kind.');
  const kinds = list.flatMap((item, index) =>
    kindsOf(item, isList(json) ? inside(place, index) : place, scope),
  );
  return { op: 'type', path, kinds: [...new Set(kinds)] };
};

function kindsOf(json: Parsed, place: Place, scope: Scope): readonly ValueKind[] {
  const name = typeof json === 'string' ? json : smallInteger(valueOf(json, place, scope));
  const kinds = name === undefined ? undefined : BY_NAME.get(name);
  if (kinds !== undefined) return kinds;
  const form = '$type takes an alias such as "string", a number of a kind, or an array of these.';
  scope.report(place, () => (typeof name === 'string' ? `${form}${offerOf(name, ALIASES)}` : form));
  return [];
}

export const TYPE: Readonly<Record<string, FieldOperator>> = { $type: read };

export const type: LeafOperator<'type'> = {
  matches: ofValues('items and array', ({ kinds }) => {
    const wanted = new Set(kinds);
    return (value) => value !== undefined && wanted.has(kindOf(value));
  }),
  // Of items, only those of an array can be arrays.
  body: ({ kinds: [only, other] }, path) => {
    if (only !== 'array' || other !== undefined) return undefined;
    const isArray = sql((row) => `${kind(row, path)} IS 'array'`);
    return { may: isArray, must: isArray };
  },
};
