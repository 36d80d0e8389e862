/**
 * Our stages as pipeline operators of mingo, under our names and under MongoDB's. A definition's stages come read; a plain
 * argument, as somebody writes it for plain mingo, is read here, and throws where a definition would be refused.
 */
import { $skip } from 'mingo/operators/pipeline';
import type { Options } from 'mingo/types';
import type { Value } from '../domain/values/values.ts';
import { plainMeter, plainScope } from './core/plain.ts';
import { orderOf, readFilter, startFilter } from './stages/filter.ts';
import { Flow, type Documents } from './stages/flow.ts';
import { bucketAuto } from './stages/bucket-auto.ts';
import { bucket } from './stages/bucket.ts';
import { group } from './stages/group.ts';
import { project } from './stages/project.ts';
import { setWindowFields } from './stages/set-window-fields.ts';
import { limit, sample } from './stages/slice.ts';
import { plainSort, startOrder } from './stages/sort.ts';
import { StageOperand, type At, type ReadStage, type Run, type StageRun } from './stages/stage.ts';
import { startOf } from './stages/table.ts';
import { unwind } from './stages/unwind.ts';

type PipelineOperator = (input: Documents, argument: unknown, options: Options) => Documents;

/** The variable in which a run reaches the stages. */
const RUN = 'run';

export function variablesOf(run: Run): Readonly<Record<string, unknown>> {
  return { [RUN]: run };
}

/** A stage with what begins it when its argument is a plain one. */
function operator(plain: PipelineOperator): PipelineOperator {
  return (input, argument, options) => {
    if (!(argument instanceof StageOperand)) return plain(input, argument, options);
    const { start, index } = argument.value;
    // Definitions run with the variables of `variablesOf`, and nobody else has such an operand.
    return start(input, { ...(options.variables?.[RUN] as Run), context: options.context, index });
  };
}

function atOf(name: string, { context }: Options): At {
  // Under MongoDB's names documents are MongoDB's.
  return { name, place: null, scope: plainScope(context), idKey: name.startsWith('$') ? '_id' : 'id' };
}

function freeRun({ context }: Options): StageRun {
  return { context, meter: plainMeter(), flow: Flow.free(), now: new Date(), random: Math.random, index: 0 };
}

function step(name: string, read: ReadStage): PipelineOperator {
  return operator((input, argument, options) => {
    const stage = read(argument as Value, atOf(name, options));
    return stage === null || stage.kind === 'skip'
      ? input
      : startOf(stage, Infinity)(input, freeRun(options));
  });
}

function filter(name: string): PipelineOperator {
  return operator((input, argument, options) => {
    const condition = readFilter(argument as Value, atOf(name, options), new Set());
    if (condition === null) return input;
    const order = orderOf(condition);
    const found = startFilter(condition)(input, freeRun(options));
    return order === undefined ? found : startOrder(order, Infinity)(found, freeRun(options));
  });
}

/** Each of our stages under our name and under MongoDB's. */
function both(name: string, read: ReadStage): Readonly<Record<string, PipelineOperator>> {
  return { [name]: step(name, read), [`$${name}`]: step(`$${name}`, read) };
}

export const PIPELINE_OPERATORS: Readonly<Record<string, PipelineOperator>> = {
  filter: filter('filter'),
  $match: filter('$match'),
  skip: $skip as PipelineOperator,
  $skip: $skip as PipelineOperator,
  ...both('sort', plainSort),
  ...both('limit', limit),
  ...both('sample', sample),
  ...both('unwind', unwind),
  ...both('group', group),
  ...both('bucket', bucket),
  ...both('bucketAuto', bucketAuto),
  ...both('setWindowFields', setWindowFields),
  ...both('project', project),
};
