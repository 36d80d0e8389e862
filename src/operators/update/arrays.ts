/** `$push`, `$addToSet`, `$pop`: add items to an array, or remove one at an end. */
import { unknownName, type Detail } from '../../domain/names.ts';
import { isParsedObject, type Parsed } from '../../domain/values/json.ts';
import { LIMITS } from '../../domain/limits.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { kindOf, type Value, isFields } from '../../domain/values/values.ts';
import { readValue, isWrapperName } from '../../domain/values/wrappers.ts';
import { faultOfName } from '../../domain/field-names.ts';
import type { Path } from '../../query/walk.ts';
import { distinct } from '../core/keys.ts';
import { inOrder, type ItemOrder } from '../core/item-order.ts';
import { longInteger, smallInteger } from '../numbers/kinds.ts';
import { UpdateRefusal, refuseUpdate, valueOf, type UpdateAt, type UpdateOperator } from './operator.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { equalValues } from '../../query/order/compare.ts';
import type { Condition } from '../filter/conditions.ts';
import { GRAMMAR } from '../filter/grammar.ts';
import { compileMatcher } from '../filter/matcher.ts';
import { isQueryOperator } from '../query/logic.ts';
import { countValues, type Run } from './run.ts';
import type { Operands } from './update.ts';

/** The array at a path; an empty one where there is none. */
function itemsOf(current: Value | undefined): readonly Value[] | UpdateRefusal {
  if (current === undefined) return [];
  if (isList(current)) return current;
  return new UpdateRefusal(`This takes an array; what stands there is of the kind ${kindOf(current)}.`);
}

/** Whether an operand has modifiers, such as `$each`, and is not a value to be taken as it is. */
function isModified(json: Parsed, modifiers: readonly string[]): boolean {
  return isParsedObject(json) && Object.keys(json).some((name) => modifiers.includes(name));
}

/** The values of `$each`, or the one value; null where there is a fault. Other modifiers are the caller's. */
function readEach(json: Parsed, at: UpdateAt, modifiers: readonly string[]): readonly Value[] | null {
  if (!isParsedObject(json) || !isModified(json, modifiers)) return [valueOf(json, at, at.place)];
  const strange = Object.keys(json).find((name) => !modifiers.includes(name));
  if (strange !== undefined) {
    const known = { what: 'modifier', where: 'here', names: modifiers };
    return refuseUpdate(at, () => unknownName(strange, known));
  }
  const each = memberOf(json, '$each');
  const place = inside(at.place, '$each');
  if (!isList(each)) return refuseUpdate({ ...at, place }, '$each takes an array.');
  return each.map((item, index) => valueOf(item, at, inside(place, index)));
}

const PUSH_MODIFIERS = ['$each', '$position', '$sort', '$slice'];

export const push: UpdateOperator<'$push'> = {
  creates: true,
  read: (json, at) => {
    const each = readEach(json, at, PUSH_MODIFIERS);
    if (each === null) return null;
    const given = isModified(json, PUSH_MODIFIERS) && isParsedObject(json) ? json : {};
    const position = readInteger(memberOf(given, '$position'), '$position', at);
    const slice = readInteger(memberOf(given, '$slice'), '$slice', at);
    const sort = readOrder(memberOf(given, '$sort'), at);
    return position === 'fault' || slice === 'fault' || sort === 'fault'
      ? null
      : { each, position, slice, sort };
  },
  apply: ({ each, position, slice, sort }, current) => {
    const items = itemsOf(current);
    if (items instanceof UpdateRefusal) return items;
    const start = placeIn(items.length, position);
    const joined = [...items.slice(0, start), ...each, ...items.slice(start)];
    const sorted = sort === null ? joined : inOrder(joined, sort);
    if (slice === null) return sorted;
    return slice < 0 ? sorted.slice(slice) : sorted.slice(0, slice);
  },
};

/** Where items come in: from the end where the position is negative. */
function placeIn(length: number, position: number | null): number {
  if (position === null) return length;
  return position < 0 ? Math.max(0, length + position) : Math.min(length, position);
}

/** An integer; null where there is none. */
function readInteger(json: Parsed | undefined, name: string, at: UpdateAt): number | null | 'fault' {
  if (json === undefined) return null;
  const place = inside(at.place, name);
  const integer = longInteger(valueOf(json, at, place));
  if (integer !== undefined) return integer;
  refuseUpdate({ ...at, place }, `${name} takes an integer.`);
  return 'fault';
}

/** 1 or -1 for the items themselves, or `{<path>: 1 | -1}`. */
function readOrder(json: Parsed | undefined, at: UpdateAt): ItemOrder | null | 'fault' {
  if (json === undefined) return null;
  return orderOf(json, at) ?? 'fault';
}

