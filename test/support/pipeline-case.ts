/**
 * The form of a pipeline case: documents and definition as a client sends them, and what must come back. Plain data
 * that knows nothing of the code, so that the same cases run on the pipeline alone and through HTTP.
 */
import type { Sent } from './sent.ts';

export { date, decimal, list, long, oid, raw, type Sent } from './sent.ts';

export interface PipelineCase {
  /** The stage, accumulator or operator that the case is about. */
  readonly group: string;
  /** A sentence naming the behaviour. */
  readonly behaviour: string;
  /** The attributes of each document, as JSON text of a request, in the order of their ids. */
  readonly documents: readonly string[];
  /** The `pipeline` of the definition, as JSON text of a request. */
  readonly pipeline: string;
  /** Its `parameters`, or null. */
  readonly parameters: string | null;
  readonly expect:
    /** The outputs as JSON text of their attributes as answers show them, with `id` where it is looked at. */
    | { readonly outputs: readonly string[] }
    /** Refused when written, with a fault at this pointer. */
    | { readonly refused: string }
    /** Failing when read, at this stage. */
    | { readonly fails: number };
}

class Refused {
  readonly pointer: string;
  constructor(pointer: string) {
    this.pointer = pointer;
  }
}

class Failing {
  readonly stage: number;
  constructor(stage: number) {
    this.stage = stage;
  }
}

/** Instead of outputs: the definition is refused, with a fault at a pointer. */
export function refused(pointer: string): Refused {
  return new Refused(pointer);
}

/** Instead of outputs: reading fails at a stage. */
export function fails(stage = 0): Failing {
  return new Failing(stage);
}

/** Instead of a value: there is none. */
export const MISSING = Symbol('missing');

type Expected = readonly Sent[] | Refused | Failing;

/** One row: a sentence, the pipeline, and what comes out. */
export type Row = readonly [
  behaviour: string,
  pipeline: readonly Sent[],
  expected: Expected,
  parameters?: Sent,
];

/** The cases of a group that share their documents. */
export function cases(group: string, documents: readonly Sent[], rows: readonly Row[]): PipelineCase[] {
  const texts = documents.map((each) => JSON.stringify(each));
  return rows.map(([behaviour, pipeline, expected, parameters]) => ({
    group,
    behaviour,
    documents: texts,
    pipeline: JSON.stringify(pipeline),
    parameters: parameters === undefined ? null : JSON.stringify(parameters),
    expect: expectOf(expected),
  }));
}

function expectOf(expected: Expected): PipelineCase['expect'] {
  if (expected instanceof Refused) return { refused: expected.pointer };
  if (expected instanceof Failing) return { fails: expected.stage };
  return { outputs: expected.map((each) => JSON.stringify(each)) };
}

/** One row: a sentence, an expression, and its value, `MISSING`, `refused` below the expression, or `fails`. */
export type ExpressionRow = readonly [behaviour: string, expression: Sent, value: Sent];

/** The cases of an operator, each evaluated once for one document. Pointers are relative to the expression. */
export function expressions(group: string, document: Sent, rows: readonly ExpressionRow[]): PipelineCase[] {
  return rows.flatMap(([behaviour, expression, value]) =>
    cases(group, [document], [[behaviour, [{ project: { value: expression } }], valueOf(value)]]),
  );
}

function valueOf(value: Sent): Expected {
  if (value instanceof Failing) return value;
  if (value instanceof Refused) return new Refused(`/pipeline/0/project/value${value.pointer}`);
  return value === MISSING ? [{}] : [{ value }];
}

/** One row: a sentence, an accumulator, and the value of the one group of all documents. */
export function accumulators(
  group: string,
  documents: readonly Sent[],
  rows: readonly ExpressionRow[],
): PipelineCase[] {
  return rows.flatMap(([behaviour, accumulator, value]) => {
    const expected =
      value instanceof Refused ? new Refused(`/pipeline/0/group/value${value.pointer}`) : valueOf(value);
    return cases(group, documents, [[behaviour, [{ group: { value: accumulator } }], expected]]);
  });
}

/** Rows of the operator that the group is named after: its arguments alone, and pointers below it. */
const underName =
  <Documents>(
    table: (group: string, documents: Documents, rows: readonly ExpressionRow[]) => PipelineCase[],
  ) =>
  (group: string, documents: Documents, rows: readonly ExpressionRow[]): PipelineCase[] =>
    table(
      group,
      documents,
      rows.map(([behaviour, argument, value]) => [
        behaviour,
        { [group]: argument },
        value instanceof Refused ? new Refused(`/${group}${value.pointer}`) : value,
      ]),
    );

export const operator = underName(expressions);
export const accumulator = underName(accumulators);
