/** The input of an aggregate on its way to the pipeline: the documents that may be seen, without what may not. */
import type { Viewer } from '../../domain/rights.ts';
import { isAllSeen, isUnseen, type Unseen } from '../../domain/rules.ts';
import { hiddenFromPipelines } from '../../domain/secrets.ts';
import type { Fields } from '../../domain/values/values.ts';
import { EVERYTHING, type Condition } from '../../operators/filter/conditions.ts';
import { withoutFields } from '../../operators/filter/hidden.ts';
import type { CompiledPipeline, PipelineRun } from '../../pipeline/pipeline.ts';
import { nameOfColumns } from '../../query/index/columns.ts';
import type { PathIndex } from '../../query/index/path-index.ts';
import type { ListedCandidates } from '../../plan/plan.ts';
import { prepare, type Prepared } from '../../plan/prepare.ts';
import type { AggregateRequest, OutputPage } from '../rpc/results.ts';
import { underRule } from '../rpc/rules.ts';
import { allOf, listedOf, mostListed } from '../search/candidates.ts';
import { isPass, feedbackOf, type IndexFeedback } from '../search/index-feedback.ts';
import { Scan } from '../search/scan.ts';
import type { Searched } from '../search/search.ts';
import { TUNING } from '../search/tuning.ts';
import type { SegmentToStore } from '../storage/secondary/stored-groups.ts';
import { STEP_WORK } from '../storage/steps.ts';

/** What an aggregate needs of its collection. */
export interface Input extends Pick<Searched, 'records' | 'state' | 'type' | 'find' | 'pause'> {
  /** Waits until the index of words is complete, if the condition needs it, and gives the condition. */
  readonly prepare: (condition: Condition) => Promise<Condition>;
  /** Told what each pass over documents has shown; stores the results of segments: a read must not. */
  readonly learning: {
    after: (feedback: IndexFeedback, documents: number) => void;
    keep: (key: string, segments: readonly SegmentToStore[]) => Promise<void>;
  };
  /** False while documents that have ended are not deleted yet. */
  readonly settled: boolean;
}

/** Positions after one, up to another. */
export interface Range {
  readonly after: number;
  readonly last: number;
}

/** What an index of columns saves of a pass, in passes. */
const COLUMNS_SHARE = 1 / 8;

/** What is known of the documents before any of them is read. */
interface Plan {
  readonly query: Prepared;
  readonly viewer: Viewer;
  readonly unseen: Unseen;
  /** The fields that are read; null for all. */
  readonly names: readonly string[] | null;
  /** The name of the index of columns that serves, or would; null where something else decides or is read. */
  readonly columns: string | null;
}

export class InputReader {
  readonly #input: Input;
  readonly #plan: Plan;
  readonly #listed: ListedCandidates | null;
  readonly #scan: Scan;
  readonly #columns: PathIndex | undefined;
  #matched = 0;

  constructor(input: Input, plan: Plan) {
    const { records, type, pause } = input;
    const { query, viewer } = plan;
    this.#input = input;
    this.#plan = plan;
    this.#scan = new Scan(records, type, query, viewer, pause);
    this.#listed = listedOf({ records, query, viewer, tuning: TUNING });
    this.#columns = plan.columns === null ? undefined : input.find(plan.columns);
  }

  static async open(
    pipeline: CompiledPipeline,
    { rule, viewer }: AggregateRequest,
    input: Input,
  ): Promise<InputReader> {
    const { state, type, find } = input;
    const unseen = { hidden: hiddenFromPipelines(type), only: rule?.read ?? null };
    const leading = underRule(withoutFields(pipeline.leading ?? EVERYTHING, unseen), rule);
    const condition = await input.prepare(leading);
    const prepared = prepare({ condition, sort: null }, find, { type, ...state });
    const query = { ...prepared, auditFields: prepared.auditFields || pipeline.auditFields };
    const names = pipeline.fields && [...pipeline.fields].filter((name) => !isUnseen(unseen, name));
    const columns = prepared.everything && names !== null ? nameOfColumns(names) : null;
    return new InputReader(input, { query, viewer, unseen, names, columns });
  }

