/**
 * Pipelines over a collection: what the viewer may read streams in, in steps that let other requests in between, and
 * what comes out is searched like any list. An unchanged collection answers a repeated pipeline from its last result.
 */
import { decodeFields, encodeText } from '../domain/codec.ts';
import { flatten } from '../domain/documents.ts';
import { parseJson } from '../domain/json.ts';
import { LIMITS } from '../domain/limits.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import type { Viewer } from '../domain/rights.ts';
import { ObjectId, type Fields, type Value } from '../domain/values.ts';
import { readValue } from '../domain/wrappers.ts';
import { compilePipeline, type CompiledPipeline, type Definition } from '../pipeline/pipeline.ts';
import type { Condition } from '../query/filter/conditions.ts';
import { EVERYTHING } from '../query/filter/conditions.ts';
import type { FindIndex } from '../query/index/sql.ts';
import { both, plan } from '../query/plan.ts';
import type { Reader } from './records.ts';
import { ResultCache, type Output } from './result-cache.ts';
import { readableBy } from './rights.ts';
import { selectOutputs, type OutputSelection } from './outputs.ts';
import { STEP_DOCUMENTS, STEP_UNITS } from './steps.ts';

export type { OutputSelection } from './outputs.ts';

export interface AggregateRequest {
  readonly outputType: string;
  /** JSON texts: raw attributes of the definition; '' for no parameters. */
  readonly pipeline: string;
  readonly parameters: string;
  /** JSON texts by the names of parameters. */
  readonly overrides: Readonly<Record<string, string>>;
  readonly viewer: Viewer;
  readonly select: OutputSelection;
}

/** One output. Plain data: it crosses the object's RPC. */
export interface OutputDocument {
  readonly id: string;
  /** The stored encoding of attributes and relationships side by side, and which of them are relationships. */
  readonly body: string;
  readonly relationships: readonly string[];
}

export interface OutputPage {
  /** The number of the last change of the input. */
  readonly counter: number;
  readonly total: number;
  readonly documents: readonly OutputDocument[];
  readonly next: string | null;
  /** False when the same documents may give other outputs another time. */
  readonly repeatable: boolean;
  readonly plan: { readonly used: readonly string[]; readonly scan: boolean; readonly decoded: number };
}

/** What an aggregate needs of its collection. */
export interface Input {
  readonly records: Reader;
  readonly type: string;
  readonly find: FindIndex;
  readonly pause: () => Promise<void>;
  /** Resolves when the index of words may be asked, if the condition needs it. */
  readonly prepare: (condition: Condition) => Promise<void>;
}

export class Aggregates {
  readonly #results = new ResultCache();

  /** Runs a definition, or remembers what it gave. `input` is null for a collection that never had a document. */
  async run(request: AggregateRequest, input: Input | null, inputType: string): Promise<Outcome<OutputPage>> {
    const compiled = compile(request, inputType);
    if (!compiled.ok) return compiled;
    const repeatable = compiled.value.deterministic;
    const counter = input?.records.counter() ?? 0;
    // The whole text: a digest that someone can make alike would show one viewer what another may see.
    const key = JSON.stringify([
      request.outputType,
      request.pipeline,
      request.parameters,
      request.overrides,
      request.viewer,
    ]);
    const known = this.#results.get(key, counter);
    const made =
      known === undefined
        ? await make(compiled.value, request, input)
        : ok({ outputs: known, decoded: 0, used: [] });
    if (!made.ok) return made;
    const { outputs, decoded, used } = made.value;
    // A change while the pipeline ran leaves the result to this request alone: its counter is the one from before.
    if (known === undefined && repeatable) this.#results.put(key, counter, outputs);
    const selected = selectOutputs(outputs, request.select, request.outputType);
    if (!selected.ok) return selected;
    const { total, page, next } = selected.value;
    if (page.reduce((units, { size }) => units + size, 0) > LIMITS.answer) {
      return fail(
        'answer-too-large',
        'The documents of this page are too large together: ask for fewer at a time.',
      );
    }
    const documents = page.map(({ id, fields, relationships }) => ({
      id,
      body: encodeText(fields),
      relationships,
    }));
    return ok({
      counter,
      total,
      documents,
      next,
      repeatable,
      plan: { used, scan: known === undefined, decoded },
    });
  }
}

