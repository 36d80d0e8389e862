/**
 * One search of a collection: runs a plan over the documents, counts what matches and keeps one page of it. What SQL
 * decides alone is counted and paged by SQL; the rest streams past the matcher, in steps that let others in between.
 */
import { decodeFields, decodeText } from '../domain/codec.ts';
import { LIMITS } from '../domain/limits.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { ObjectId, type Fields } from '../domain/values.ts';
import type { Condition } from '../query/filter/conditions.ts';
import { keyOfValue } from '../query/index/keys.ts';
import type { FindIndex, SqlCondition } from '../query/index/sql.ts';
import { formatCursor, parseCursor, type Key, type Position } from '../query/order/ordering.ts';
import { both, plan, type Plan } from '../query/plan.ts';
import { searchNearest } from './nearest.ts';
import { stored, type Positioned, type Reader, type SortedBy, type StoredDocument } from './records.ts';
import type { ListRequest, ListResult } from './results.ts';
import { readableBy } from './rights.ts';
import { STEP_DOCUMENTS, STEP_UNITS } from './steps.ts';
import { Window } from './window.ts';

const START: Position = { key: [], id: '0'.repeat(24) };

/** So many matches are sorted faster than an index in the order of the sort is walked past all others. */
const FEW = 2_000;

/** A search that looked at more documents than this would have been better off with an index. */
const MANY = 200;

/** A document that matches, as far as its place in the order goes. */
interface Candidate {
  readonly seq: number;
  readonly id: string;
  readonly version: number;
  readonly key: Key;
}

type Found = Outcome<Omit<ListResult, 'counter' | 'plan'>>;

export class Search {
  readonly #records: Reader;
  readonly #type: string;
  readonly #request: ListRequest;
  readonly #plan: Plan;
  readonly #where: SqlCondition;
  #scanned = false;
  #decoded = 0;

  constructor(records: Reader, type: string, request: ListRequest, find: FindIndex) {
    this.#records = records;
    this.#type = type;
    this.#request = request;
    this.#plan = plan(conditionOf(request), request.sort, find);
    // Rights are a condition of the search like any other: what may not be read is never looked at.
    this.#where = both(this.#plan.where, readableBy(request.viewer));
  }

  /** Paths on which indexes served, and, once it has run, paths for want of which documents were scanned. */
  get used(): readonly string[] {
    return this.#plan.used;
  }
  get wanted(): readonly string[] {
    return this.#scanned && this.#decoded > MANY ? this.#plan.wanted : [];
  }

  async run(pause: () => Promise<void>): Promise<Outcome<ListResult>> {
    // Taken first: whatever changes while the search pauses has a number above it, and ends the answer's tag.
    const counter = this.#records.counter();
    const start = this.#start();
    if (start === undefined) {
      return fail('invalid-parameter', 'The cursor is not of this list.', { parameter: 'page[after]' });
    }
    const found =
      this.#inSql(start) ?? (await this.#outward(start, pause)) ?? (await this.#scan(start, pause));
    if (this.#plan.budget.exceeded) {
      const detail = 'The patterns of the filter take too much work over this collection.';
      return fail('invalid-filter', detail, { parameter: 'filter' });
    }
    if (!found.ok) return found;
    const explained = { used: this.#plan.used, scan: this.#scanned, decoded: this.#decoded };
    return ok({ counter, ...found.value, plan: explained });
  }

  /** Where a page by cursor begins; the start of everything for a page by offset. */
  #start(): Position | undefined {
    const { page, sort } = this.#request;
    if (!('after' in page) || page.after === '') return START;
    const keys = sort.length > 0 ? sort.length : this.#plan.ordering === null ? 0 : 1;
    return parseCursor(page.after, keys);
  }

