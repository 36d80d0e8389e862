/**
 * A parsed expression: a closure over the values of one document. What needs no document is computed when it is read.
 */
import type { Context } from 'mingo/core';
import type { Fields, Value } from '../../domain/values/values.ts';
import type { Detail } from '../../domain/names.ts';
import type { Place } from '../../domain/pointer.ts';
import { Stop, type Meter, type Operand } from './meter.ts';

/** The values for evaluating an expression. */
export interface Frame {
  root: Fields;
  /** The variables in scope, each at the place that was given to it when the expression was read. */
  readonly slots: Operand[];
  readonly meter: Meter;
  readonly now: Date;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

export interface Expression {
  readonly evaluate: (frame: Frame) => Operand;
  /** Its value, where no document can change it. */
  readonly constant: Constant | null;
  /** The path of the document at which its value is, where it is nothing but that. */
  readonly path?: readonly string[];
}

interface Constant {
  readonly value: Operand;
  /** False when a parameter has part in it: another request may give it another value. */
  readonly literal: boolean;
}

/** The names of the operators of a context, which a context itself does not tell. */
export interface OperatorNames {
  readonly expressions: readonly string[];
  readonly accumulators: readonly string[];
}

/** State that a definition's expressions share while they are read. A fault never stops the reading. */
export interface Scope {
  readonly context: Context;
  readonly names: OperatorNames;
  readonly report: (place: Place, detail: Detail) => void;
  /** `$$parameters`: the defaults, and in their place what a request gave. */
  readonly parameters: Fields;
  /** The slots of the variables that may be named here. */
  readonly variables: ReadonlyMap<string, number>;
  readonly slots: number;
  /** The budget for constants. It is small; constants beyond it are computed when the pipeline runs. */
  readonly folding: Meter;
  /** Told when an answer depends on more than documents and parameters: on the clock or on chance. */
  readonly changing: () => void;
  /** Takes the name of each field of the document that an expression reads; null means all fields. */
  readonly reads: (field: string | null) => void;
  /** Whether documents are stored ones still, of which the service knows more (domain/audit-fields.ts). */
  readonly auditFields: () => boolean;
  /** Reads an expression; handed down so that operators need not know the table they are in. */
  readonly parse: (value: Value, place: Place, scope: Scope) => Expression;
}

export function constant(value: Operand, literal = true): Expression {
  return { evaluate: () => value, constant: { value, literal } };
}

/** Stands in for an expression with a fault. */
export const NOTHING: Expression = { evaluate: () => undefined, constant: null };

/** The scope with further variables, and the slots they have. */
export function declare(scope: Scope, names: readonly string[]) {
  const variables = new Map(scope.variables);
  const slots = names.map((_, index) => scope.slots + index);
  names.forEach((name, index) => variables.set(name, scope.slots + index));
  return { scope: { ...scope, variables, slots: scope.slots + names.length }, slots };
}

/**
 * An expression made of others. With constants alone it is worked out now; when that fails, the definition is at
 * fault, unless a parameter is involved.
 */
export function composed(
  evaluate: (frame: Frame) => Operand,
  parts: readonly Expression[],
  place: Place,
  scope: Scope,
): Expression {
  const constants = parts.flatMap((part) => part.constant ?? []);
  if (constants.length < parts.length || scope.folding.left <= 0) return { evaluate, constant: null };
  const literal = constants.every((each) => each.literal);
  const frame: Frame = { root: {}, slots: [], meter: scope.folding, now: new Date(0), random: () => 0 };
  try {
    const value = scope.folding.transiently(() => evaluate(frame));
    return { evaluate: () => value, constant: { value, literal } };
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    if (literal && !error.overBudget) scope.report(place, error.message);
    return { evaluate, constant: null };
  }
}

/** True for null and for a missing value: most operators answer null for either. */
export function isNullish(value: Operand): value is null | undefined {
  return value === null || value === undefined;
}