interface Made {
  readonly outputs: readonly Output[];
  readonly decoded: number;
  readonly used: readonly string[];
}

async function make(
  pipeline: CompiledPipeline,
  request: AggregateRequest,
  input: Input | null,
): Promise<Outcome<Made>> {
  const run = pipeline.start();
  let decoded = 0;
  let used: readonly string[] = [];
  if (input !== null) {
    const { records, type, find, pause } = input;
    const condition = pipeline.leading ?? EVERYTHING;
    await input.prepare(condition);
    const planned = plan(condition, null, find);
    ({ used } = planned);
    const where = both(planned.where, readableBy(request.viewer));
    let seq = 0;
    for (let more = true; more;) {
      more = false;
      let units = 0;
      let documents = 0;
      for (const { seq: position, id, body } of records.after(seq, where)) {
        seq = position;
        decoded += 1;
        const fields: Fields = { ...decodeFields(body), id: new ObjectId(id), type };
        const wanted = (planned.matches?.(fields) ?? true) ? run.push(fields) : 'more';
        if (planned.budget.exceeded) return overBudget();
        if (wanted === 'enough') break;
        units += body.length;
        documents += 1;
        if (documents === STEP_DOCUMENTS || units > STEP_UNITS) {
          more = true;
          break;
        }
      }
      if (more) await pause();
    }
  }
  const result = run.finish();
  if (!result.ok) return failure(result.stage, result.detail);
  const shaped = pipeline.documentsOf(result.outputs);
  if (!shaped.ok) return failure(shaped.stage, shaped.detail);
  const outputs = shaped.documents.map(({ id, attributes, relationships }): Output => {
    const fields = flatten({ attributes, relationships });
    return { id, fields, relationships: Object.keys(relationships), size: encodeText(fields).length };
  });
  return ok({ outputs, decoded, used });
}

function compile(request: AggregateRequest, inputType: string): Outcome<CompiledPipeline> {
  const definition: Definition = {
    inputType,
    outputType: request.outputType,
    pipeline: openText(request.pipeline),
    ...(request.parameters !== '' && { parameters: openText(request.parameters) }),
  };
  const given = new Map<string, Value>();
  for (const [name, text] of Object.entries(request.overrides)) {
    const value = readParameter(text);
    if (value === undefined) return badParameter(name, 'The parameter is no JSON value.');
    given.set(name, value);
  }
  const compiled = compilePipeline(definition, given);
  if (compiled.ok) return ok(compiled.pipeline);
  const [fault] = compiled.faults;
  const name = parameterAt(fault?.pointer ?? '', definition, [...given.keys()]);
  return badParameter(name, fault?.detail ?? 'The parameters do not fit the pipeline.');
}

/** Which of the given parameters a fault is about: the one it points to, or one that stands where it points to. */
function parameterAt(pointer: string, { pipeline }: Definition, given: readonly string[]): string {
  const [, attribute, ...steps] = pointer
    .split('/')
    .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
  if (attribute === 'parameters') return steps[0] ?? '';
  let place: Value = pipeline;
  for (const step of steps) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) break;
    place = (place as Fields)[step] ?? null;
  }
  const text = JSON.stringify(place);
  return given.find((name) => text.includes(`$$parameters.${name}`)) ?? given[0] ?? '';
}

/** A parameter of the query: JSON whose wrappers are read; undefined for what is none. */
function readParameter(text: string): Value | undefined {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  if (!parsed.ok) return undefined;
  const faults: string[] = [];
  const value = readValue(parsed.value, null, (_place, detail) => {
    faults.push(detail);
  });
  return faults.length === 0 ? value : undefined;
}

function badParameter(name: string, detail: string) {
  return fail('invalid-parameter', detail, { parameter: `parameters[${name}]` });
}

/** What only the data could show is told of its stage (decisions, section 5). */
function failure(stage: number, detail: string) {
  return fail('pipeline-failed', `Stage ${stage} of the pipeline: ${detail}`, undefined, { stage });
}

function overBudget() {
  return failure(0, 'The patterns of the filter take too much work over this collection.');
}

/** The JSON of a raw attribute, as a value whose wrappers the pipeline reads. */
function openText(text: string): Value {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  if (!parsed.ok) throw new Error('A stored pipeline is no JSON.');
  // Numbers that no value can hold were made null when the attribute was stored.
  return parsed.value as Value;
}
