/**
 * One search of a collection: runs a plan over the documents, counts what matches and fetches one page of it. The
 * cheapest way that gives the exact answer is taken: positions from an index, the order of an index, the order of
 * creation up to the end of the page, or a pass over everything.
 */
import { decodeText } from '../../domain/codec.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { Condition } from '../../operators/filter/conditions.ts';
import { CERTAIN, isCertain } from '../../query/sql/body-test.ts';
import { ALWAYS } from '../../query/sql/condition.ts';
import type { FindIndex } from '../../query/index/path-index.ts';
import { weightOfKey, type Key } from '../../query/order/ordering.ts';
import { plan, type Plan, type Source } from '../../query/plan/plan.ts';
import type { Counts } from './count-cache.ts';
import { searchNearest } from './nearest/nearest.ts';
import { Pace, Passage } from './pace.ts';
import { packDocuments } from '../rpc/packing.ts';
import { fetchPage, lastInPlace, READ_AT_ONCE, readPage, tooDeep, turnOf } from './page.ts';
import type { State } from '../storage/documents.ts';
import type { SortedBy } from './rows.ts';
import type { Part, Positions, SearchReader } from './reader.ts';
import type { ListRequest, ListResult } from '../rpc/results.ts';
import { isMany, mayRead } from '../storage/rights.ts';
import { Scan, type Candidates, type Listed, type Match } from './scan.ts';
import { cursorAt, placeOf, START, startOf, type Start } from './cursor.ts';
import { Slice, TopN, type Kept } from './top-n.ts';
import { TUNING, type Tuning } from './tuning.ts';

/** A matching document: its place in the order. */
interface Candidate {
  readonly seq: number;
  readonly version: number;
  readonly key: Key;
}

/** A search that looked at more documents than this would have been faster with an index. */
const MANY = 200;

type Found = Omit<ListResult, 'counter' | 'plan'>;

/** What a search runs over. */
export interface Searched {
  readonly records: SearchReader;
  /** The counter when the search begins: a change during a pause has a larger number, and makes the tag stale. */
  readonly state: State;
  readonly type: string;
  readonly find: FindIndex;
  readonly counts: Counts;
  /** Lets other requests in between. */
  readonly pause: () => Promise<void>;
  /** How the page leaves the object; without it, the page does not wait. */
  readonly passage?: Passage;
  readonly tuning?: Tuning;
}

export class Search {
  readonly #records: SearchReader;
  readonly #state: State;
  readonly #request: ListRequest;
  readonly #plan: Plan;
  readonly #counts: Counts;
  readonly #scan: Scan;
  readonly #pause: () => Promise<void>;
  readonly #tuning: Tuning;
  readonly #passage: Passage;
  #scanned = false;

  constructor(
    {
      records,
      state,
      type,
      find,
      counts,
      pause,
      passage = new Passage(new Pace()),
      tuning = TUNING,
    }: Searched,
    request: ListRequest,
    condition: Condition,
  ) {
    this.#tuning = tuning;
    this.#passage = passage;
    this.#records = records;
    this.#state = state;
    this.#request = request;
    this.#plan = plan(condition, request.sort, find, { type, documents: state.documents });
    this.#counts = counts;
    // Rights are a condition of the search like any other: it never looks at documents that the viewer may not read.
    this.#scan = new Scan(records, type, this.#plan, request.viewer, pause, tuning);
    this.#pause = () => this.#scan.rest();
  }

  /** Paths whose indexes were used, and how many documents the search did not look at because of them. */
  get used(): readonly string[] {
    return this.#plan.used;
  }
  get saved(): number {
    return this.#scanned ? 0 : Math.max(0, this.#state.documents - this.#scan.visited);
  }

  /** After the run: paths that lack an index, and how many documents the search looked at for that reason. */
  get wanted(): readonly string[] {
    return this.#scanned && this.looked > MANY ? this.#plan.wanted : [];
  }
  get looked(): number {
    return this.#scan.visited;
  }

