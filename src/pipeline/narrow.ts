/**
 * The part of a pipeline that makes a few chosen outputs. If a stage groups them, their ids go down to it, and, if it
 * groups by a path of the documents, to the read of the documents.
 */
import { parseDecimal } from '../domain/values/decimal.ts';
import { doubleOf, integerOf, ObjectId, type Value } from '../domain/values/values.ts';
import { keyOfOperand } from '../operators/core/keys.ts';
import type { Condition } from '../operators/filter/conditions.ts';
import { allOf } from '../operators/filter/scope.ts';
import type { FieldPath, Groups, Stage } from '../operators/stages/stage.ts';
import type { Placed, ReadPipeline } from './read.ts';

/**
 * A pipeline that gives the outputs of these ids as the whole does and in its order, and perhaps others; null where
 * only the whole does. Equal values of several kinds are one group, whose id is that of the first document.
 */
export function narrowed(read: ReadPipeline, ids: ReadonlySet<string>): ReadPipeline | null {
  const at = read.stages.findLastIndex(({ stage }) => groupsOf(stage) !== undefined);
  const placed = read.stages[at];
  const groups = placed && groupsOf(placed.stage);
  if (placed?.stage.kind !== 'step' || groups === undefined) return null;
  if (!read.stages.slice(at + 1).every(({ stage }) => keepsIds(stage))) return null;
  const values = valuesOf(ids);
  if (values === null) return null;
  const start = groups.only(new Set(values.map(keyOfOperand)));
  const stages = read.stages.with(at, { ...placed, stage: { ...placed.stage, start } });
  const source = groups.path && sourceOf(read.stages.slice(0, at), groups.path);
  if (source === null) return { ...read, stages };
  // It holds of a value in an array, too: the stage decides.
  const condition: Condition = { op: 'in', path: source, values, patterns: [] };
  return { ...read, stages, leading: read.leading === null ? condition : allOf([read.leading, condition]) };
}

function groupsOf(stage: Stage): Groups | undefined {
  return stage.kind === 'step' ? stage.groups : undefined;
}

function keepsIds(stage: Stage): boolean {
  return stage.kind === 'sort' || (stage.kind === 'step' && stage.keepsIds === true);
}

/** The path of the input that a path behind some stages is; null where one of them changes what is there. */
function sourceOf(stages: readonly Placed[], path: FieldPath): FieldPath | null {
  return stages.reduceRight<FieldPath | null>((at, { stage }) => {
    if (at === null || stage.kind === 'sort') return at;
    return stage.kind === 'step' ? (stage.sourceOf?.(at) ?? null) : null;
  }, path);
}

/** Texts of values that are no scalars, and of numbers without JSON: they say too little. */
const UNSURE = /^(?:[[{]|-?(?:NaN|Inf))/;

/** The values that may become one of some ids; null where they cannot be listed. */
function valuesOf(ids: ReadonlySet<string>): readonly Value[] | null {
  const all = [...ids];
  return all.some((id) => UNSURE.test(id)) ? null : all.flatMap(valuesOfOne);
}

function valuesOfOne(id: string): readonly Value[] {
  const date = new Date(id);
  return [
    id,
    ...(id === 'null' ? [null] : []),
    ...(id === 'true' || id === 'false' ? [id === 'true'] : []),
    ...(/^[0-9a-f]{24}$/.test(id) ? [new ObjectId(id)] : []),
    ...(!Number.isNaN(date.getTime()) && date.toISOString() === id ? [date] : []),
    ...numbersOf(id),
  ];
}

/** Kinds of numbers are equal where they are the same number: a double is rarely the decimal of its digits. */
function numbersOf(id: string): readonly Value[] {
  const integer = /^-?\d{1,19}$/.test(id) ? integerOf(BigInt(id)) : undefined;
  if (typeof integer === 'number') return [integer];
  const exact = integer ?? parseDecimal(id);
  if (exact === undefined) return [];
  const double = Number(id);
  return [exact, ...(Number.isFinite(double) ? [doubleOf(double)] : [])];
}
