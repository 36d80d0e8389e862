/**
 * Runs a plan: one runner for each way. Some look at no documents, because positions decide what matches; some look at
 * candidates, or at all; one walks over the keys of an index in the order of the answer.
 */
import { type Outcome, fail } from '../../domain/problems.ts';
import { type Plan, type ListedCandidates, POSITIONS_EACH } from '../../plan/plan.ts';
import { allOf, type Candidates } from './candidates.ts';
import { type SearchResult, type SearchRun, candidateAt, type Candidate, readPage } from './run.ts';
import type { Nearest, SortedBy } from '../../plan/prepare.ts';
import { START, type Start, placeOf } from './cursor.ts';
import { searchNearest } from './nearest/nearest.ts';
import { lastOf } from '../rpc/packing/packing.ts';
import { ALWAYS } from '../../query/sql/condition.ts';
import { READ_AT_ONCE, type CollectionState } from '../storage/documents/documents.ts';
import type { StatementPart, Positions } from './reading/rows.ts';
import { noMemory, SortMemory } from '../../domain/work/memory.ts';
import { sizeOfAll } from '../../operators/core/meter.ts';
import type { Match } from './reading/decoder.ts';
import { Slice, TopN, type Bounded } from './top-n.ts';
import { nextLimit, STEP_UNITS } from '../storage/steps.ts';
import { Bitmap } from './bitmap.ts';

/** What the plan finds; null when its way does not answer this search. Up to the position `behind` nothing matches. */
export function answer(run: SearchRun, plan: Plan, behind = 0): Promise<Outcome<SearchResult> | null> {
  const { query } = run.around;
  switch (plan.way) {
    case 'nothing':
      return Promise.resolve(run.found('', false, 0));
    case 'positions-of-an-index':
      // The order may still need what the documents hold.
      return query.ordering === null ? ofPositions(run, plan.listed) : look(run, plan.listed, null);
    case 'page-of-an-index':
      return pageOf(run, (part) => run.around.records.inOrderOf(plan.source, part), plan.total);
    case 'few-candidates':
      return look(run, plan.listed, null);
    case 'outward':
      return outward(run, plan.nearest, plan.total);
    case 'order-of-creation':
      return plan.looks
        ? look(run, allOf(query), plan.total, plan.most, behind)
        : ofCreation(run, plan.total);
    case 'order-of-an-index':
      return walk(run, plan);
    case 'everything':
      return look(run, allOf(query), plan.total);
  }
}

/** The distance in meters at which a page begins; NaN for a cursor that names no place in the order of distances. */
export function distanceOf(start: Start): number {
  return Number(start.key[0] ?? 0);
}

/** The documents of the page, nearest first; null when a full pass costs less. `known`: how many match, if known. */
async function outward(
  run: SearchRun,
  nearest: Nearest,
  known: number | null,
): Promise<Outcome<SearchResult> | null> {
  const { query, viewer, scan, start, records } = run.around;
  const { ordering, fields } = query;
  if (ordering === null) return null;
  const measure = (seqs: readonly number[]) => scan.among(seqs, fields, ordering, nearest.filtered);
  const after = start === START ? null : { distance: distanceOf(start), seq: start.seq };
  const request = { plan: nearest, viewer, measure, known, counted: run.counted && known === null };
  const answer = await searchNearest(records, request, after, run.end, () => scan.yield());
  if (answer === null) return null;
  const found = answer.found.map((each) => ({ ...each, key: [] }));
  return run.fetch(found.slice(run.offset), known ?? answer.total);
}

/** The page among positions that all match, in the order of creation. */
function ofPositions(
  run: SearchRun,
  { seqs }: Pick<ListedCandidates, 'seqs'>,
): Promise<Outcome<SearchResult>> {
  const { start } = run.around;
  const behind = start === START ? seqs : seqs.filter((seq) => seq > start.seq);
  return run.fetch(behind.slice(run.offset, run.end).map(candidateAt), seqs.length);
}

