/**
 * Aggregates that keep their groups. The groups of a segment of the documents hold until one of these is written: they
 * are kept, and after a write only the part around the written document is made anew. A write notes its place, and pays
 * for nothing else. Segments that stay the same are stored too, for the time after the object has slept
 * (storage/secondary/stored-groups.ts).
 */
import { Lru } from '../../domain/caching/lru.ts';
import { WORK } from '../../domain/limits.ts';
import type { PipelinePart, PipelineParts } from '../../pipeline/pipeline.ts';
import { CACHE_BUDGETS, ObjectCache } from '../storage/caching/answer-cache.ts';
import { MOST_UNITS, type SegmentToStore } from '../storage/secondary/stored-groups.ts';
import type { Level } from '../storage/dirty-ranges.ts';
import type { Readers } from '../storage/documents/readers.ts';
import type { InputReader, Range } from './input-reader.ts';

/** Aggregates of a collection whose groups are kept at a time. */
const MOST_CACHED = 16;

/** Parts of which a collection has at least as many documents as two have: else a pass costs no more. */
const LEAST_PARTS = 2;

/** Changes of the collection after which an aggregate is tried again that could not be kept. */
const TRIED_AGAIN = 1_000;

/** Parts that are made before others are let in. */
const PARTS_IN_STEP = 4;

/** Segments that a read hands over to be stored. */
const STORED_AT_ONCE = 16;

interface CachedPart {
  readonly part: PipelinePart;
  /** When it was begun, in changes. */
  readonly at: number;
  /** Whether it was stored, or need not be. */
  isStored: boolean;
}

type Tables = Pick<Readers, 'dirtyRanges' | 'groups'>;

