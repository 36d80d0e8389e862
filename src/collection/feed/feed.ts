/**
 * The feed of changes of a collection: which documents are shown that have changed since a mark, and which are not any
 * more that were. What was shown is told by the states that stood then, with the same filter, rights and rules.
 */
import type { DocumentId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { excessive } from '../../operators/query/patterns.ts';
import { recall } from '../../domain/caching/recall.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { TypeName } from '../../domain/types.ts';
import { packDocuments, splitDocuments, unpackDocument } from '../rpc/packing/packing.ts';
import { NOTHING_CHANGED, type FeedRequest, type FeedResult, type FeedEntry } from '../rpc/feed/feed.ts';
import {
  expired,
  hasSameRights,
  knownAt,
  listedUpTo,
  type FeedMark,
  type Through,
} from '../rpc/feed/mark.ts';
import type { FeedStanding } from '../rpc/feed/streams.ts';
import { STEP_DOCUMENTS, STEP_UNITS, yieldToOthers } from '../storage/steps.ts';
import type { ChangeRow, FeedTables } from '../storage/secondary/feed-tables.ts';
import type { Expiry } from '../write/upkeep/expiry.ts';
import type { ListPages } from '../write/lists/bulk.ts';
import type { FeedUpkeep } from './upkeep.ts';
import { throughOf, Visibility } from './visibility.ts';
import { Part, type Ground } from '../write/ground.ts';
import type { Version } from '../storage/secondary/versions.ts';
import type { Transactor } from '../write/transactor.ts';

/** Versions of one document that are looked at for one mark; whoever would need more begins anew. */
const VERSIONS = 200;

interface Parts extends Ground {
  readonly feedUpkeep: FeedUpkeep;
  readonly expiry: Expiry;
  /** A page of a list, which no caller takes as it is. */
  readonly ownLists: ListPages;
}

/** Of a beginning: what is seen, and where a page before it has led. */
type Begun = readonly [Visibility, (FeedMark & { readonly after: string }) | null];

/** What of a page is known so far: a document that changes while the page is made takes a new place in it. */
interface Gathered {
  /** Which states the reader may know. */
  readonly began: number;
  readonly known: (id: DocumentId) => Readonly<Record<'began' | 'ended', number>>;
  /** By id. */
  readonly entries: Map<string, { readonly entry: FeedEntry; readonly packed: string }>;
  units: number;
}

export class Feed extends Part<Parts> {
  readonly #read = new ReadTogether(this.parts.tables);

  /** A page of the feed. To be called only when there are tables. */
  async page(type: TypeName, request: FeedRequest): Promise<FeedResult> {
    const ready = await this.parts.feedUpkeep.ready();
    if (!ready.ok) return ready;
    const { expiry, tables } = this.parts;
    const { again, mark: from } = request;
    const visibility = new Visibility(tables, type, request);
    // What has ended by now is deleted, with a number of its own.
    await expiry.settled();
    const through = () => throughOf(tables.inherited, request);
    if (from === 'now') {
      const counter = tables.records.counter();
      const mark = {
        base: counter,
        position: counter,
        at: counter,
        state: this.#state(),
        through: through(),
      };
      return ok({ ...NOTHING_CHANGED, counter, mark });
    }
    // Whoever found nothing at all, where there never was anything, begins at the beginning.
    if (from === null || from.state === '') return this.#begun(type, request, visibility, null);
    if (from.after !== undefined)
      return this.#begun(type, request, visibility, { ...from, after: from.after });
    // Of a list that took a while, anything may be known that stood meanwhile.
    const began = from.position === from.base ? from.at : from.position;
    const known = (id: DocumentId) => ({ began, ended: knownAt(from, id) });
    const gathered: Gathered = { entries: new Map(), units: 0, began, known };
    let mark: FeedMark = from;
    for (let looked = 0; ; looked += STEP_DOCUMENTS) {
      await expiry.settled();
      const counter = tables.records.counter();
      if (!this.#isCurrent(mark, through())) return expired();
      const step = this.#step(mark, Math.min(again?.upTo ?? counter, counter), visibility, request, gathered);
      if (step === null) return expired();
      if (visibility.budget.exceeded) return excessive(visibility.budget, 'this collection');
      const { position, isFull } = step;
      const isWhole = position === counter;
      const read = { position, at: counter, state: mark.state, through: through() };
      mark = isWhole ? { ...read, base: counter } : { ...mark, ...read };
      if (isFull || isWhole || position === again?.upTo || looked >= LIMITS.feedLooked) {
        const all = [...gathered.entries.values()];
        const documents = packDocuments(all.flatMap(({ packed }) => (packed === '' ? [] : packed)));
        const entries = all.map(({ entry }) => entry);
        return ok({ counter, documents, entries, mark, more: !isWhole });
      }
      await yieldToOthers();
    }
  }

  /** A page of a beginning. Changes since it began are told where they are seen: here they would tell of others. */
  async #begun(type: TypeName, request: FeedRequest, ...given: Begun): Promise<FeedResult> {
    const listed = await this.#listed(type, request, ...given);
    if (!listed.ok || !listed.value.more || listed.value.mark.after !== undefined) return listed;
    const rest = await this.page(type, { ...request, mark: listed.value.mark });
    if (!rest.ok || rest.value.more || rest.value.entries.length > 0) return listed;
    return ok({ ...listed.value, mark: rest.value.mark, more: false });
  }

  /**
   * A page of a beginning: what the list shows, by its plan and its indexes. All changes since before the beginning are
   * kept, and the mark is of that moment: so nothing is missed. What has changed since is left out here, and told by
   * the feed from there on, as it is then: so nothing comes twice.
   */
  async #listed(type: TypeName, request: FeedRequest, ...[visibility, begun]: Begun): Promise<FeedResult> {
    const { ownLists, tables } = this.parts;
    const { again, limit, units, ...rest } = request;
    const state = this.#state();
    const through = throughOf(tables.inherited, request);
    const page = { after: begun?.after || null, limit, units, counted: false };
    const listed = await ownLists(type, { ...rest, sort: [], page, auditFields: true });
    if (!listed.ok) return listed;
    const { counter, cursors = [], more, next } = listed.value;
    const { base, after } = begun ?? { base: counter, after: '' };
    const mark = { base, position: base, at: base, state, through };
    const isSame = state === this.#state() && hasSameRights(through, throughOf(tables.inherited, request));
    if (!isSame || !this.#isCurrent(begun ?? mark, through)) return expired();
    const before = begun === null ? [] : begun.listed;
    let upTo = before;
    const rows = splitDocuments(listed.value.documents).map((packed, at) => {
      const { id, version, aclVersion } = unpackDocument(packed);
      const seq = again === undefined ? null : (tables.records.seqOf(id) ?? null);
      upTo = upTo && listedUpTo(upTo, id, counter);
      const from = { after: cursors[at] ?? after, listed: upTo };
      return { id, number: Math.max(version, aclVersion), seq, packed, begun: from };
    });
    const isAll = !more && tables.records.counter() === base;
    const isSeen = again === undefined ? () => true : visibility.of(rows);
    const shown = rows.filter((row) => row.number <= base && isSeen(row));
    return ok({
      counter,
      documents: packDocuments(shown.map(({ packed }) => packed)),
      entries: shown.map((row) => ({ id: row.id, number: row.number, kind: 'add', begun: row.begun })),
      mark: more
        ? { ...mark, after: next ?? after, listed: upTo }
        : { ...mark, ...(!isAll && { listed: upTo && listedUpTo(upTo, null, counter) }) },
      more: !isAll,
    });
  }

  /** For a list that is read as it is: makes its mark, if it began at a number and shows nothing later than now. */
  async marking(): Promise<Outcome<(began: number) => FeedMark>> {
    const ready = await this.parts.feedUpkeep.ready();
    if (!ready.ok) return ready;
    const { through } = this.standing;
    return ok((began) => {
      const { base, state } = this.standing;
      return { base: began, position: began, at: base, state, through };
    });
  }

  /** The last change, and what marks depend on now. To be called only when there are tables. */
  get standing(): FeedStanding {
    const { inherited, records } = this.parts.tables;
    const { changed } = inherited;
    return {
      base: records.counter(),
      state: this.#state(),
      ...(changed !== null && { through: { changed, held: null } }),
    };
  }

  /** Which of some documents have changed since, or were deleted. To be called only when there are tables. */
  changedSince(entries: readonly FeedEntry[]): ReadonlySet<DocumentId> {
    const last = this.parts.tables.feed.lastOf(entries.map(({ id }) => id));
    const isLast = ({ id, kind, number }: FeedEntry) => kind === 'remove' || last.get(id) === number;
    return new Set(entries.flatMap((each) => (isLast(each) ? [] : each.id)));
  }

  /** To be called after a commit. */
  committed(): void {
    this.#read.forget();
  }

  /** Whether what has changed since a mark is known, and its reader has the same rights through links. */
  #isCurrent({ at, base, state, through }: FeedMark, now: Through | undefined): boolean {
    const { horizon } = this.#read.state ?? { horizon: Infinity };
    const isKnown = base >= horizon && this.parts.tables.records.knows(at);
    return isKnown && state === this.#state() && hasSameRights(through, now);
  }

  /**
   * What marks depend on beside the documents: their feed, and the rights that settings of the type give.
   * While these are changing, no mark of another moment is valid.
   */
  #state(): string {
    return JSON.stringify([this.#read.state?.epoch ?? null, this.parts.tables.settings.givenRights]);
  }

  /** Looks at some more documents; null where it can not be told what was shown. */
  #step(
    { position: from }: FeedMark,
    upTo: number,
    visibility: Visibility,
    { limit, units }: Pick<FeedRequest, 'limit' | 'units'>,
    gathered: Gathered,
  ) {
    const rows = this.#read.rows(
      visibility.hides ? 'allAfter' : 'after',
      from,
      upTo,
      Math.min(units, STEP_UNITS),
    );
    const seen = visibility.of(rows);
    const now = new Map<DocumentId, boolean>();
    let position = from;
    for (const row of rows) {
      const { id, list, number } = row;
      position = number;
      if (row.past === true && recall(now, id, () => this.#isSeen(id, visibility))) continue;
      if (visibility.hides && !seen(row) && !this.#isHidden(row, visibility)) continue;
      gathered.units -= gathered.entries.get(id)?.packed.length ?? 0;
      gathered.entries.delete(id);
      const packed = seen(row) ? (row.packed ?? '') : '';
      const was = this.#wasShown(row, gathered.known(id), visibility);
      if (was === null && packed === '') return null;
      const kind = packed === '' ? 'remove' : was === false ? 'add' : 'update';
      // Who may not read a document does not learn what else was written with it.
      const isToldOf = packed !== '' || !visibility.hides;
      const entry = { id, number, kind, ...(list && isToldOf && { transaction: list }) } as const;
      if (was === true || packed !== '') gathered.entries.set(id, { entry, packed });
      gathered.units += packed.length;
      const isFull = gathered.entries.size >= limit || gathered.units >= units;
      if (isFull && position >= gathered.began) return { position, isFull: position < upTo };
    }
    return { position: rows.length === 0 ? upTo : position, isFull: false };
  }

  #isSeen(id: DocumentId, visibility: Visibility): boolean {
    const row = this.parts.tables.feed.current(id);
    return row !== undefined && visibility.of([row])(row);
  }

  /**
   * Whether this change has hidden a document that is not seen now: the removal is told there. At its last change, it
   * would tell who lost it that others write to it.
   */
  #isHidden({ id, number }: ChangeRow, visibility: Visibility): boolean {
    const [ended, next] = this.parts.tables.versions.around(id, number);
    if (ended?.ended !== number || !visibility.had(id, ended)) return false;
    return next === undefined || !visibility.had(id, next);
  }

  /** Whether a reader may have been shown the document; null where too much would have to be looked at. */
  #wasShown(
    row: ChangeRow,
    known: Readonly<Record<'began' | 'ended', number>>,
    visibility: Visibility,
  ): boolean | null {
    const versions = this.#read.versions(row, known, VERSIONS + 1);
    if (versions.length > VERSIONS) return null;
    return versions.some((version) => visibility.had(row.id, version));
  }
}

