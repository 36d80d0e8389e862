/**
 * The surroundings of operators that plain mingo calls with a document: limits on single values only, and faults throw.
 */
import type { Context } from 'mingo/core';
import { sentenceOf } from '../../domain/names.ts';
import type { Fields } from '../../domain/values/values.ts';
import type { Frame, Scope } from './expression.ts';
import { Meter } from './meter.ts';
import { parseExpression } from './parse.ts';

const UNBOUNDED = { work: Infinity, held: Infinity, made: Infinity };

export function plainMeter(): Meter {
  return new Meter(UNBOUNDED);
}

export function plainScope(context: Context): Scope {
  return {
    context,
    names: { expressions: [], accumulators: [] },
    report: (_place, detail) => {
      throw new TypeError(sentenceOf(detail));
    },
    parameters: {},
    variables: new Map(),
    slots: 0,
    folding: plainMeter(),
    changing: () => undefined,
    reads: () => undefined,
    provenance: () => false,
    parse: parseExpression,
  };
}

/** `subject` is what `$$ROOT` and paths begin at: a document, or any value, which has no fields then. */
export function plainFrame(subject: unknown): Frame {
  const root = (subject ?? {}) as Fields;
  return { root, slots: [], meter: plainMeter(), now: new Date(), random: Math.random };
}