  /** The answer where SQL decides, counts and pages; null where documents must be looked at. */
  #inSql(start: Position): Found | null {
    const { matches, ordering, sortedBy } = this.#plan;
    if (matches !== null) return null;
    if (ordering === null) {
      const after = start === START ? 0 : this.#records.seqUpTo(start.id);
      const page = this.#records.page(after, this.#where, this.#offset, this.#request.page.limit + 1);
      return this.#finish(this.#records.countWhere(this.#where), Array.from(page, stored), () => []);
    }
    if (sortedBy === null) return null;
    const total = this.#records.countWhere(this.#where);
    return total <= FEW ? null : this.#inKeyOrder(start, sortedBy, total);
  }

  #inKeyOrder(start: Position, sortedBy: SortedBy, total: number): Found | null {
    const after = start === START ? null : this.#keyPosition(start);
    // A cursor whose key stands for several values is no place in the order of keys.
    if (after === undefined) return null;
    const { limit } = this.#request.page;
    const page = this.#records.sorted(sortedBy, after, this.#where, this.#offset, limit + 1);
    const documents = Array.from(page, stored);
    return this.#finish(total, documents, (id) => {
      const document = documents.find((each) => each.id === id);
      return document === undefined ? [] : (this.#plan.ordering?.keyOf(this.#fieldsOf(document)) ?? []);
    });
  }

  #keyPosition({ key: [value], id }: Position): { readonly key: string; readonly seq: number } | undefined {
    const key = keyOfValue(value);
    return key.exact ? { key: key.hex, seq: this.#records.seqUpTo(id) } : undefined;
  }

  async #scan(start: Position, pause: () => Promise<void>): Promise<Found> {
    this.#scanned = true;
    const compare = (a: Omit<Candidate, 'seq' | 'version'>, b: Omit<Candidate, 'seq' | 'version'>) =>
      this.#plan.ordering?.compare(a.key, b.key) || (a.id < b.id ? -1 : Number(a.id > b.id));
    const window = new Window<Candidate>(this.#offset + this.#request.page.limit + 1, compare);
    let total = 0;
    let seq = 0;
    for (let more = true; more;) {
      more = false;
      let units = 0;
      let documents = 0;
      for (const document of this.#records.after(seq, this.#where)) {
        ({ seq } = document);
        this.#decoded += 1;
        const fields = this.#fieldsOf(document);
        if (this.#matches(fields)) {
          total += 1;
          const { id, version } = document;
          const candidate = { seq, id, version, key: this.#plan.ordering?.keyOf(fields) ?? [] };
          if (start === START || compare(candidate, start) > 0) window.add(candidate);
        }
        units += document.body.length;
        documents += 1;
        if (documents === STEP_DOCUMENTS || units > STEP_UNITS || this.#plan.budget.exceeded) {
          more = !this.#plan.budget.exceeded;
          break;
        }
      }
      if (more) await pause();
    }
    return this.#answer(total, window.sorted());
  }

  /** The answer where an index of cells gives the nearest first; null where documents must be looked at one by one. */
  async #outward(start: Position, pause: () => Promise<void>): Promise<Found | null> {
    const { nearest, ordering } = this.#plan;
    if (nearest === null || ordering === null) return null;
    const distance = Number(start.key[0] ?? 0);
    // A cursor without a distance is no place in the order of distances.
    if (!(distance >= 0)) return null;
    const query = {
      plan: nearest,
      viewer: this.#request.viewer,
      where: this.#where,
      distanceOf: (document: Positioned) => Number(ordering.keyOf(this.#fieldsOf(document))[0]),
    };
    const after = start === START ? null : { distance, id: start.id };
    const page = await searchNearest(
      this.#records,
      query,
      after,
      this.#offset + this.#request.page.limit + 1,
      pause,
    );
    if (page === null) return null;
    this.#decoded = page.decoded;
    return this.#answer(
      page.total,
      page.found.map(({ distance: key, ...document }) => ({ ...document, key: [key] })),
    );
  }

  /** `candidates` are in order, from the start of the page's offset to one behind the page. */
  #answer(total: number, candidates: readonly Candidate[]): Found {
    const keys = new Map<string, Key>();
    const documents: StoredDocument[] = [];
    for (const candidate of candidates.slice(this.#offset)) {
      const document = this.#current(candidate);
      if (document === undefined) continue;
      documents.push(document);
      keys.set(document.id, candidate.key);
    }
    return this.#finish(total, documents, (id) => keys.get(id) ?? []);
  }

  get #offset(): number {
    const { page } = this.#request;
    return 'offset' in page ? page.offset : 0;
  }

  /** `documents` holds one more than the page, where more follow. */
  #finish(total: number, documents: readonly StoredDocument[], keyOf: (id: string) => Key): Found {
    const { page } = this.#request;
    const shown = documents.slice(0, page.limit);
    if (shown.reduce((units, { body }) => units + body.length, 0) > LIMITS.answer) {
      return fail(
        'answer-too-large',
        'The documents of this page are too large together: ask for fewer at a time.',
      );
    }
    const last = shown.at(-1);
    const follows = 'after' in page && documents.length > page.limit && last !== undefined;
    const next = follows ? formatCursor({ key: keyOf(last.id), id: last.id }) : null;
    return ok({ total, documents: shown, next });
  }

  /** The document of a candidate, unless it was changed or deleted since so that it no longer matches. */
  #current({ seq, id, version }: Candidate): StoredDocument | undefined {
    const document = this.#records.at(seq);
    if (document?.id !== id) return undefined;
    return document.version === version || this.#matches(this.#fieldsOf(document)) ? document : undefined;
  }

  #matches(fields: Fields): boolean {
    return this.#plan.matches === null || this.#plan.matches(fields);
  }

  /** The document as filters see it (decisions, section 2). */
  #fieldsOf({ id, body }: Positioned | StoredDocument): Fields {
    return { ...decodeFields(body), id: new ObjectId(id), type: this.#type };
  }
}

/** The condition of a request: the parser made it and the Worker encoded it. */
export function conditionOf({ condition }: Pick<ListRequest, 'condition'>): Condition {
  return decodeText(condition) as unknown as Condition;
}