type Known = Readonly<Record<'began' | 'ended', number>>;

/**
 * What was read of a feed last: many different subscriptions ask for the same documents and versions of a change. They
 * are read, and opened (visibility.ts), once. A commit ends it.
 */
class ReadTogether extends Part<Pick<Transactor, 'feed' | 'versions'>> {
  /** One range: those who are up to date all ask from there on. */
  readonly #rows = new Map<string, readonly ChangeRow[]>();
  #state: FeedTables['state'] = null;
  readonly #versions = new Map<string, readonly Version[]>();

  rows(which: 'after' | 'allAfter', from: number, upTo: number, units: number): readonly ChangeRow[] {
    const key = `${which} ${from} ${upTo} ${units}`;
    if (!this.#rows.has(key)) this.forget();
    return recall(this.#rows, key, () => this.parts.feed[which](from, upTo, STEP_DOCUMENTS, units));
  }

  versions(row: ChangeRow, known: Known, limit: number): readonly Version[] {
    return recall(this.#versions, `${row.id} ${known.began} ${known.ended}`, () =>
      this.parts.versions.between(row.id, known, limit),
    );
  }

  get state(): FeedTables['state'] {
    return (this.#state ??= this.parts.feed.state);
  }

  forget(): void {
    this.#state = null;
    this.#rows.clear();
    this.#versions.clear();
  }
}
