/** The plan of a search: each way, and each measurement that decides between ways, from plain inputs, no tables. */
import { describe, expect, test } from 'vitest';
import { planOf, type Inputs, type ListedCandidates, type Measured } from '../../src/plan/plan.ts';
import { CERTAIN } from '../../src/query/sql/body-test.ts';
import {
  DOCUMENTS,
  by,
  inputsOf,
  listed,
  unknown,
  total,
  EXACT,
  RANGE,
  PART,
  UNSERVED,
  NEAR,
  SORTED,
} from '../support/plan-inputs.ts';

describe('the way of a search', () => {
  test.each<[string, Inputs, Measured, object]>([
    ['nothing, where the count is known to be none', inputsOf(EXACT), total(0), { way: 'nothing' }],
    [
      'positions of an index that decides alone and has a few',
      inputsOf(EXACT),
      { ...unknown, few: [3, 4] },
      { way: 'positions-of-an-index', listed: { seqs: [3, 4], settled: true } },
    ],
    [
      'positions of an index, sorted',
      inputsOf({ ...EXACT, sort: [by('s')] }),
      { ...unknown, few: [3, 4] },
      { way: 'positions-of-an-index' },
    ],
    [
      'order of an index, where indexes list many together: they are counted, too',
      inputsOf({ filter: '{"n":{"$gt":1},"s":2}', indexes: ['n', 's'], sort: [by('n')] }),
      {
        ...unknown,
        listed: { seqs: Array.from({ length: 500 }, (_, at) => at), test: CERTAIN, settled: true },
      },
      { way: 'order-of-an-index', total: 500 },
    ],
    [
      'positions that an index lists and that need no look',
      inputsOf(RANGE),
      { ...total(300), listed: listed(true) },
      { way: 'positions-of-an-index', listed: { settled: true } },
    ],
    [
      'a page of an index that gives many in their order',
      inputsOf(EXACT),
      total(5_000),
      { way: 'page-of-an-index', total: 5_000 },
    ],
    [
      'few candidates, where an index serves a part',
      inputsOf(PART),
      { ...unknown, listed: listed(false) },
      { way: 'few-candidates' },
    ],
    [
      'few candidates, where the viewer may read few documents',
      inputsOf(UNSERVED, { viewer: 'few' }),
      { ...unknown, listed: listed(false) },
      { way: 'few-candidates' },
    ],
    ['outward from a point', inputsOf(NEAR), unknown, { way: 'outward' }],
    [
      'order of creation without a filter',
      inputsOf({}),
      total(DOCUMENTS),
      { way: 'order-of-creation', looks: false },
    ],
    [
      'order of creation, for what a viewer may read',
      inputsOf({}, { viewer: 'few' }),
      total(50),
      { way: 'order-of-creation', looks: false },
    ],
    [
      'order of creation, where many documents match',
      inputsOf(UNSERVED),
      total(9_000),
      { way: 'order-of-creation', looks: true },
    ],
    [
      'order of an index',
      inputsOf(SORTED),
      total(DOCUMENTS),
      { way: 'order-of-an-index', sortedBy: { descending: false } },
    ],
    [
      'order of an index within the range that the filter asks for, however few match',
      inputsOf({ ...RANGE, sort: [by('n')] }),
      total(300),
      { way: 'order-of-an-index', sortedBy: { within: { from: expect.any(String) as string } } },
    ],
    [
      'order of the primary key, backwards',
      inputsOf({ sort: [{ path: ['id'], direction: 'descending' }] }),
      total(DOCUMENTS),
      { way: 'order-of-an-index', sortedBy: { index: 'id', descending: true } },
    ],
    [
      'everything, without an index',
      inputsOf(UNSERVED),
      { ...unknown, listed: null },
      { way: 'everything', total: null },
    ],
    [
      'everything, for an order that no index has',
      inputsOf({ sort: [by('s')] }),
      { ...total(DOCUMENTS), listed: null },
      { way: 'everything', total: DOCUMENTS },
    ],
  ])('%s', (_way, inputs, measured, plan) => {
    expect(planOf(inputs, measured)).toMatchObject(plan);
  });
});

