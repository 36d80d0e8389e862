/**
 * How mingo finds and calls operators, through its `Context`, once for each place of a definition. There an operator
 * returns a closure over documents: mingo's own evaluation interprets an expression anew for each document, at some
 * three times the cost.
 */
import { evalExpr, OpType, type Context } from 'mingo/core';
import type { Options } from 'mingo/types';
import type { Place } from '../../domain/pointer.ts';
import type { Value } from '../../domain/values/values.ts';
import type { Accumulator } from '../accumulators/accumulator.ts';
import { CarriedOperand } from '../operand.ts';
import type { Expression, Scope } from './expression.ts';
import type { At } from './operator.ts';

/** The value under the name of an operator, as it was written. */
export class Argument extends CarriedOperand<Value> {}

/** The place of an operator. It replaces mingo's object: an operator that gets one reads now and evaluates later. */
export class Site implements At {
  readonly name: string;
  readonly place: Place;
  readonly scope: Scope;

  constructor(name: string, place: Place, scope: Scope) {
    this.name = name;
    this.place = place;
    this.scope = scope;
  }
}

/** The expression that an operator makes of its argument; undefined where the context has no such operator. */
export function readOperator(argument: Value, at: Site): Expression | undefined {
  const { context } = at.scope;
  if (context.getOperator(OpType.EXPRESSION, at.name) === null) return undefined;
  // What our operators answer at a site; mingo hands it through as it is.
  return evalExpr(at, { [at.name]: new Argument(argument) }, optionsOf(context)) as Expression;
}

/** The same for an accumulator; null when it reported a fault. */
export function readAccumulator(argument: Value, at: Site): Accumulator | null | undefined {
  const { context } = at.scope;
  const operator = context.getOperator(OpType.ACCUMULATOR, at.name);
  if (operator === null) return undefined;
  return (operator(at, new Argument(argument), optionsOf(context)) as Accumulator | undefined) ?? null;
}

/** mingo fills in the rest. */
function optionsOf(context: Context): Options {
  const options: Pick<Options, 'context'> = { context };
  return options as Options;
}