  async run(): Promise<Outcome<ListResult>> {
    const { counter } = this.#state;
    const start = this.#start();
    if (!start.ok) return start;
    const found = await this.#find(start.value, this.#known(counter));
    if (this.#plan.budget.exceeded) {
      const detail = 'The patterns of the filter take too much work over this collection.';
      return fail('invalid-filter', detail, { parameter: 'filter' });
    }
    if (!found.ok) return found;
    // The count belongs to this counter: after another write nobody asks for it any more.
    this.#counts.put(this.#request, counter, found.value.total);
    const { decoded, visited } = this.#scan;
    const explained = { used: this.used, scan: this.#scanned, visited, decoded };
    return ok({ counter, ...found.value, plan: { ...explained, rows: this.#records.rowsRead } });
  }

  /** Where a page by cursor begins; the start of everything for a page by offset. */
  #start(): Outcome<Start> {
    const { page, viewer } = this.#request;
    return 'after' in page ? startOf(page.after, this.#order, this.#records, viewer) : ok(START);
  }

  get #order() {
    const whole = (id: string, body: string) => this.#scan.whole(id, body);
    return { ordering: this.#plan.ordering, whole };
  }

  /** The number of matches, if it is known already. */
  #known(counter: number): number | null {
    const { viewer } = this.#request;
    if (this.#plan.nothing) return 0;
    if (this.#plan.everything && viewer === null) return this.#state.documents;
    const counted = this.#counts.get(this.#request, counter);
    if (counted !== undefined) return counted;
    return this.#plan.everything && viewer !== null && !isMany(viewer)
      ? this.#records.countReadable(viewer)
      : null;
  }

  async #find(start: Start, known: number | null): Promise<Outcome<Found>> {
    const { everything, ordering, sortedBy } = this.#plan;
    if (known === 0) return ok({ total: 0, documents: '', next: null });
    const inOrder = everything && ordering === null && !isMany(this.#request.viewer);
    if (inOrder && known !== null) return this.#inOrderOfCreation(start, known);
    const nearest = await this.#outward(start);
    if (nearest !== null) return nearest;
    const { viewer } = this.#request;
    const deciding = viewer === null ? this.#decidingSource() : null;
    let total = known;
    if (deciding !== null && total === null) {
      const { small } = this.#tuning;
      const seqs = this.#records.positions(deciding, ALWAYS, small + 1);
      if (seqs.length <= small) return this.#inList({ seqs, test: CERTAIN }, start);
      total = this.#records.countPositions(deciding, ALWAYS, -1);
    }
    if (total !== null && deciding?.ascending === true && ordering === null) {
      return this.#inOrderOf(deciding, start, total);
    }
    if (total === null || !this.#isBroad(total)) {
      const listed = this.#scan.listed();
      if (listed !== null) return this.#inList(listed, start);
    }
    if (total !== null && sortedBy !== null) {
      const walked = await this.#walk(sortedBy, start, total);
      if (walked !== null) return walked;
    }
    // If the filter has an index and the order needs none, the pass ends with the page.
    this.#scanned = ordering !== null || total === null || this.#plan.sources.length === 0;
    return this.#look(this.#scan.all(), start, total);
  }

  /** The source that alone decides what matches, or null. */
  #decidingSource(): Source | null {
    const [source, other] = this.#plan.sources;
    return source !== undefined && other === undefined && isCertain(source.test()) ? source : null;
  }

  /**
   * Whether this number of matches is so dense that walking past other documents costs less than listing all matches.
   */
  #isBroad(total: number): boolean {
    const { ordering, sortedBy, everything, sources } = this.#plan;
    if (ordering !== null && sortedBy === null) return false;
    if (!everything && sources.length === 0) return true;
    const walked = ((this.#offset + this.#request.page.limit + 1) * this.#state.documents) / total;
    return walked < total;
  }

  #inOrderOfCreation(start: Start, total: number): Promise<Outcome<Found>> {
    const { viewer } = this.#request;
    const part = this.#part(start);
    const positions =
      viewer === null ? this.#records.inOrderOfCreation(part) : this.#records.readable(viewer, part);
    return this.#pageOf(positions, total);
  }

  /** The page if an index gives all matches in the order of creation. */
  #inOrderOf(source: Source, start: Start, total: number): Promise<Outcome<Found>> {
    return this.#pageOf(this.#records.inOrderOf(source, this.#part(start)), total);
  }

  /** The positions of the page, and one more if others follow. */
  #part({ seq }: Start): Part {
    return { after: seq, limit: this.#request.page.limit + 1, offset: this.#offset };
  }

  /** The page at positions of certain matches. */
  async #pageOf(positions: Positions, total: number): Promise<Outcome<Found>> {
    const { limit } = this.#request.page;
    if (limit >= READ_AT_ONCE || !this.#passage.isFree)
      return this.#fetch(this.#records.seqs(positions).map(candidateAt), total, ALWAYS);
    const page = readPage(this.#records, positions, limit);
    if (!page.ok) return page;
    const shown = page.value.slice(0, limit);
    return this.#found(shown, page.value.length > limit, total, shown.at(-1));
  }

  /** The page from a list of candidates. */
  async #inList({ seqs, test }: Listed, start: Start): Promise<Outcome<Found>> {
    if (test !== CERTAIN || this.#plan.ordering !== null) return this.#look({ seqs, test }, start, null);
    // A document that an index found by an exact condition need not be looked at.
    const behind = start === START ? seqs : seqs.filter((seq) => seq > start.seq);
    const end = this.#offset + this.#request.page.limit + 1;
    return this.#fetch(behind.slice(this.#offset, end).map(candidateAt), seqs.length);
  }

  /** Looks at candidates for the page, and at all of them if they are not counted yet. */
  async #look(candidates: Candidates, start: Start, known: number | null): Promise<Outcome<Found>> {
    const { ordering, fields } = this.#plan;
    const kept = this.#keep();
    let total = 0;
    let last = 0;
    const names = ordering === null ? [] : fields;
    // In the order of ids, candidates before the start are only counted.
    const from = ordering === null && known !== null ? start.seq : 0;
    const visit = (match: Match) => {
      total += 1;
      last = match.seq;
      const candidate = this.#place(match);
      if (start === START || this.#compare(candidate, start) > 0) kept.add(candidate);
      // If the rest must be counted, that is faster without looking at each.
      return kept.isFull() ? 'enough' : 'more';
    };
    const expected = ordering === null ? this.#offset + this.#request.page.limit + 1 : Infinity;
    await this.#scan.each(candidates, from, names, visit, expected);
    if (known === null && kept.isFull()) total += await this.#scan.count(candidates, last);
    if (kept.tooHeavy) return tooDeep();
    return this.#fetch(kept.page(), known ?? total);
  }

  /**
   * Searches outward from a point over an index of cells; null when that is impossible, or costs more than a full pass.
   */
  async #outward(start: Start): Promise<Outcome<Found> | null> {
    const { nearest, ordering } = this.#plan;
    const { viewer, page } = this.#request;
    if (nearest === null || ordering === null || isMany(viewer)) return null;
    const distance = Number(start.key[0] ?? 0);
    // A cursor without a distance names no place in the order of distances.
    if (!(distance >= 0)) return null;
    const measure = (seqs: readonly number[]) => this.#scan.among(seqs, this.#plan.fields, ordering);
    const query = { plan: nearest, viewer, measure };
    const after = start === START ? null : { distance, seq: start.seq };
    const size = this.#offset + page.limit + 1;
    const answer = await searchNearest(this.#records, query, after, size, this.#pause);
    if (answer === null) return null;
    const found = answer.found.map((each) => ({ ...each, key: [] }));
    return this.#fetch(found.slice(this.#offset), answer.total);
  }

  /** Walks the keys of an index in the order of the answer; null when the index cannot serve it. */
  async #walk(sortedBy: SortedBy, start: Start, total: number): Promise<Outcome<Found> | null> {
    const { viewer, page } = this.#request;
    let after = start === START ? null : placeOf(start, sortedBy);
    // A cursor whose key stands for several values names no place in the order of keys.
    if (after === undefined) return null;
    const { test } = this.#scan.all();
    const reading = this.#scan.reading(test, []);
    const where = this.#scan.readable(test.may);
    const all = this.#plan.everything && viewer === null;
    const kept = new Slice<Candidate>(all ? 0 : this.#offset, page.limit + 1);
    let offset = all ? this.#offset : 0;
    while (!kept.isFull()) {
      let rows = 0;
      const walked = Math.max(1, Math.floor(this.#tuning.walkedKeys / this.#scan.weight));
      const limit = all ? page.limit + 1 : walked;
      for (const { key, matches, row } of this.#records.inKeyOrder(sortedBy, after, where, reading, {
        offset,
        limit,
      })) {
        rows += 1;
        after = { key, seq: row.seq };
        const match = matches ? this.#scan.open(row, reading) : null;
        if (match !== null) kept.add({ seq: match.seq, version: match.version, key: [] });
        if (kept.isFull() || this.#plan.budget.exceeded) break;
      }
      if (rows < limit || kept.isFull() || this.#plan.budget.exceeded) break;
      offset = 0;
      await this.#pause();
      // A write has given a document several keys: the walk would meet it several times.
      if (sortedBy.index !== 'id' && !(sortedBy.index.single && sortedBy.index.exact)) return null;
    }
    return this.#fetch(kept.page(), total);
  }

  #keep(): Kept<Candidate> {
    const { limit } = this.#request.page;
    return this.#plan.ordering === null
      ? new Slice(this.#offset, limit + 1)
      : new TopN(this.#offset, limit + 1, (a, b) => this.#compare(a, b), weightOfCandidate);
  }

  #place({ seq, version, fields }: Match): Candidate {
    return { seq, version, key: fields === null ? [] : (this.#plan.ordering?.keyOf(fields) ?? []) };
  }

  /** Ids ascend with positions. */
  #compare(a: Start, b: Start): number {
    return this.#plan.ordering?.compare(a.key, b.key) || a.seq - b.seq;
  }

  get #offset(): number {
    const { page } = this.#request;
    return 'offset' in page ? page.offset : 0;
  }

  /** The page of candidates; there is one candidate more if others follow. */
  async #fetch(
    candidates: readonly Candidate[],
    total: number,
    readable = mayRead(this.#request.viewer),
  ): Promise<Outcome<Found>> {
    const { page } = this.#request;
    const shown = candidates.slice(0, page.limit);
    const turn = await turnOf(this.#passage, this.#records, shown, this.#scan);
    if (!turn.ok) return turn;
    const allowed = turn.value ? mayRead(this.#request.viewer) : readable;
    const documents = await fetchPage(this.#records, allowed, shown, this.#scan);
    if (!documents.ok) return documents;
    // One that changed while the search paused may sort elsewhere now.
    const moved = this.#scan.paused && this.#plan.ordering !== null;
    const last = moved ? lastInPlace(documents.value, shown, this.#state.counter) : documents.value.at(-1);
    // The candidates decide whether others follow: documents may have been deleted during a pause.
    return this.#found(documents.value, candidates.length > page.limit, total, last);
  }

  /** `last`: the document after which the next page begins; without one, it begins where this page began. */
  #found(documents: readonly string[], moreFollow: boolean, total: number, last?: string): Outcome<Found> {
    const { page } = this.#request;
    const follows = moreFollow && 'after' in page;
    const next = follows ? (last === undefined ? page.after : cursorAt(last, this.#order)) : null;
    const packed = packDocuments(documents);
    this.#passage.holds(packed.length);
    return ok({ total, documents: packed, next });
  }
}

/** A candidate that was not looked at yet, so it cannot have changed since. */
function candidateAt(seq: number): Candidate {
  return { seq, version: 0, key: [] };
}

function weightOfCandidate({ key }: Candidate): number {
  return 64 + weightOfKey(key);
}

/** The condition of a request: the parser made it and the Worker encoded it. */
export function conditionOf({ condition }: Pick<ListRequest, 'condition'>): Condition {
  return decodeText(condition) as unknown as Condition;
}
