/**
 * The searches and aggregates of a collection: what they run over, what the collection learns from them, and how many
 * are running.
 */
import type { Outcome } from '../domain/problems.ts';
import type { Viewer } from '../domain/rights.ts';
import type { Condition } from '../operators/filter/conditions.ts';
import { withoutFields } from '../operators/filter/hidden.ts';
import { needsWords, withoutWords } from '../query/plan/plan.ts';
import { Aggregates } from './aggregate/aggregation.ts';
import { Counts } from './search/count-cache.ts';
import { Learning } from './learning.ts';
import type { Memory } from './storage/answer-cache.ts';
import type { Passage } from './search/pace.ts';
import type { State } from './storage/documents.ts';
import type { ListRequest, ListResult } from './rpc/results.ts';
import { conditionOf, Search } from './search/search.ts';
import { SearchReader } from './search/reader.ts';
import { pause } from './storage/steps.ts';
import type { Transactor } from './write/transactor.ts';
import type { AggregateRequest, OutputPage } from './rpc/aggregates.ts';

export class Searches {
  readonly #storage: DurableObjectStorage;
  readonly #tables: Transactor;
  readonly #memory: Memory;
  readonly #hasRoom: () => Promise<boolean>;
  readonly #aggregates = new Aggregates();
  readonly #counts = new Counts();
  readonly #learning: Learning;
  #running = 0;

  /** `hasRoom` says whether there is room for writes: indexes must not fill a disk. */
  constructor(
    storage: DurableObjectStorage,
    tables: Transactor,
    memory: Memory,
    hasRoom: () => Promise<boolean>,
  ) {
    this.#storage = storage;
    this.#tables = tables;
    this.#memory = memory;
    this.#hasRoom = hasRoom;
    this.#learning = new Learning(storage, tables, { isSearched: () => this.#running > 0, hasRoom, pause });
  }

  /** The background work for learned indexes. */
  alarm(): Promise<void> {
    return this.#learning.alarm();
  }

  /** One page of the matching documents, and their total number. `passage`: how the page leaves. */
  async list(type: string, asked: ListRequest, passage: Passage): Promise<Outcome<ListResult>> {
    const { indexes } = this.#tables;
    const request = { ...asked, viewer: this.#narrowed(asked.viewer) };
    const { hidden } = request;
    const asCanBe = withoutFields(conditionOf(request), hidden);
    const condition = await this.#ensureWords(type, asCanBe);
    const sort = request.sort.filter(({ path: [name] }) => name === undefined || !hidden.includes(name));
    this.#running += 1;
    try {
      const find = (path: string) => indexes.find(path);
      const searched = {
        records: new SearchReader(this.#storage.sql),
        state: this.#state(),
        type,
        find,
        counts: this.#counts,
        pause,
        passage,
      };
      const search = new Search(searched, { ...request, sort }, condition);
      const result = await search.run();
      this.#learning.after(search, searched.state.documents);
      return result;
    } finally {
      this.#running -= 1;
    }
  }

  /** The outputs of a pipeline over the documents that the viewer may read. */
  async aggregate(type: string, asked: AggregateRequest): Promise<Outcome<OutputPage>> {
    const { indexes } = this.#tables;
    const request = { ...asked, viewer: this.#narrowed(asked.viewer) };
    this.#running += 1;
    try {
      return await this.#aggregates.run(
        request,
        {
          records: new SearchReader(this.#storage.sql),
          state: this.#state(),
          type,
          find: (path) => indexes.find(path),
          pause,
          prepare: (condition) => this.#ensureWords(type, condition),
        },
        type,
      );
    } finally {
      this.#running -= 1;
    }
  }

  /** The outputs of a pipeline without input: its collection never had a document. */
  aggregateOfNothing(type: string, request: AggregateRequest): Promise<Outcome<OutputPage>> {
    return this.#aggregates.run(request, null, type);
  }

  /** The part of a viewer that matters here: searches and caches depend on nothing else. */
  #narrowed(viewer: Viewer): Viewer {
    return viewer && this.#tables.rights.narrow(viewer, 'read');
  }

  #state(): State {
    return (this.#memory.state ??= this.#tables.records.state());
  }

  /**
   * Waits until the index of words is complete, if the condition needs it, and gives the condition; without the index
   * if there is no room for it.
   */
  async #ensureWords(type: string, condition: Condition): Promise<Condition> {
    const { words, records } = this.#tables;
    if (words.complete || !needsWords(condition)) return condition;
    const transaction = (step: () => void) => {
      this.#storage.transactionSync(step);
    };
    const pauseWithRoom = async () => {
      await pause();
      if (!(await this.#hasRoom())) throw new Error('There is too little room left.');
    };
    try {
      if (!(await this.#hasRoom())) return withoutWords(condition);
      await words.ensure(type, records, transaction, pauseWithRoom);
      return condition;
    } catch (error) {
      console.warn(`The index of words was not built: ${String(error)}`);
      return withoutWords(condition);
    }
  }
}