describe('what must be measured first', () => {
  test.each<[string, Inputs, Measured, object]>([
    [
      'whether an index that decides alone has a few positions',
      inputsOf(EXACT),
      unknown,
      { measure: 'few-positions' },
    ],
    ['how many they are, if not', inputsOf(EXACT), { ...unknown, few: null }, { measure: 'count' }],
    ['candidates, where an index serves a part', inputsOf(PART), unknown, { measure: 'candidates' }],
    [
      'candidates among what a viewer may read',
      inputsOf(EXACT, { viewer: 'few' }),
      unknown,
      { measure: 'candidates' },
    ],
    ['candidates, for matches that lie far apart', inputsOf(RANGE), total(300), { measure: 'candidates' }],
    [
      'candidates, for an order that no index has',
      inputsOf({ sort: [by('s')] }),
      total(5),
      { measure: 'candidates' },
    ],
    [
      'candidates of a viewer of many identities',
      inputsOf({}, { viewer: 'many' }),
      unknown,
      { measure: 'candidates' },
    ],
  ])('%s', (_what, inputs, measured, measurement) => {
    expect(planOf(inputs, measured)).toMatchObject(measurement);
  });
});

/** Not asked for: the count is not known, and nothing measures it. */
const uncounted = { counted: false } as const;

test('all matches of words are listed: to ask for words at each step of a walk would cost them all at each', () => {
  const inputs = inputsOf({ filter: '{"$text":{"$search":"x"}}', indexes: ['n'], sort: [by('n')] });
  const seqs = Array.from({ length: 5_000 }, (_, at) => at);
  const measured = { ...unknown, few: null };
  for (const known of [measured, total(seqs.length)]) {
    expect(planOf(inputs, known)).toEqual({ measure: 'candidates', walks: false });
  }
  const all: ListedCandidates = { seqs, test: CERTAIN, settled: true };
  const plan = planOf(inputs, { ...measured, listed: all });
  expect(plan).toMatchObject({ way: 'order-of-an-index', total: seqs.length, looks: false, among: seqs });
  // Too many to be listed: then they are counted, and the walk asks for words.
  expect(planOf(inputs, { ...measured, listed: null })).toMatchObject({ measure: 'count' });
  expect(planOf(inputs, { ...total(9_000), listed: null })).toMatchObject({ looks: true, among: null });
});

test('listed matches are looked at where a walk over keys would meet them late', () => {
  const inputs = inputsOf({ filter: '{"$text":{"$search":"x"}}', indexes: ['n'], sort: [by('n')] });
  const listing = (count: number): ListedCandidates => ({
    seqs: Array.from({ length: count }, (_, at) => at),
    test: CERTAIN,
    settled: true,
  });
  // 21 of 100 among 10,000 keys are 2,100 keys, of which 20 cost one look.
  expect(planOf(inputs, { ...unknown, few: null, listed: listing(100) })).toMatchObject({
    way: 'positions-of-an-index',
  });
  expect(planOf(inputs, { ...unknown, few: null, listed: listing(110) })).toMatchObject({
    way: 'order-of-an-index',
  });
});

