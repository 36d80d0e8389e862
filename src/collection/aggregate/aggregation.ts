/**
 * Pipelines over a collection. The documents that the viewer may read stream in, in steps between which other requests
 * run; the outputs are searched like any list. An unchanged collection gives a pipeline's last result again.
 */
import pLimit from 'p-limit';
import { Lru } from '../../domain/caching/lru.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { flatten } from '../../domain/documents.ts';
import type { Fields } from '../../domain/values/values.ts';
import { AT_ONCE, LIMITS } from '../../domain/limits.ts';
import { bytesInMemory } from '../../domain/work/memory.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import type { CompiledPipeline } from '../../pipeline/pipeline.ts';
import { excessOf } from '../../operators/query/patterns.ts';
import { compile, failure } from './definition.ts';
import { InputReader, type Input } from './input-reader.ts';
import { CachedGroups } from './cached-groups.ts';
import { diagnosticsOfOutputs, ResultCache, selectOutputs, type Output } from './outputs.ts';
import { diagnosedOf, mayDiagnose } from '../search/diagnostics.ts';
import { tooLarge } from '../search/run.ts';
import {
  NOTHING_FOUND,
  type Diagnostic,
  type OutputPage,
  type AggregateRequest,
  type PackedOutputs,
} from '../rpc/results.ts';
import type { Readers } from '../storage/documents/readers.ts';
import { shareOfStep, STEP_WORK } from '../storage/steps.ts';

/** A run for which other requests wait, too. */
interface Shared {
  readonly counter: number;
  readonly made: Promise<Outcome<Made>>;
}

/** Up to this number, outputs that are asked for by their ids are made without the others. */
const FEW_IDS = 20;

/** Aggregates of which is kept that one of their outputs took a pass. */
const PASSES = 16;

export class Aggregates {
  readonly #results = new ResultCache();
  /** First come, first served. */
  readonly #limit = pLimit(AT_ONCE.pipelines);
  readonly #selecting = pLimit(AT_ONCE.pipelines);
  /** By the keys of results that are not there yet. */
  readonly #underWay = new Map<string, Shared>();
  /** The counter at which a part of the outputs, by the key of all of them, was made by a pass over all documents. */
  readonly #passed = new Lru<string, number>(PASSES);
  readonly #cached: CachedGroups;

  constructor(tables: Pick<Readers, 'dirtyRanges' | 'groups'>) {
    this.#cached = new CachedGroups(tables);
  }

  /** Runs a definition, or gives its cached result. `input` is null for a collection that never had a document. */
  async run(request: AggregateRequest, input: Input | null, inputType: string): Promise<Outcome<OutputPage>> {
    const counter = input?.state.counter ?? 0;
    const whole = keyOf(request);
    const part = partKeyOf(whole, request);
    const around = { pause: async () => input?.pause(), inTurn: this.#selecting };
    const known = this.#results.get(whole, counter) ?? (part && this.#results.get(part, counter));
    if (known) {
      const about = { counter, repeatable: true, plan: NOTHING_FOUND.plan };
      return known.ok ? answer(request, known.value, about, around) : known;
    }
    const compiled = compile(request, inputType);
    if (!compiled.ok) return compiled;
    const repeatable = compiled.value.deterministic;
    const narrow = part === null ? null : this.#narrowed(compiled.value, request, whole, counter);
    const run = async () => {
      const made = await this.#limit(() =>
        narrow === null
          ? this.#make(compiled.value, request, input, whole)
          : this.#make(narrow, request, input, null),
      );
      const isPass = !made.ok || 2 * made.value.plan.visited > (input?.state.documents ?? 0);
      if (narrow !== null && isPass) this.#passed.set(whole, counter);
      return made;
    };
    const key = narrow === null || part === null ? whole : part;
    const made = await (repeatable ? this.#share(key, counter, run) : run());
    if (!made.ok) return made;
    const { outputs, plan: explained } = made.value;
    return answer(request, outputs, { counter, repeatable, plan: explained }, around);
  }

  /** What makes the outputs that are asked for; null for what makes all of them, where that costs no more. */
  #narrowed(
    pipeline: CompiledPipeline,
    { select }: AggregateRequest,
    whole: string,
    counter: number,
  ): CompiledPipeline | null {
    if (!('ids' in select)) return null;
    // Others wait for all, the groups are kept, or another output cost as much: then the next ones cost nothing.
    const isWanted = this.#underWay.get(whole)?.counter === counter || this.#passed.get(whole) === counter;
    return isWanted || this.#cached.has(whole) ? null : pipeline.narrowed(new Set(select.ids));
  }

