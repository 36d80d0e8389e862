/**
 * Makes operators: each is a small function in a table. The forms of arguments (a list, named ones) are read here
 * for all.
 */
import { hintOf, shownName, type Detail } from '../../domain/names.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { isFields, type Value } from '../../domain/values/values.ts';
import {
  composed,
  constant,
  isNullish,
  NOTHING,
  type Expression,
  type Frame,
  type Scope,
} from './expression.ts';
import { isCaught, stop, type Operand } from './meter.ts';
import { aliasOf } from '../numbers/kinds.ts';
import { memberOf, isList } from '../../domain/values/tree.ts';

export interface At {
  /** As it was written, `$add`. */
  readonly name: string;
  readonly place: Place;
  readonly scope: Scope;
}

export type Operator = (argument: Value, at: At) => Expression;

export type Operators = Readonly<Record<string, Operator>>;

/** Applies an operator to its operands. It may stop the run by a value it cannot take. */
export type Apply = (operands: readonly Operand[], frame: Frame, name: string) => Operand;

export interface Options {
  /** The work does not grow with the size of the operands. */
  readonly cheap?: boolean;
  /** Of named operands, what a constant is looked at by when it is written: it stops by one that no run could take. */
  readonly checks?: Checks;
}

/** Among the constants are those of the other operands. */
type Check = (value: Value, name: string, frame: Frame, constants: Record<string, Operand>) => unknown;
export type Checks = Readonly<Record<string, Check>>;

/** Reports a fault of an operator and returns a constant in its place. */
export function refuseExpression(at: At, detail: Detail): Expression {
  at.scope.report(at.place, detail);
  return NOTHING;
}

/** Operands in a list; a single one needs no list. */
export function positional(min: number, max: number, apply: Apply, options: Options = {}): Operator {
  return listed(min, max, (operands, at) => call(operands, apply, at, options));
}

function listed(
  min: number,
  max: number,
  read: (operands: readonly Expression[], at: At) => Expression,
): Operator {
  return (argument, at) => {
    const operands = readList(argument, at);
    if (operands.length >= min && operands.length <= max) return read(operands, at);
    return refuseExpression(at, `${at.name} takes ${arity(min, max)}, not ${operands.length}.`);
  };
}

/**
 * Operands that are looked at one after the other: the first that is null or missing makes null, the first that `take`
 * cannot take is the fault. What comes behind is not evaluated (MongoDB).
 */
export function inTurn<T extends Value>(
  min: number,
  max: number,
  take: (value: Value, name: string, before: readonly T[]) => T,
  apply: (taken: readonly T[], frame: Frame, name: string) => Operand,
): Operator {
  return listed(min, max, (operands, { name, place, scope }) => {
    const evaluate = (frame: Frame): Operand => {
      const taken: T[] = [];
      for (const operand of operands) {
        const value = operand.evaluate(frame);
        frame.meter.spendOn([value]);
        if (isNullish(value)) return null;
        taken.push(take(value, name, taken));
      }
      return frame.meter.admit(apply(taken, frame, name));
    };
    return composed(evaluate, operands, place, scope);
  });
}

/** The expressions of a list; any other value counts as a list of one. */
export function readList(argument: Value, { place, scope }: At): readonly Expression[] {
  if (!isList(argument)) return [scope.parse(argument, place, scope)];
  return argument.map((item, index) => scope.parse(item, inside(place, index), scope));
}

function arity(min: number, max: number): string {
  const count = (number: number) => `${number} operand${number === 1 ? '' : 's'}`;
  if (min === max) return count(min);
  return max === Infinity ? `at least ${count(min)}` : `${min} to ${count(max)}`;
}

export function unary(
  apply: (operand: Operand, frame: Frame, name: string) => Operand,
  options?: Options,
): Operator {
  return positional(1, 1, ([operand], frame, name) => apply(operand, frame, name), options);
}

/** Two operands; null where one of them is null or missing. */
export function binary(
  apply: (a: Value, b: Value, frame: Frame, name: string) => Operand,
  options?: Options,
): Operator {
  return positional(
    2,
    2,
    ([a, b], frame, name) => (isNullish(a) || isNullish(b) ? null : apply(a, b, frame, name)),
    options,
  );
}

/** An argument's name with its default value, or `REQUIRED`. */
export type Names = Readonly<Record<string, Operand | typeof REQUIRED>>;
export const REQUIRED = Symbol('required');

/** Operands by name, in an object. They come to `apply` in the order of `names`. */
export function named(names: Names, apply: Apply, options: Options = {}): Operator {
  return (argument, at) => {
    const operands = readNamed(argument, names, at);
    if (operands === undefined) return NOTHING;
    checkConstants(Object.keys(names), operands, options.checks ?? {}, at);
    return call(operands, apply, at, options);
  };
}

/** Whether an operand is given. */
export type Has = (name: string) => boolean;

/**
 * Operands by name, of which the first is converted. `onNull` stands in for null, and `onError`, if given, for what
 * `convert` stops at; neither is evaluated otherwise. `prepare` takes the other operands, whose faults nothing hides.
 */
