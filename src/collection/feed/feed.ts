/**
 * The feed of changes of a collection: which documents are shown that have changed since a mark, and which are not any
 * more that were. What was shown is told by the states that stood then, with the same filter, rights and rules.
 */
import type { DocumentId } from '../../domain/ids.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { excessOf } from '../../operators/query/patterns.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ringBy, type AlarmStorage } from '../storage/alarm.ts';
import { packDocuments } from '../rpc/packing/packing.ts';
import type { FeedMark, FeedRequest, FeedResult, Telling } from '../rpc/feed/feed.ts';
import { STEP_DOCUMENTS, STEP_UNITS } from '../storage/steps.ts';
import type { ChangeRow } from '../storage/beside/feed-tables.ts';
import type { Expiry } from '../write/expiry.ts';
import type { Transactor } from '../write/transactor.ts';
import type { Writes } from '../write/writes.ts';
import { Sight } from './sight.ts';

/** States of one document that are looked at for one mark; whoever would need more begins anew. */
const STATES = 200;

/** Milliseconds between two looks at what is to be forgotten, at least. */
const PAUSE = 60_000;

interface Around {
  readonly storage: AlarmStorage;
  readonly tables: Transactor;
  readonly writes: Pick<Writes, 'alone'>;
  readonly expiry: Pick<Expiry, 'settled'>;
  readonly hasRoom: () => Promise<boolean>;
  readonly pause: () => Promise<void>;
  /** Pauses for the steps of a walk that writes (storage/steps.ts). */
  readonly rest: () => () => Promise<void>;
}

/** What of a page is known so far: a document that changes while the page is made takes a new place in it. */
interface Gathered {
  /** By id. */
  readonly told: Map<string, Telling & { readonly packed: string }>;
  units: number;
}

export class Feed {
  readonly #around: Around;
  #building: Promise<Outcome<null>> | null = null;
  #forgetting = false;

  constructor(around: Around) {
    this.#around = around;
  }

  /** A page of the feed. To be called only when there are tables. */
  async page(type: string, request: FeedRequest): Promise<FeedResult> {
    const ready = await this.ready();
    if (!ready.ok) return ready;
    const { pause, expiry, tables } = this.#around;
    const { again } = request;
    const sight = new Sight(tables, type, request);
    const gathered: Gathered = { told: new Map(), units: 0 };
    let mark: FeedMark | null = null;
    for (let looked = 0; ; looked += STEP_DOCUMENTS) {
      // What has ended by now is deleted, with a number of its own.
      await expiry.settled();
      const counter = tables.records.counter();
      mark ??= this.#startOf(request.mark, counter);
      if (mark === null || mark.state !== this.#state()) return expired();
      const step = this.#step(
        mark,
        Math.min(again?.upTo ?? counter, counter),
        sight,
        request.limit,
        gathered,
      );
      if (step === null) return expired();
      if (sight.budget.exceeded) {
        return fail('invalid-filter', excessOf(sight.budget, 'this collection'), { parameter: 'filter' });
      }
      const { position, isFull } = step;
      const isWhole = position === counter;
      mark = isWhole ? { ...mark, base: counter, position } : { ...mark, position };
      if (isFull || isWhole || position === again?.upTo || looked >= LIMITS.feedLooked) {
        const all = [...gathered.told.values()];
        const documents = packDocuments(all.flatMap(({ packed }) => (packed === '' ? [] : packed)));
        const told = all.map(({ id, number, kind }) => ({ id, number, kind }));
        return ok({ counter, documents, told, mark, more: !isWhole });
      }
      await pause();
    }
  }

