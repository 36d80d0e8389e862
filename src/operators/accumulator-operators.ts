/**
 * Our accumulators as accumulator operators of mingo. At a place of a definition one gives what begins a state for each
 * group; called with the documents of a group, as plain mingo does, it gives their result.
 */
import type { Options } from 'mingo/types';
import type { Value } from '../domain/values/values.ts';
import type { ReadAccumulator } from './accumulators/accumulator.ts';
import { ACCUMULATORS } from './accumulators/table.ts';
import { Argument, Site } from './core/dispatch.ts';
import { plainFrame, plainMeter, plainScope } from './core/plain.ts';

type AccumulatorOperator = (subject: unknown, argument: unknown, options: Options) => unknown;

export const ACCUMULATOR_OPERATORS: Readonly<Record<string, AccumulatorOperator>> = Object.fromEntries(
  Object.entries(ACCUMULATORS).map(([name, read]): [string, AccumulatorOperator] => [
    name,
    (subject, argument, options) =>
      subject instanceof Site && argument instanceof Argument
        ? read(argument.value, subject)
        : accumulate(name, read, subject as readonly Value[], argument as Value, options),
  ]),
);

function accumulate(
  name: string,
  read: ReadAccumulator,
  documents: readonly Value[],
  argument: Value,
  { context }: Options,
): unknown {
  const accumulator = read(argument, new Site(name, null, plainScope(context)));
  const state = accumulator?.start(plainMeter(), name, plainFrame(documents[0]));
  for (const document of documents) state?.add(accumulator?.operand(plainFrame(document)));
  return state?.result();
}