export function converting<T>(
  names: Names,
  prepare: (others: readonly Operand[], frame: Frame, name: string, has: Has) => T,
  convert: (input: Value, prepared: T, frame: Frame, name: string) => Operand,
  checks: Checks,
): Operator {
  return (argument, at) => {
    const read = readNamed(argument, { ...names, onNull: null }, at);
    if (read === undefined) return NOTHING;
    checkConstants(Object.keys(names), read, checks, at);
    const has: Has = (name) => isFields(argument) && Object.hasOwn(argument, name);
    const [onNull = NOTHING, onError = NOTHING] = read.toReversed();
    const operands = read.slice(0, Object.hasOwn(names, 'onError') ? -2 : -1);
    const evaluate = (frame: Frame): Operand => {
      const values = operands.map((operand) => operand.evaluate(frame));
      frame.meter.spendOn(values);
      const [input, ...others] = values;
      const prepared = prepare(others, frame, at.name, has);
      if (isNullish(input)) return onNull.evaluate(frame);
      try {
        return frame.meter.admit(convert(input, prepared, frame, at.name));
      } catch (error) {
        if (!has('onError') || !isCaught(error, frame.meter)) throw error;
        return onError.evaluate(frame);
      }
    };
    return composed(evaluate, read, at.place, at.scope);
  };
}

/** Where all operands are literal, `call` finds what is wrong with them. */
function checkConstants(
  names: readonly string[],
  operands: readonly Expression[],
  checks: Checks,
  at: At,
): void {
  if (operands.every(({ constant }) => constant?.literal === true)) return;
  const literals = operands.map(({ constant }) => (constant?.literal === true ? constant.value : undefined));
  const constants = Object.fromEntries(names.map((name, index) => [name, literals[index]]));
  for (const [name, check] of Object.entries(checks)) {
    const value = constants[name];
    if (isNullish(value)) continue;
    const evaluate = (frame: Frame) => void check(value, at.name, frame, constants);
    composed(evaluate, [], inside(at.place, name), at.scope);
  }
}

/** The expressions of named operands in the order of `names`, or undefined when it reported a fault. */
export function readNamed(argument: Value, names: Names, at: At): readonly Expression[] | undefined {
  const given = namedArguments(argument, names, at);
  if (given === undefined) return undefined;
  return Object.entries(names).map(
    ([name, fallback]) => given[name]?.parse() ?? constant(fallback === REQUIRED ? undefined : fallback),
  );
}

/** A named operand as it was written, and its place. */
export interface Argument extends At {
  readonly value: Value;
  /** The expression that it is: in the scope of the operator, or in another. */
  readonly parse: (scope?: Scope) => Expression;
}

type Arguments<Of extends Names> = {
  readonly [Name in keyof Of]: Of[Name] extends typeof REQUIRED ? Argument : Argument | undefined;
};

/** Named operands as they were written; undefined when it reported a fault. */
export function namedArguments<const Of extends Names>(
  argument: Value,
  names: Of,
  at: At,
): Arguments<Of> | undefined {
  const known = Object.keys(names);
  if (!isFields(argument)) {
    refuseExpression(at, `${at.name} takes an object with ${known.join(', ')}.`);
    return undefined;
  }
  let faulty = false;
  for (const name of Object.keys(argument)) {
    if (Object.hasOwn(names, name)) continue;
    at.scope.report(
      inside(at.place, name),
      () => `${at.name} does not know ${shownName(name)}.${hintOf(name, known)}`,
    );
    faulty = true;
  }
  const given = Object.entries(names).map(([name, fallback]) => {
    const value = memberOf(argument, name);
    if (value === undefined && fallback === REQUIRED) {
      refuseExpression(at, `${at.name} needs ${name}.`);
      faulty = true;
    }
    const place = inside(at.place, name);
    const parse: Argument['parse'] = (scope = at.scope) => scope.parse(value ?? null, place, scope);
    return [name, value === undefined ? undefined : { name: at.name, place, scope: at.scope, value, parse }];
  });
  // Without a fault, what is required is there.
  return faulty ? undefined : (Object.fromEntries(given) as Arguments<Of>);
}

/** The expression that applies an operator to its operands, metered. */
export function call(
  operands: readonly Expression[],
  apply: Apply,
  at: At,
  { cheap = false }: Options = {},
): Expression {
  const { name } = at;
  const evaluate = (frame: Frame): Operand => {
    const values = operands.map((operand) => operand.evaluate(frame));
    if (cheap) frame.meter.spend(1);
    else frame.meter.spendOn(values);
    return frame.meter.admit(apply(values, frame, name));
  };
  return composed(evaluate, operands, at.place, at.scope);
}

export function listOf(value: Operand, name: string, what = 'an array'): readonly Value[] {
  if (value !== undefined && isList(value)) return value;
  return stop(`${name} takes ${what}, not ${describeOperand(value)}.`);
}

/** One of several arrays. */
export function arrayOf(value: Value, name: string): readonly Value[] {
  return listOf(value, name, 'arrays');
}

export function stringOf(value: Operand, name: string, what = 'a string'): string {
  if (typeof value === 'string') return value;
  return stop(`${name} takes ${what}, not ${describeOperand(value)}.`);
}

/** The kind of an operand for a message: never its value, which may be secret or long. */
export function describeOperand(value: Operand): string {
  return `a value of kind ${aliasOf(value)}`;
}
