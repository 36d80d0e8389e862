/** The plain inputs of plans, for their unit tests. */
import type { PathIndex } from '../../src/query/index/path-index.ts';
import type { SortField } from '../../src/query/order/sort.ts';
import type { Inputs, ListedCandidates, Measured } from '../../src/plan/plan.ts';
import { prepare } from '../../src/plan/prepare.ts';
import { CERTAIN, UNKNOWN } from '../../src/query/sql/body-test.ts';
import { conditionOf } from './conditions.ts';

export const DOCUMENTS = 10_000;
const POINT = '{"$near":{"$geometry":{"type":"Point","coordinates":[0,0]}}}';

/** What is asked: a filter, an order, indexes by their names. */
interface Question {
  readonly filter?: string;
  readonly sort?: readonly SortField[];
  readonly indexes?: readonly string[];
  readonly documents?: number;
}

export const by = (name: string): SortField => ({ path: [name], direction: 'ascending' });

export function inputsOf(
  { filter = '{}', sort = [], indexes = [], documents = DOCUMENTS }: Question,
  rest: Partial<Omit<Inputs, 'query'>> = {},
): Inputs & { readonly query: ReturnType<typeof prepare> } {
  const known = new Map(
    indexes.map((name, id): [string, PathIndex] => [name, { id, exact: true, single: true }]),
  );
  const query = prepare({ condition: conditionOf(filter), sort }, (name) => known.get(name), {
    type: 'places',
    documents,
    idsAscend: true,
  });
  return { query, viewer: 'nobody', documents, end: 21, startsAtDistance: true, counted: true, ...rest };
}

export const listed = (settled: boolean): ListedCandidates => ({
  seqs: [1, 2],
  test: settled ? CERTAIN : UNKNOWN,
  settled,
});
export const unknown: Measured = { total: null, failed: [] };
export const total = (count: number): Measured => ({ total: count, failed: [] });

export const EXACT: Question = { filter: '{"n":1}', indexes: ['n'] };
export const RANGE: Question = { filter: '{"n":{"$gt":1}}', indexes: ['n'] };
export const PART: Question = { filter: '{"n":1,"s":{"$regex":"x"}}', indexes: ['n'] };
export const UNSERVED: Question = { filter: '{"n":1}' };
export const NEAR: Question = { filter: `{"at":${POINT}}`, indexes: ['$cells.at'] };
export const SORTED: Question = { sort: [by('n')], indexes: ['n'] };
