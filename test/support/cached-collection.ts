/** A collection whose aggregates keep themselves, without the object: what is read, and what a full run makes. */
import { Aggregates } from '../../src/collection/aggregate/aggregation.ts';
import type { AggregateRequest, OutputPage } from '../../src/collection/rpc/results.ts';
import type { SegmentToStore } from '../../src/collection/storage/secondary/stored-groups.ts';
import { DirtyRanges } from '../../src/collection/storage/dirty-ranges.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { COLUMNS, EXTENTS, type Step } from './cached-groups-arbitraries.ts';
import { LocalCollection } from './local-collection.ts';
import { typeOf } from './names.ts';

const NOTHING_CACHED = { has: () => false, find: () => null };

export class CachedCollection {
  readonly collection = new LocalCollection(EXTENTS);
  readonly ids: string[] = [];
  /** How often groups were taken from the tables. */
  restored = 0;
  #aggregates = this.#awake();
  /** What reads have handed over to be stored, and is not yet. */
  #toStore: (() => void)[] = [];

  close(): void {
    this.collection.close();
  }

  /** What reads of an object that has just woken up know: nothing, but for what the tables have. */
  #awake(): Aggregates {
    const { dirtyRanges, groups } = this.collection.tables;
    const find = (key: string, segment: number) => {
      const text = groups.find(key, segment);
      if (text !== null) this.restored += 1;
      return text;
    };
    return new Aggregates({ dirtyRanges, groups: { has: (key) => groups.has(key), find } });
  }

  read(
    pipeline: unknown,
    pause: () => void = () => undefined,
    some: Partial<AggregateRequest> = {},
    settled = true,
  ): Promise<OutputPage | string> {
    const find = (name: string) => this.collection.tables.indexes.find(name);
    return this.#run(this.#aggregates, find, pipeline, pause, some, settled);
  }

  /** What is shown by a run over all documents. */
  async computed(pipeline: unknown): Promise<unknown> {
    const aggregates = new Aggregates({ dirtyRanges: new DirtyRanges(EXTENTS), groups: NOTHING_CACHED });
    return shown(await this.#run(aggregates, () => undefined, pipeline));
  }

  async #run(
    aggregates: Aggregates,
    find: LocalCollection['tables']['indexes']['find'],
    pipeline: unknown,
    pause: () => void = () => undefined,
    some: Partial<AggregateRequest> = {},
    settled = true,
  ): Promise<OutputPage | string> {
    const type = typeOf('place');
    const request: AggregateRequest = {
      outputType: typeOf('agt.cached'),
      pipeline: JSON.stringify(pipeline),
      parameters: null,
      overrides: {},
      viewer: null,
      rule: null,
      select: {
        condition: encodeText({ op: 'and', conditions: [] }),
        sort: [],
        page: { offset: 0, limit: 1000 },
      },
      ...some,
    };
    const input = {
      records: this.collection.reader(),
      state: this.collection.tables.records.state(),
      type,
      find,
      pause: () => {
        pause();
        return Promise.resolve();
      },
      prepare: <T>(condition: T) => Promise.resolve(condition),
      learning: {
        after: () => undefined,
        keep: (key: string, segments: readonly SegmentToStore[]) => {
          const { groups, dirtyRanges } = this.collection.tables;
          this.#toStore.push(() => {
            groups.put(key, segments, dirtyRanges, Date.now());
          });
          return Promise.resolve();
        },
      },
      settled,
    };
    const result = await aggregates.run(request, input, type);
    return result.ok ? result.value : JSON.stringify(result.problems);
  }

  write(each: Step): void {
    const { collection, ids } = this;
    if (each.do === 'make') ids.push(collection.create(each.fields));
    if (each.do === 'store' || (each.do === 'restart' && each.stored)) {
      for (const store of this.#toStore.splice(0)) store();
    }
    if (each.do === 'restart') {
      collection.restart();
      this.#aggregates = this.#awake();
      this.#toStore = [];
    }
    if (each.do === 'build') {
      for (const name of COLUMNS) collection.learn(name);
      collection.build(each.steps);
    }
    const chosen = 'at' in each ? ids[each.at % Math.max(1, ids.length)] : undefined;
    if (each.do === 'share' && chosen !== undefined) collection.share(chosen, ['core.user 1']);
    if (each.do === 'undone') {
      collection.undone(() => {
        collection.create(each.fields);
        if (chosen !== undefined) collection.remove(chosen);
      });
    }
    if (each.do !== 'change' && each.do !== 'delete') return;
    const [id] = ids.splice(each.at % Math.max(1, ids.length), 1);
    if (id === undefined) return;
    if (each.do === 'delete') collection.remove(id);
    else {
      collection.update(id, each.fields);
      ids.push(id);
    }
  }
}

/** What is shown, and nothing of how it was found. */
export function shown(page: OutputPage | string): unknown {
  return typeof page === 'string' ? page : page.documents;
}
