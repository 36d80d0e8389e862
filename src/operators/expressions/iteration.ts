/** `$map`, `$filter`, `$reduce` and `$let`: expressions that are evaluated with variables of their own. */
import { inside } from '../../domain/pointer.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import { declare, isNullish, NOTHING, type Expression } from '../core/expression.ts';
import { sizeOf, stop } from '../core/meter.ts';
import { isTrue } from '../numbers/kinds.ts';
import {
  listOf,
  namedArguments,
  refuseExpression,
  REQUIRED,
  type At,
  type Operator,
  type Operators,
} from '../core/operator.ts';
import { integerOf } from './arrays.ts';

/** MongoDB's names of variables. */
const VARIABLE = /^[a-z\u0080-\u{10ffff}][A-Za-z0-9_\u0080-\u{10ffff}]*$/u;

/** Tells a fault of a name that no variable may have. `parameters` would hide the parameters. */
function checkVariable(name: string, at: At): boolean {
  if ((VARIABLE.test(name) && name !== 'parameters') || name === 'CURRENT') return true;
  refuseExpression(at, `${name.slice(0, 40)} cannot be the name of a variable.`);
  return false;
}

/** The scope of an item, named by `as` or else `this`. */
function itemScope(as: Value = 'this', at: At) {
  if (typeof as !== 'string') {
    refuseExpression(at, `${at.name} takes a string as the name of a variable.`);
    return undefined;
  }
  if (!checkVariable(as, at)) return undefined;
  const { scope, slots } = declare(at.scope, [as]);
  return { scope, slot: slots[0] ?? 0 };
}

const map: Operator = (argument, at) => {
  const given = namedArguments(argument, { input: REQUIRED, as: undefined, in: REQUIRED }, at);
  const item = given && itemScope(given.as?.value, at);
  if (given === undefined || item === undefined) return NOTHING;
  const input = given.input.parse();
  const body = given.in.parse(item.scope);
  const evaluate: Expression['evaluate'] = (frame) => {
    const list = input.evaluate(frame);
    if (isNullish(list)) return null;
    const made: Value[] = [];
    const checkpoint = frame.meter.checkpoint();
    let size = 0;
    for (const each of listOf(list, at.name, 'an array as input')) {
      frame.meter.spend(1);
      frame.slots[item.slot] = each;
      const value = body.evaluate(frame) ?? null;
      made.push(value);
      size += 16 + sizeOf(value);
      frame.meter.rewind(checkpoint, size);
    }
    return frame.meter.admit(made);
  };
  return { evaluate, constant: null };
};

const filter: Operator = (argument, at) => {
  const names = { input: REQUIRED, as: undefined, cond: REQUIRED, limit: undefined } as const;
  const given = namedArguments(argument, names, at);
  const item = given && itemScope(given.as?.value, at);
  if (given === undefined || item === undefined) return NOTHING;
  const input = given.input.parse();
  const condition = given.cond.parse(item.scope);
  const limit = given.limit?.parse();
  const evaluate: Expression['evaluate'] = (frame) => {
    const list = input.evaluate(frame);
    if (isNullish(list)) return null;
    const items = listOf(list, at.name, 'an array as input');
    if (items.length === 0) return items;
    const most = limit?.evaluate(frame);
    const count = isNullish(most) ? Infinity : integerOf(most, at.name, 'limit');
    if (count < 1) return stop(`${at.name} takes a limit above zero.`);
    const kept: Value[] = [];
    for (const each of items) {
      if (kept.length >= count) break;
      frame.meter.spend(1);
      frame.slots[item.slot] = each;
      const checkpoint = frame.meter.checkpoint();
      if (isTrue(condition.evaluate(frame))) kept.push(each);
      frame.meter.rewind(checkpoint, 0);
    }
    return frame.meter.admit(kept);
  };
  return { evaluate, constant: null };
};

const reduce: Operator = (argument, at) => {
  const given = namedArguments(argument, { input: REQUIRED, initialValue: REQUIRED, in: REQUIRED }, at);
  if (given === undefined) return NOTHING;
  const { scope, slots } = declare(at.scope, ['value', 'this']);
  const [valueSlot = 0, itemSlot = 0] = slots;
  const input = given.input.parse();
  const initial = given.initialValue.parse();
  const body = given.in.parse(scope);
  const evaluate: Expression['evaluate'] = (frame) => {
    const list = input.evaluate(frame);
    if (isNullish(list)) return null;
    let value = initial.evaluate(frame);
    const checkpoint = frame.meter.checkpoint();
    for (const each of listOf(list, at.name, 'an array as input')) {
      frame.meter.spend(1);
      frame.slots[itemSlot] = each;
      frame.slots[valueSlot] = value;
      value = body.evaluate(frame);
      // What led to the value is garbage now, former values too.
      frame.meter.rewind(checkpoint, sizeOf(value));
    }
    return value;
  };
  return { evaluate, constant: null };
};

const bind: Operator = (argument, at) => {
  const given = namedArguments(argument, { vars: REQUIRED, in: REQUIRED }, at);
  if (given === undefined) return NOTHING;
  const { value: vars, place } = given.vars;
  if (!isFields(vars)) return refuseExpression(at, `${at.name} takes an object as vars.`);
  const names = Object.keys(vars);
  if (names.map((name) => checkVariable(name, at)).includes(false)) return NOTHING;
  // Variables do not see one another: each is read in the scope around.
  const values = names.map((name) => at.scope.parse(vars[name] ?? null, inside(place, name), at.scope));
  const { scope, slots } = declare(at.scope, names);
  const body = given.in.parse(scope);
  const evaluate: Expression['evaluate'] = (frame) => {
    frame.meter.spend(1);
    const worked = values.map((value) => value.evaluate(frame));
    worked.forEach((value, index) => {
      frame.slots[slots[index] ?? 0] = value;
    });
    return body.evaluate(frame);
  };
  return { evaluate, constant: null };
};

export const ITERATION: Operators = { $map: map, $filter: filter, $reduce: reduce, $let: bind };