  /** Resolves when the feed is kept, and the order of changes complete. */
  async ready(): Promise<Outcome<null>> {
    const { tables, writes } = this.#around;
    const now = Date.now();
    if (!tables.feed.complete) {
      this.#building ??= this.#build().finally(() => {
        this.#building = null;
      });
      return this.#building;
    }
    if (tables.feed.isToBeNoted(now)) {
      writes.alone(() => {
        tables.feed.note(now);
        return ok(null);
      });
    }
    return ok(null);
  }

  /** The last change, and what marks depend on now. To be called only when there are tables. */
  get standing(): Pick<FeedMark, 'base' | 'state'> {
    return { base: this.#around.tables.records.counter(), state: this.#state() };
  }

  /** Which of some documents have changed since, or were deleted. To be called only when there are tables. */
  changedSince(told: readonly Telling[]): ReadonlySet<DocumentId> {
    const last = this.#around.tables.feed.lastOf(told.map(({ id }) => id));
    return new Set(told.flatMap(({ id, number }) => (last.get(id) === number ? [] : id)));
  }

  /** Forgets states past their time, in steps. */
  async alarm(): Promise<void> {
    const pause = this.#around.rest();
    while (this.#forget()) await pause();
    await this.#remind();
  }

  /** To be called after a commit: states must not take more room than they may, however many are written. */
  committed(): void {
    const { feed } = this.#around.tables;
    // Forgetting commits, too.
    if (this.#forgetting || !feed.isFull) return;
    this.#forgetting = true;
    try {
      let more = true;
      while (more) more = this.#forget() && feed.isFull;
    } finally {
      this.#forgetting = false;
    }
  }

  #forget(): boolean {
    const { tables, writes } = this.#around;
    const forgotten = writes.alone(() => ok(tables.feed.forget(Date.now())));
    return forgotten.ok && forgotten.value;
  }

  async #build(): Promise<Outcome<null>> {
    const { hasRoom, tables, writes } = this.#around;
    const { feed, records } = tables;
    const pause = this.#around.rest();
    while (!feed.complete) {
      if (!(await hasRoom())) return fail('storage-full', 'There is no room for the feed of this type.');
      const step = writes.alone(() => {
        if (feed.active) feed.build();
        else feed.begin(newEpoch(), records.counter(), Date.now());
        return ok(null);
      });
      if (!step.ok) return step;
      await pause();
    }
    await this.#remind();
    return ok(null);
  }

  /** Sets the alarm for when something is to be forgotten. */
  async #remind(): Promise<void> {
    const next = this.#around.tables.feed.next();
    if (next !== null) await ringBy(this.#around.storage, Math.max(next, Date.now() + PAUSE));
  }

  /** Where a reader with a mark goes on; null if what has changed since is not kept. */
  #startOf(mark: FeedMark | null, counter: number): FeedMark | null {
    const state = this.#state();
    // Whoever found nothing at all, where there never was anything, begins at the beginning.
    if (mark === null || mark.state === '') return { base: counter, position: 0, state };
    const { horizon } = this.#around.tables.feed.state ?? { horizon: Infinity };
    const { base, position } = mark;
    return base < horizon || base > counter || position > counter ? null : mark;
  }

  /**
   * What marks depend on beside the documents: the feed that they are of, and the rights that settings of the type give.
   * While these are changing, no mark of another moment is valid.
   */
  #state(): string {
    const { feed, settings } = this.#around.tables;
    return JSON.stringify([feed.state?.epoch ?? null, settings.givenRights]);
  }

  /** Looks at some more documents; null where it can not be told what was shown. */
  #step(
    { base, position: from }: FeedMark,
    upTo: number,
    sight: Sight,
    limit: number,
    gathered: Gathered,
  ): { readonly position: number; readonly isFull: boolean } | null {
    const { feed } = this.#around.tables;
    const rows = feed.after(from, upTo, STEP_DOCUMENTS, STEP_UNITS);
    const seen = sight.of(rows);
    let position = from;
    for (const row of rows) {
      const { id, number } = row;
      gathered.units -= gathered.told.get(id)?.packed.length ?? 0;
      gathered.told.delete(id);
      const packed = seen(row) ? (row.packed ?? '') : '';
      const was = this.#wasShown(row, { began: from, ended: base }, sight);
      if (was === null && packed === '') return null;
      const kind = packed === '' ? 'remove' : was === false ? 'add' : 'update';
      if (was === true || packed !== '') gathered.told.set(id, { id, number, kind, packed });
      gathered.units += packed.length;
      position = number;
      const isFull = gathered.told.size >= limit || gathered.units >= LIMITS.feedPage;
      if (isFull) return { position, isFull: position < upTo };
    }
    return { position: rows.length === 0 ? upTo : position, isFull: false };
  }

  /** Whether a reader may have been shown the document; null where too much would have to be looked at. */
  #wasShown(
    { id }: ChangeRow,
    known: Readonly<Record<'began' | 'ended', number>>,
    sight: Sight,
  ): boolean | null {
    const states = this.#around.tables.feed.statesOf(id, known, STATES + 1);
    if (states.length > STATES) return null;
    return states.some((state) => sight.had(id, state));
  }
}

function newEpoch(): string {
  return crypto.getRandomValues(new Uint8Array(8)).toHex();
}

function expired() {
  const detail =
    'What was shown at the mark is not known any more, as it is too old, or rights have changed: begin anew without a mark.';
  return fail('mark-expired', detail, { parameter: 'changes[since]' });
}
