/** What a plan tells of indexes that are not there: whether it scans, and whether a search is to teach one. */
import { describe, expect, test } from 'vitest';
import { isScan, lacksIndex, lacksOrder, type Inputs, type Plan } from '../../src/plan/plan.ts';
import { by, inputsOf, listed, EXACT, RANGE, UNSERVED, NEAR } from '../support/plan-inputs.ts';

test('a scan is what looks at documents for want of an index', () => {
  const everything = { way: 'everything', total: null } as const;
  const creation = { way: 'order-of-creation', total: 9_000, looks: true, most: Infinity } as const;
  expect(isScan(everything, inputsOf(EXACT).query)).toBe(true);
  expect(isScan(creation, inputsOf(UNSERVED).query)).toBe(true);
  expect(isScan(creation, inputsOf(EXACT).query)).toBe(false);
  expect(isScan({ ...creation, looks: false }, inputsOf({}).query)).toBe(false);
  expect(
    isScan(
      { way: 'outward', nearest: inputsOf(NEAR).query.nearest ?? expect.fail(), total: null },
      inputsOf(NEAR).query,
    ),
  ).toBe(false);
});

describe('what a plan looks at lacks an index', () => {
  const creation = { way: 'order-of-creation', total: null, looks: true, most: Infinity } as const;
  const IDS = '"id":{"$gt":{"$oid":"000000000000000000000001"}}';
  const walkOf = ({ query }: Inputs, looks = true): Plan => {
    const sortedBy = query.sortedBy ?? expect.fail();
    return { way: 'order-of-an-index', sortedBy, total: null, looks, among: null };
  };
  const BY_N = { filter: '{"s":1}', indexes: ['n'], sort: [by('n')] };
  const BY_ID = { filter: `{${IDS},"s":1}`, sort: [{ path: ['id'], direction: 'descending' as const }] };
  test.each<
    readonly [string, ReturnType<typeof inputsOf>, (inputs: ReturnType<typeof inputsOf>) => Plan, boolean]
  >([
    ['in all documents', inputsOf(EXACT), () => ({ way: 'everything', total: null }), true],
    ['in a walk from the start', inputsOf(UNSERVED), () => creation, true],
    ['in a walk over the order of another index', inputsOf(BY_N), (inputs) => walkOf(inputs), true],
    ['in a range of ids', inputsOf({ filter: `{${IDS},"s":1}` }), () => creation, true],
    ['in a range of ids, backwards', inputsOf(BY_ID), (inputs) => walkOf(inputs), true],
    ['not where one finds some of it', inputsOf(EXACT), () => creation, false],
    [
      'not where one finds some of a range',
      inputsOf({ filter: `{${IDS},"n":1}`, indexes: ['n'] }),
      () => creation,
      false,
    ],
    ['not where nothing is looked at', inputsOf(BY_N), (inputs) => walkOf(inputs, false), false],
    ['not among a few', inputsOf(UNSERVED), () => ({ way: 'few-candidates', listed: listed(false) }), false],
  ])('%s', (_, inputs, plan, lacks) => {
    expect(lacksIndex(plan(inputs), inputs.query)).toBe(lacks);
  });
});

describe('what a plan puts in order lacks an index of the order', () => {
  const found = (count: number): Plan => {
    const seqs = Array.from({ length: count }, (_, at) => at);
    return { way: 'positions-of-an-index', listed: { ...listed(true), seqs } };
  };
  const BY_S = { ...RANGE, sort: [by('s')] };
  test.each<readonly [string, Inputs, Plan, boolean]>([
    ['where a walk would soon meet the page', inputsOf(BY_S), found(2_000), true],
    ['not of a few', inputsOf(BY_S), found(50), false],
    ['not where the page is deep', inputsOf(BY_S, { end: 100_000 }), found(2_000), false],
    ['not in the order of creation', inputsOf(RANGE), found(2_000), false],
    ['not where there is one', inputsOf({ ...BY_S, indexes: ['n', 's'] }), found(2_000), false],
    [
      'not where all is looked at',
      inputsOf({ ...BY_S, indexes: [] }),
      { way: 'everything', total: null },
      false,
    ],
  ])('%s', (_, inputs, plan, lacks) => {
    expect(lacksOrder(plan, inputs, { few: null })).toBe(lacks);
  });

  test('not where they are few, which no walk is for', () => {
    expect(lacksOrder(found(240), inputsOf(BY_S), {})).toBe(true);
    expect(lacksOrder(found(240), inputsOf(BY_S), { few: [] })).toBe(false);
  });
});
