/** `$zip`: arrays side by side. Faults of its definition are refused before any document is read. */
import { inside } from '../../domain/pointer.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import { isNullish } from '../core/expression.ts';
import { stop } from '../core/meter.ts';
import { listOf, named, refuseExpression, REQUIRED, type Operator } from '../core/operator.ts';
import { memberOf, isList } from '../../domain/values/tree.ts';

const NOT_BOOLEAN = 'true or false as useLongestLength';
const NOT_LIST = 'an array as defaults';
const WITHOUT_LONGEST = 'defaults only with useLongestLength';
const OTHER_LENGTH = 'one default for each array';

export const zip: Operator = (argument, at) => {
  if (isFields(argument)) {
    const [name, detail] = faultOf(argument) ?? [];
    if (name !== undefined) {
      return refuseExpression({ ...at, place: inside(at.place, name) }, `${at.name} takes ${detail}.`);
    }
  }
  return zipped(argument, at);
};

/** The argument that is wrong as it is written, and what it would have to be. */
function faultOf(argument: Readonly<Record<string, Value>>): readonly [string, string] | undefined {
  const inputs = memberOf(argument, 'inputs');
  const longest = memberOf(argument, 'useLongestLength');
  const defaults = memberOf(argument, 'defaults');
  if (longest !== undefined && typeof longest !== 'boolean' && !isComputed(longest)) {
    return ['useLongestLength', NOT_BOOLEAN];
  }
  if (defaults === undefined || isComputed(defaults)) return undefined;
  if (!isList(defaults)) return ['defaults', NOT_LIST];
  if (defaults.length === 0) return undefined;
  if (longest === undefined || longest === false) return ['defaults', WITHOUT_LONGEST];
  const differs = inputs !== undefined && isList(inputs) && inputs.length !== defaults.length;
  return differs ? ['defaults', OTHER_LENGTH] : undefined;
}

/** A path, a variable or an operator: only documents and parameters tell its value. */
function isComputed(value: Value): boolean {
  return typeof value === 'string' ? value.startsWith('$') : isFields(value);
}

const zipped = named(
  { inputs: REQUIRED, useLongestLength: false, defaults: undefined },
  ([inputs, longest, fill], frame, name) => {
    if (typeof longest !== 'boolean') return stop(`${name} takes ${NOT_BOOLEAN}.`);
    const fills = isNullish(fill) ? [] : listOf(fill, name, NOT_LIST);
    if (fills.length > 0 && !longest) return stop(`${name} takes ${WITHOUT_LONGEST}.`);
    if (isNullish(inputs)) return null;
    const lists = listOf(inputs, name, 'an array of arrays as inputs');
    if (lists.length === 0) return stop(`${name} takes at least one array.`);
    if (fills.length > 0 && fills.length !== lists.length) return stop(`${name} takes ${OTHER_LENGTH}.`);
    const arrays: (readonly Value[])[] = [];
    for (const list of lists) {
      if (isNullish(list)) return null;
      arrays.push(listOf(list, name, 'an array of arrays as inputs'));
    }
    const lengths = arrays.map(({ length }) => length);
    const length = longest ? Math.max(...lengths) : Math.min(...lengths);
    frame.meter.expect(length * (32 + 16 * arrays.length));
    frame.meter.spend(length * arrays.length);
    return Array.from({ length }, (_, index) =>
      arrays.map((array, which): Value => (index < array.length ? array[index] : fills[which]) ?? null),
    );
  },
);