/** The page of all documents that the viewer may read, or have ids in a range, in the order of creation. */
function ofCreation(run: SearchRun, total: number | null): Promise<Outcome<SearchResult>> {
  const { viewer, records, state, query } = run.around;
  const positionsOf = (part: StatementPart) =>
    viewer === null
      ? records.inOrderOfCreation(
          query.ids === null ? skipped(part, state) : part,
          state.idsAscend,
          query.ids,
        )
      : records.readable.page(viewer, part);
  return pageOf(run, positionsOf, total);
}

/** The same part of all documents, which begins without a walk past the first ones where no position is free. */
function skipped(
  { after, limit, offset }: StatementPart,
  { documents, first, last }: CollectionState,
): StatementPart {
  const isDense = last - first + 1 === documents;
  if (after > 0 || offset === 0 || !isDense) return { after, limit, offset };
  return { after: Math.min(first - 1 + offset, last), limit, offset: 0 };
}

/** The page of positions that surely match; `positionsOf` gives a part of them. */
async function pageOf(
  run: SearchRun,
  positionsOf: (part: StatementPart) => Positions,
  total: number | null,
): Promise<Outcome<SearchResult>> {
  const { start, page, permit, records, auditFields } = run.around;
  const { limit, units } = page;
  const part = { after: start.seq, limit, offset: run.offset };
  if (limit >= READ_AT_ONCE || !permit.isFree || units !== undefined) {
    const positions = positionsOf({ ...part, limit: limit + 1 });
    return run.fetch(records.seqs(positions).map(candidateAt), total, ALWAYS);
  }
  // Where it is not known how many there are behind the page, one more document tells whether others follow.
  const left = start === START && total !== null ? total - run.offset : null;
  const positions = positionsOf(left === null ? { ...part, limit: limit + 1 } : part);
  const read = readPage(records, positions, limit, auditFields);
  if (!read.ok) return read;
  const { documents, more } = read.value;
  return run.found(documents, left === null ? more : left > limit, total, lastOf(documents));
}

/**
 * Looks at candidates for the page, and at all of them if their number is asked for and not known yet; null where the
 * page is not full after `most` of them. Up to the position `behind` there is no match.
 */
async function look(
  run: SearchRun,
  candidates: Candidates,
  known: number | null,
  most = Infinity,
  behind = 0,
): Promise<Outcome<SearchResult> | null> {
  const { query, scan, start } = run.around;
  const { ordering, fields } = query;
  const memory = new SortMemory();
  const selection = selectionOf(run, memory);
  const counts = known === null && run.counted;
  let total = 0;
  let last = 0;
  const names = ordering === null ? [] : fields;
  // In the order of ids, candidates before the start are only counted.
  const from = Math.max(behind, ordering === null && !counts ? start.seq : 0);
  const visit = (match: Match) => {
    total += 1;
    last = match.seq;
    const candidate = placed(run, match);
    if (start === START || run.compare(candidate, start) > 0) selection.add(candidate);
    // If the rest must be counted, that is faster without looking at each.
    return selection.isFull() || selection.tooHeavy ? 'enough' : 'more';
  };
  const expected = ordering === null ? run.end : Infinity;
  try {
    if (!(await scan.each(candidates, from, names, visit, expected, most))) return null;
    if (memory.isDenied) return noMemory();
    // Only then is it known what stays.
    const shown = selection.page();
    if (selection.tooHeavy)
      return fail(
        'answer-too-large',
        'The values that this page and all before it are sorted by are too large together: page by cursor.',
      );
    if (counts && selection.isFull()) total += await scan.count(candidates, last);
    return await run.fetch(shown, counts ? total : known);
  } finally {
    memory.release();
  }
}