  get input(): Input {
    return this.#input;
  }

  /** Whether so many documents are looked at, though an index may list them, that groups are worth keeping. */
  get isBroad(): boolean {
    const most = mostListed(this.#input.state.documents, TUNING);
    return !this.#plan.query.nothing && (this.#listed === null || this.#listed.seqs.length > most);
  }

  /** Whether documents were looked at. */
  get isBegun(): boolean {
    return this.#scan.visited > 0;
  }

  /** What patterns may still cost: once it is exceeded, nothing that was fed may be shown. */
  get budget(): Prepared['budget'] {
    return this.#plan.query.budget;
  }

  /** Feeds a run with what matches, in steps, until it has enough: of all documents, or of those in a range. */
  async into(run: PipelineRun, range?: Range): Promise<void> {
    const { query, names, unseen } = this.#plan;
    if (query.nothing) return;
    // What is made of a range is kept longer than ids are known to ascend: a lower one may come in a pause.
    const found =
      range === undefined ? (this.#listed ?? allOf(query)) : { ...allOf(query), last: range.last, ids: null };
    const candidates = { ...found, columns: this.#columns };
    let rested = run.spent;
    await this.#scan.each(candidates, range?.after ?? 0, names, ({ fields }) => {
      this.#matched += 1;
      if (run.push(omit(fields ?? {}, unseen)) === 'enough') return 'enough';
      if (run.spent - rested < STEP_WORK) return 'more';
      rested = run.spent;
      return 'rest';
    });
  }

  /** Tells the collection what this has shown; to be called at the end. `isKept`: as below. */
  teach(isCached: boolean): void {
    const { learning, state } = this.#input;
    const feedback = this.#feedbackOfColumns;
    if (feedback !== null) learning.after(feedback, state.documents);
    // A part says little of all documents, and what was not looked at was no index's doing.
    if (isCached && this.#scan.visited < state.documents) return;
    const passed = { documents: state.documents, visited: this.#scan.visited, matched: this.#matched };
    learning.after(feedbackOf(this.#listed, this.#plan.query, passed), state.documents);
  }

  /** Null where an index of columns would not have been read. */
  get #feedbackOfColumns(): IndexFeedback | null {
    const { columns } = this.#plan;
    if (columns === null) return null;
    const worth = this.#scan.visited * COLUMNS_SHARE;
    return this.#columns === undefined
      ? { used: [], saved: 0, wanted: [columns], looked: worth }
      : { used: [columns], saved: worth, wanted: [], looked: 0 };
  }

  /** How the documents were found. `isKept`: what was made of some of them before was used. */
  explained(isCached: boolean): OutputPage['plan'] {
    const { query } = this.#plan;
    const { visited, decoder } = this.#scan;
    const costs = { rows: this.#input.records.rowsRead, visited, decoded: decoder.decoded };
    if (isCached) return { way: 'kept-groups', used: [], scan: false, ...costs };
    const used = this.#columns === undefined ? query.used : [...query.used, this.#plan.columns ?? ''];
    return { way: this.#way, used, scan: isPass(this.#listed, query), ...costs };
  }

  get #way(): OutputPage['plan']['way'] {
    if (this.#plan.query.nothing) return 'nothing';
    if (this.#listed === null) return 'everything';
    return this.#listed.settled ? 'positions-of-an-index' : 'few-candidates';
  }
}

/** A document without some fields: before the pipeline sees it, so that no expression can reach them. */
function omit(fields: Fields, unseen: Unseen): Fields {
  if (isAllSeen(unseen) || !Object.keys(fields).some((name) => isUnseen(unseen, name))) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isUnseen(unseen, name)));
}
