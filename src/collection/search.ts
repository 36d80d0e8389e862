/**
 * One search of a collection: runs a plan over the documents, counts what matches and keeps one page of it. What SQL
 * decides alone is counted and paged by SQL; the rest streams past the matcher, in steps that let others in between.
 */
import { decodeFields, decodeText } from '../domain/codec.ts';
import { LIMITS } from '../domain/limits.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { ObjectId, type Fields } from '../domain/values.ts';
import type { Condition } from '../query/filter/conditions.ts';
import { formatCursor, parseCursor, type Key, type Position } from '../query/order/ordering.ts';
import { both, plan, type Plan, type SqlCondition } from '../query/plan.ts';
import { readableBy } from './rights.ts';
import { stored, type Positioned, type Reader, type StoredDocument } from './records.ts';
import type { ListRequest, ListResult } from './results.ts';
import { STEP_DOCUMENTS, STEP_UNITS } from './steps.ts';
import { Window } from './window.ts';

const START: Position = { key: [], id: '0'.repeat(24) };

/** A document that matches, as far as its place in the order goes. */
interface Candidate {
  readonly seq: number;
  readonly id: string;
  readonly version: number;
  readonly key: Key;
}

export class Search {
  readonly #records: Reader;
  readonly #type: string;
  readonly #request: ListRequest;
  readonly #plan: Plan;
  readonly #where: SqlCondition;

  constructor(records: Reader, type: string, request: ListRequest) {
    this.#records = records;
    this.#type = type;
    this.#request = request;
    // The tree was made by the parser and encoded by the Worker: it is a condition.
    this.#plan = plan(decodeText(request.condition) as unknown as Condition, request.sort);
    // Rights are a condition of the search like any other: what may not be read is never looked at.
    this.#where = both(this.#plan.where, readableBy(request.viewer));
  }

  get needsWords(): boolean {
    return this.#plan.needsWords;
  }

  async run(pause: () => Promise<void>): Promise<Outcome<ListResult>> {
    // Taken first: whatever changes while the search pauses has a number above it, and ends the answer's tag.
    const counter = this.#records.counter();
    const start = this.#start();
    if (start === undefined) {
      return fail('invalid-parameter', 'The cursor is not of this list.', { parameter: 'page[after]' });
    }
    const { matches, ordering } = this.#plan;
    const found =
      matches === null && ordering === null ? this.#pageInSql(start) : await this.#scan(start, pause);
    if (this.#plan.budget.exceeded) {
      const detail = 'The patterns of the filter take too much work over this collection.';
      return fail('invalid-filter', detail, { parameter: 'filter' });
    }
    return found.ok ? ok({ counter, ...found.value }) : found;
  }

  /** Where a page by cursor begins; the start of everything for a page by offset. */
  #start(): Position | undefined {
    const { page, sort } = this.#request;
    if (!('after' in page) || page.after === '') return START;
    const keys = sort.length > 0 ? sort.length : this.#plan.ordering === null ? 0 : 1;
    return parseCursor(page.after, keys);
  }

  #pageInSql(start: Position): Outcome<Omit<ListResult, 'counter'>> {
    const where = this.#where;
    const { limit } = this.#request.page;
    const after = start === START ? 0 : this.#records.seqUpTo(start.id);
    const documents: StoredDocument[] = [];
    // One more than asked for tells whether another page follows.
    for (const document of this.#records.page(after, where, this.#offset, limit + 1))
      documents.push(stored(document));
    return this.#finish(this.#records.countWhere(where), documents, () => []);
  }

  async #scan(start: Position, pause: () => Promise<void>): Promise<Outcome<Omit<ListResult, 'counter'>>> {
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
    const keys = new Map<string, Key>();
    const documents: StoredDocument[] = [];
    for (const candidate of window.sorted().slice(this.#offset)) {
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

  #finish(
    total: number,
    documents: readonly StoredDocument[],
    keyOf: (id: string) => Key,
  ): Outcome<Omit<ListResult, 'counter'>> {
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
    return ok({
      total,
      documents: shown,
      next: follows ? formatCursor({ key: keyOf(last.id), id: last.id }) : null,
    });
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