  /** Runs a pipeline. `key`: that of its result, where its groups may be kept. */
  async #make(
    pipeline: CompiledPipeline,
    request: AggregateRequest,
    input: Input | null,
    key: string | null,
  ): Promise<Outcome<Made>> {
    const reader = input && (await InputReader.open(pipeline, request, input));
    const groups = reader && key !== null ? await this.#groups(key, pipeline, request, reader) : null;
    // What could not be kept was passed over as far as that: patterns have the work of a whole pass once more.
    if (groups === null && reader?.isBegun === true) return this.#make(pipeline, request, input, null);
    const run = groups?.run ?? pipeline.start();
    if (groups === null) await reader?.into(run);
    reader?.teach(groups !== null);
    if (reader?.budget.exceeded === true) return failure(0, excessOf(reader.budget, 'this collection'));
    let result = run.proceed(STEP_WORK);
    while (result === undefined) {
      await input?.pause();
      result = run.proceed(STEP_WORK);
    }
    if (!result.ok && groups !== null) {
      // What is wrong, and in which stage, is told by a run over all documents.
      this.#cached.refuse(groups.key, input?.state.counter ?? 0);
      return this.#make(pipeline, request, input, null);
    }
    if (!result.ok) return failure(result.stage, result.detail);
    const outputs = await shape(pipeline, result.outputs, async () => input?.pause());
    return outputs.ok
      ? ok({ outputs: outputs.value, plan: reader?.explained(groups !== null) ?? NOTHING_FOUND.plan })
      : outputs;
  }

  /** A run over the groups of a pipeline, where these are kept. Rights are not part of what is kept. */
  async #groups(key: string, pipeline: CompiledPipeline, { viewer }: AggregateRequest, reader: InputReader) {
    const { parts } = pipeline;
    if (parts === null || viewer !== null || !reader.isBroad || !reader.input.settled) return null;
    const groups = await this.#cached.of(key, parts, reader);
    return groups && { key, run: parts.end(groups) };
  }

  /** One run serves all requests that arrive during it, and later ones. */
  #share(key: string, counter: number, begin: () => Promise<Outcome<Made>>): Promise<Outcome<Made>> {
    const other = this.#underWay.get(key);
    if (other?.counter === counter) return other.made;
    const made = begin().then((result) => {
      // If the collection changed during the run, only these requests get the result: its counter is the older one.
      this.#results.set(key, counter, result.ok ? ok(result.value.outputs) : result);
      return result;
    });
    const shared: Shared = { counter, made };
    this.#underWay.set(key, shared);
    const forget = (): void => {
      if (this.#underWay.get(key) === shared) this.#underWay.delete(key);
    };
    made.then(forget, forget);
    return made;
  }
}

/** The whole text: with a digest, somebody could construct a collision and see what another viewer may see. */
function keyOf({ outputType, pipeline, parameters, overrides, viewer, rule }: AggregateRequest): string {
  return JSON.stringify([outputType, pipeline, parameters, overrides, viewer, rule]);
}

/** The key of the outputs that are asked for alone; null where that is no better than all of them. */
function partKeyOf(whole: string, { select }: AggregateRequest): string | null {
  return 'ids' in select && select.ids.length <= FEW_IDS ? `${whole} ${JSON.stringify(select.ids)}` : null;
}

/** Which outputs the request asks for. */
async function answer(
  request: AggregateRequest,
  outputs: readonly Output[],
  about: Pick<OutputPage, 'counter' | 'repeatable' | 'plan'>,
  around: Parameters<typeof selectOutputs>[3],
): Promise<Outcome<OutputPage>> {
  const selected = await selectOutputs(outputs, request.select, request.outputType, around);
  if (!selected.ok) return selected;
  const { page, ...extent } = selected.value;
  if (page.reduce((bytes, { text }) => bytes + bytesInMemory(text), 0) > LIMITS.answer) return tooLarge();
  const diagnostics = diagnosticsOf(outputs, request, { ...extent, documents: page });
  return ok({
    ...extent,
    documents: packOutputs(page),
    ...(diagnostics !== null && { diagnostics }),
    ...about,
  });
}

/** Of all outputs: a list without a filter shows them. Null where nothing is to be said. */
function diagnosticsOf(
  outputs: readonly Output[],
  { select, rule, outputType }: AggregateRequest,
  found: Parameters<typeof diagnosedOf>[1],
): readonly Diagnostic[] | null {
  if ('ids' in select) return null;
  const seeing = { ...select, rule };
  const diagnosed = mayDiagnose(seeing) ? diagnosedOf(seeing, found) : null;
  return diagnosed && diagnosticsOfOutputs(outputs, diagnosed, outputType);
}

function packOutputs(outputs: readonly Output[]): PackedOutputs {
  const related = outputs.some(({ relationships }) => relationships.length > 0);
  return {
    ids: outputs.map(({ id }) => id),
    bodies: outputs.map(({ text }) => text),
    relationships: related ? outputs.map(({ relationships }) => relationships) : null,
  };
}

interface Made {
  readonly outputs: readonly Output[];
  readonly plan: OutputPage['plan'];
}

/** The outputs as documents, made in steps, because there may be many. */
async function shape(
  pipeline: CompiledPipeline,
  made: readonly Fields[],
  pause: () => Promise<void>,
): Promise<Outcome<readonly Output[]>> {
  const outputs: Output[] = [];
  let step = 0;
  for (const shaped of pipeline.eachDocumentOf(made)) {
    if (!shaped.ok) return failure(shaped.stage, shaped.detail);
    const { id, attributes, relationships } = shaped.document;
    const fields = flatten({ attributes, relationships });
    const text = encodeText(fields);
    outputs.push({ id, fields, relationships: Object.keys(relationships), text });
    step += shareOfStep(text.length);
    if (step < 1) continue;
    step = 0;
    await pause();
  }
  return ok(outputs);
}