function selectionOf(run: SearchRun, memory: SortMemory): Bounded<Candidate> {
  const { query, page } = run.around;
  return query.ordering === null
    ? new Slice(run.offset, page.limit + 1)
    : new TopN(
        run.offset,
        page.limit + 1,
        (a, b) => run.compare(a, b),
        ({ key }) => 72 + sizeOfAll(key),
        memory.hold,
      );
}

function placed({ around }: SearchRun, { seq, version, fields }: Match): Candidate {
  return { seq, version, key: fields === null ? [] : (around.query.ordering?.keyOf(fields) ?? []) };
}

/** Walks the keys up to the end of the page; null when the index cannot serve it. */
async function walk(
  run: SearchRun,
  { sortedBy, total, looks, among }: Plan & { readonly way: 'order-of-an-index' },
): Promise<Outcome<SearchResult> | null> {
  if (among !== null) return walkAmong(run, sortedBy, among);
  const { page, query, scan, records, start, tuning } = run.around;
  let after = start === START ? null : placeOf(start, sortedBy);
  // A cursor whose key stands for several values names no place in the order of keys.
  if (after === undefined) return null;
  if (!looks) {
    // Every key is that of a match.
    const place = after;
    return pageOf(run, (part) => records.passes.inOrderOfKeys(sortedBy, place, part), total);
  }
  const { test } = allOf(query);
  const reading = scan.decoder.reading(test, []);
  const wanted = scan.wanted(test.may);
  const selection = new Slice<Candidate>(run.offset, page.limit + 1);
  const most = Math.max(1, Math.floor(tuning.walkedKeys / scan.load));
  let limit = Math.min(run.end, most);
  let unrested = 0;
  while (!selection.isFull()) {
    let rows = 0;
    let units = 0;
    for (const { key, matches, row } of records.passes.inKeyOrder(sortedBy, after, wanted, reading, limit)) {
      rows += 1;
      after = { key, seq: row.seq };
      const match = matches ? scan.decoder.open(row, reading) : null;
      if (match !== null) selection.add({ seq: match.seq, version: match.version, key: [] });
      units += scan.unitsOf(row);
      if (selection.isFull() || query.budget.exceeded || units > STEP_UNITS) break;
    }
    scan.passed(rows);
    // A piece is read to its end: where every key matches, the first one is no more than the page.
    if (selection.isFull() || query.budget.exceeded || (rows < limit && units <= STEP_UNITS)) break;
    unrested += units;
    if (limit >= most || unrested > STEP_UNITS) {
      unrested = 0;
      await scan.yield();
    }
    limit = nextLimit(limit, { rows, units }, most);
    if (!isOrder(sortedBy)) return null;
  }
  return run.fetch(selection.page(), total);
}

/** The same where all matches are known: no document is looked at. */
async function walkAmong(
  run: SearchRun,
  sortedBy: SortedBy,
  seqs: readonly number[],
): Promise<Outcome<SearchResult> | null> {
  const { page, records, start, scan, state, tuning } = run.around;
  let after = start === START ? null : placeOf(start, sortedBy);
  if (after === undefined) return null;
  const matches = new Bitmap(seqs.at(-1) ?? 0, seqs);
  const selection = new Slice<Candidate>(run.offset, page.limit + 1);
  const most = tuning.walkedKeys * POSITIONS_EACH;
  let limit = Math.min(most, Math.ceil((run.end * state.documents) / Math.max(1, seqs.length)));
  for (;;) {
    const keys = records.passes.positionsInKeyOrder(sortedBy, after, limit);
    for (const seq of keys.seqs) if (matches.has(seq)) selection.add(candidateAt(seq));
    if (selection.isFull() || keys.seqs.length < limit) break;
    after = keys.last;
    if (limit === most) await scan.yield();
    limit = Math.min(limit * 4, most);
    if (!isOrder(sortedBy)) return null;
  }
  return run.fetch(selection.page(), seqs.length);
}

/** Whether each document still has one key: if a write gave it several, the walk would meet it several times. */
function isOrder({ index }: SortedBy): boolean {
  return index === 'id' || (index.single && index.exact);
}