export class CachedGroups {
  readonly #tables: Tables;
  readonly #cache = new ObjectCache<CachedPart>('groups', ({ part }) => part.held);
  /** By the keys of aggregates. */
  readonly #numbers = new Lru<string, number>(MOST_CACHED);
  /** The counter at which each one was last made by a pass, or could not be kept. */
  readonly #passed = new Lru<string, number>(MOST_CACHED);
  readonly #refused = new Lru<string, number>(MOST_CACHED);
  #lastNumber = 0;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Whether groups of an aggregate are kept. */
  has(key: string): boolean {
    if (this.#numbers.get(key) !== undefined) return true;
    return this.#refused.get(key) === undefined && this.#tables.groups.has(key);
  }

  /**
   * All groups of an aggregate; null where one run over all documents is to make them. `key` stands for everything that
   * they depend on beside the documents. They are kept from the second pass on, or where some are stored.
   */
  async of(key: string, pipeline: PipelineParts, reader: InputReader): Promise<PipelinePart | null> {
    const { state } = reader.input;
    const { dirtyRanges } = this.#tables;
    if (state.documents < LEAST_PARTS * dirtyRanges.extents.part || !this.#isWorthwhile(key, state.counter)) {
      return null;
    }
    const number = this.#numbers.get(key) ?? (this.#lastNumber += 1);
    this.#numbers.set(key, number);
    dirtyRanges.begin();
    const making = new Making({ tables: this.#tables, cache: this.#cache, key, number, pipeline, reader });
    const made = await making.all();
    if (made === null) this.refuse(key, state.counter);
    else making.store();
    return made;
  }

  /** Notes that an aggregate cannot be made of parts. */
  refuse(key: string, counter: number): void {
    this.#numbers.delete(key);
    this.#refused.set(key, counter);
  }

  #isWorthwhile(key: string, counter: number): boolean {
    if (this.has(key)) return true;
    if (counter - (this.#refused.get(key) ?? -Infinity) < TRIED_AGAIN) return false;
    const passed = this.#passed.get(key);
    this.#passed.set(key, counter);
    return passed !== undefined && passed !== counter;
  }
}

/** Of what groups are made. */
interface Given {
  readonly tables: Tables;
  readonly cache: ObjectCache<CachedPart>;
  /** What stands for the aggregate, and its number in memory. */
  readonly key: string;
  readonly number: number;
  readonly pipeline: PipelineParts;
  readonly reader: InputReader;
}

/** The groups of one aggregate being made, of what is kept and of what must be read. */
class Making {
  readonly #given: Given;
  #work: number = WORK.pipeline;
  /** What may still be made: what does not fit is no better kept, and must not be held all at once. */
  #room = CACHE_BUDGETS.groups.most;
  #read = 0;
  readonly #toStore: SegmentToStore[] = [];

  constructor(given: Given) {
    this.#given = given;
  }

  all(): Promise<PipelinePart | null> {
    const { records } = this.#given.reader.input;
    const range = { after: Math.max(0, records.firstSeq() - 1), last: records.lastSeq() };
    return this.#joined('segment', range, (segment, index) =>
      // What was never written since is read at once; where a part was written, parts are worth keeping.
      this.#given.tables.dirtyRanges.changed('segment', index) === 0
        ? this.#made(segment)
        : this.#joined('part', this.#filled(segment), (part) => this.#made(part)),
    );
  }

  /** Hands over what is to be stored. */
  store(): void {
    if (this.#toStore.length > 0) void this.#given.reader.input.learning.keep(this.#given.key, this.#toStore);
  }

  /** What is stored of a segment, in memory from now on; undefined for nothing. */
  async #restored(index: number): Promise<CachedPart | undefined> {
    const text = this.#given.tables.groups.find(this.#given.key, index);
    const part = text === null ? null : this.#given.pipeline.unpack(text);
    if (part === null) return undefined;
    const cached = { part, at: this.#given.tables.dirtyRanges.now, isStored: true };
    this.#room -= part.held;
    this.#given.cache.set(this.#keyOf('segment', index), cached);
    await this.#rest();
    return cached;
  }

  /**
   * Notes a segment that has not changed since the last read, to be stored. One that is written between any two reads
   * never is, nor is the last one: new documents come there.
   */
  #note(index: number, { last }: Range, cached: CachedPart): void {
    const isLast = last > this.#given.reader.input.records.lastSeq();
    if (cached.isStored || isLast || this.#toStore.length >= STORED_AT_ONCE) return;
    cached.isStored = true;
    const text = this.#given.pipeline.pack(cached.part, MOST_UNITS);
    if (text !== null) this.#toStore.push({ segment: index, text, at: cached.at });
  }

  /** A range up to the last document that there is now. */
  #filled({ after, last }: Range): Range {
    return { after, last: Math.min(last, this.#given.reader.input.records.lastSeq()) };
  }

  /** What a range of positions comes to, of the segments or parts in it, made where they are not kept. */
  async #joined(
    level: Level,
    { after, last }: Range,
    make: (range: Range, index: number) => Promise<PipelinePart | null>,
  ): Promise<PipelinePart | null> {
    const extent = this.#given.tables.dirtyRanges.extents[level];
    const parts: PipelinePart[] = [];
    for (let index = Math.floor(after / extent); index * extent < last; index += 1) {
      // To its end: a document that came since the last position was asked for may be part of what is kept.
      const range = { after: index * extent, last: (index + 1) * extent };
      const cached = this.#known(level, index);
      if (cached !== undefined && level === 'segment') this.#note(index, range, cached);
      const known = cached ?? (level === 'segment' ? await this.#restored(index) : undefined);
      const part = known?.part ?? (await this.#keep(level, index, () => make(range, index)));
      if (part === null) return null;
      parts.push(part);
    }
    return this.#given.pipeline.join(parts);
  }

  #known(level: Level, index: number): CachedPart | undefined {
    const cached = this.#given.cache.get(this.#keyOf(level, index));
    return cached !== undefined && this.#given.tables.dirtyRanges.changed(level, index) <= cached.at
      ? cached
      : undefined;
  }

  async #keep(
    level: Level,
    index: number,
    make: () => Promise<PipelinePart | null>,
  ): Promise<PipelinePart | null> {
    // A write on the way is noted as later.
    const at = this.#given.tables.dirtyRanges.now;
    const part = await make();
    if (part === null) return null;
    this.#room -= part.held;
    if (this.#room < 0) return null;
    this.#given.cache.set(this.#keyOf(level, index), { part, at, isStored: false });
    return part;
  }

  #keyOf(level: Level, index: number): string {
    return `${this.#given.number} ${level} ${index}`;
  }

  async #made(range: Range): Promise<PipelinePart | null> {
    const { run, table } = this.#given.pipeline.begin(this.#work, this.#room);
    await this.#given.reader.into(run, range);
    const { ok } = run.finish();
    if (!ok || this.#given.reader.budget.exceeded) return null;
    this.#work -= run.spent;
    await this.#rest();
    return { table, held: run.held };
  }

  /** Lets others in from time to time. */
  async #rest(): Promise<void> {
    this.#read += 1;
    if (this.#read % PARTS_IN_STEP === 0) await this.#given.reader.input.pause();
  }
}