describe('where nobody asks for the count', () => {
  test.each<[string, Inputs, Measured, object]>([
    [
      'order of creation without a filter',
      inputsOf({}, { ...uncounted, viewer: 'few' }),
      unknown,
      { way: 'order-of-creation', looks: false, total: null },
    ],
    [
      'positions of an index that decides alone and has a few',
      inputsOf(EXACT, uncounted),
      { ...unknown, few: [3, 4] },
      { way: 'positions-of-an-index' },
    ],
    [
      'a page of an index that has many, which are not counted',
      inputsOf(EXACT, uncounted),
      { ...unknown, few: null },
      { way: 'page-of-an-index', total: null },
    ],
    [
      'candidates of an index without their order',
      inputsOf(RANGE, uncounted),
      { ...unknown, few: null },
      { measure: 'candidates' },
    ],
    [
      'a few candidates; for want of them the page is walked to, and no more is listed',
      inputsOf(PART, uncounted),
      unknown,
      { measure: 'candidates', walks: true },
    ],
    [
      'all that indexes leave, for an order that no index has',
      inputsOf({ ...PART, sort: [by('s')] }, uncounted),
      unknown,
      { measure: 'candidates', walks: false },
    ],
    [
      'order of creation, where an index leaves many',
      inputsOf(RANGE, uncounted),
      { ...unknown, few: null, listed: null },
      { way: 'order-of-creation', looks: true, total: null },
    ],
    [
      'order of creation, without an index',
      inputsOf(UNSERVED, uncounted),
      { ...unknown, listed: null },
      { way: 'order-of-creation', looks: true, total: null },
    ],
    [
      'order of an index',
      inputsOf({ ...SORTED, filter: '{"s":1}' }, uncounted),
      { ...unknown, listed: null },
      { way: 'order-of-an-index', total: null },
    ],
    [
      'everything, for an order that no index has',
      inputsOf({ ...UNSERVED, sort: [by('s')] }, uncounted),
      { ...unknown, listed: null },
      { way: 'everything', total: null },
    ],
  ])('%s', (_what, inputs, measured, expected) => {
    expect(planOf(inputs, measured)).toMatchObject(expected);
  });
});

describe('a way that does not answer is planned around', () => {
  test.each<[string, Inputs, Measured, object]>([
    [
      'outward, which costs more',
      inputsOf(NEAR),
      { ...unknown, failed: ['outward'] },
      { measure: 'few-positions' },
    ],
    [
      'outward, from a cursor without a distance',
      inputsOf(NEAR, { startsAtDistance: false }),
      unknown,
      { measure: 'few-positions' },
    ],
    [
      'outward, for a viewer of many identities',
      inputsOf(NEAR, { viewer: 'many' }),
      unknown,
      { measure: 'candidates' },
    ],
    [
      'the order of an index that has changed',
      inputsOf(SORTED),
      { ...total(DOCUMENTS), failed: ['order-of-an-index'] },
      { way: 'everything' },
    ],
  ])('%s', (_why, inputs, measured, plan) => {
    expect(planOf(inputs, measured)).toMatchObject(plan);
  });
});

test('the limit between listing all matches and walking past others is where both cost the same', () => {
  // Where an index serves a part, matches are looked at. 21 among 10,000 documents, of which one in ten matches,
  // are 210 documents: fewer than 1,000 matches.
  expect(planOf(inputsOf(PART), total(1_000))).toMatchObject({ way: 'order-of-creation', most: Infinity });
  expect(planOf(inputsOf(PART), total(458))).toMatchObject({ measure: 'candidates' });
  expect(planOf(inputsOf(PART), total(459))).toMatchObject({ way: 'order-of-creation' });
  // Where indexes decide, matches are listed, twenty in the time of one look.
  expect(planOf(inputsOf(RANGE), total(2_049))).toMatchObject({ measure: 'candidates' });
  expect(planOf(inputsOf(RANGE), total(2_050))).toMatchObject({ way: 'order-of-creation' });
});

test('a walk over documents that do not match ends when listing the matches would have cost as much', () => {
  const inputs = inputsOf(RANGE);
  const walk = { way: 'order-of-creation', looks: true };
  expect(planOf(inputs, total(8_000))).toMatchObject({ ...walk, most: 400 });
  const failed = ['order-of-creation'] as const;
  // Before that, from where the first match is.
  expect(planOf(inputs, { total: 8_000, failed })).toMatchObject({ measure: 'least' });
  const measured = { total: 8_000, failed, least: 3_000 };
  expect(planOf(inputs, measured)).toEqual({ measure: 'candidates', walks: false });
  // Too many to be listed.
  expect(planOf(inputs, { ...measured, listed: null })).toMatchObject({ ...walk, most: Infinity });
});