/** Null, with a fault reported, for what is no order. */
function orderOf(json: Parsed, at: UpdateAt): ItemOrder | null {
  const here = { ...at, place: inside(at.place, '$sort') };
  const direction = directionOf(json);
  if (direction !== undefined) return direction === 1 ? 'ascending' : 'descending';
  if (!isParsedObject(json) || Object.keys(json).length === 0) {
    return refuseUpdate(here, '$sort takes 1, -1, or an object of paths with 1 or -1.');
  }
  if (Object.keys(json).length > LIMITS.sortFields) {
    return refuseUpdate(here, `A sort has at most ${LIMITS.sortFields} fields.`);
  }
  const order: { readonly path: Path; readonly descending: boolean }[] = [];
  for (const [name, given] of Object.entries(json)) {
    const place = inside(here.place, name);
    const path = name.split('.');
    const fault = path.map(faultOfName).find((each) => each !== undefined);
    const sign = directionOf(given);
    if (fault !== undefined) return refuseUpdate({ ...at, place }, fault);
    if (sign === undefined) return refuseUpdate({ ...at, place }, 'A direction is 1 or -1.');
    order.push({ path, descending: sign === -1 });
  }
  return order;
}

/** 1 or -1, of any kind of numbers. */
function directionOf(json: Parsed): 1 | -1 | undefined {
  const integer = smallInteger(readValue(json, null, () => undefined));
  return integer === 1 || integer === -1 ? integer : undefined;
}

export const addToSet: UpdateOperator<'$addToSet'> = {
  creates: true,
  read: (json, at) => {
    const each = readEach(json, at, ['$each']);
    return each === null ? null : { each };
  },
  apply: ({ each }, current) => {
    const items = itemsOf(current);
    if (items instanceof UpdateRefusal) return items;
    const before = distinct(items);
    const added = [...distinct(each)].flatMap(([key, value]) => (before.has(key) ? [] : [value]));
    // What was there twice stays.
    return [...items, ...added];
  },
};

export const pop: UpdateOperator<'$pop'> = {
  creates: false,
  read: (json, at) => {
    const direction = directionOf(json);
    return direction === undefined
      ? refuseUpdate(at, '$pop takes 1 for the last item, or -1 for the first.')
      : { first: direction === -1 };
  },
  apply: ({ first }, current) => {
    if (current === undefined) return undefined;
    const items = itemsOf(current);
    if (items instanceof UpdateRefusal) return items;
    return first ? items.slice(1) : items.slice(0, -1);
  },
};

/** The field that an item is taken for where a condition is about itself: so MongoDB wraps it, too. */
const ITEM = 'item';

/** Units of work that the making of a matcher takes, and that each part of a condition takes for each value. */
const COMPILING = 4_000;
const COMPARING = 3;

export const pull: UpdateOperator<'$pull'> = {
  creates: false,
  read: (json, at) => {
    if (!isParsedObject(json) || isWrapper(json)) return { value: valueOf(json, at, at.place) };
    const faults: Place[] = [];
    const report = (place: Place, detail: Detail) => {
      faults.push(place);
      at.report(place, detail);
    };
    const read = readCondition(json, { ...at, report });
    return faults.length > 0 ? null : read;
  },
  apply: (operand, current, run) => {
    if (current === undefined) return undefined;
    const items = itemsOf(current);
    if (items instanceof UpdateRefusal) return items;
    const without =
      'value' in operand
        ? items.filter((item) => !equalValues(item, operand.value))
        : withoutMatches(items, operand, run);
    // Where nothing leaves, the array is the same.
    return without instanceof UpdateRefusal || without.length < items.length ? without : items;
  },
};

type Conditional = Extract<Operands['$pull'], { readonly condition: Condition }>;

function isWrapper(json: { readonly [name: string]: Parsed }): boolean {
  const names = Object.keys(json);
  return names.length > 0 && names.every(isWrapperName);
}

/** By its first name an object is asked of an item's fields, or of the item itself. */
function readCondition(json: { readonly [name: string]: Parsed }, at: UpdateAt): Conditional {
  const [first = ''] = Object.keys(json);
  const scope = {
    report: at.report,
    // Neither an order by distance nor a search of a document's words has a meaning here.
    within: 'negation or element',
    auditFields: false,
    once: new Set<string>(),
    grammar: GRAMMAR,
  } as const;
  if (!first.startsWith('$') || isQueryOperator(first)) {
    return { of: 'fields', condition: GRAMMAR.query(json, at.place, scope) };
  }
  return { of: 'item', condition: GRAMMAR.expression(json, [ITEM], at.place, scope) };
}

function withoutMatches(
  items: readonly Value[],
  { of, condition }: Conditional,
  run: Run,
): readonly Value[] | UpdateRefusal {
  const tooMuch = new UpdateRefusal('The condition takes too much work on this array.');
  if (!run.spend(COMPILING + COMPARING * countValues(items) * countValues(condition))) return tooMuch;
  const matches = compileMatcher(condition, { budget: run.patterns });
  const left = items.filter((item) => {
    if (of === 'item') return !matches({ [ITEM]: item });
    return !(isFields(item) && matches(item));
  });
  return run.patterns.exceeded ? tooMuch : left;
}
