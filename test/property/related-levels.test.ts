/**
 * Filters through links of links, and rules of the same text, find what a plain evaluation finds: of random documents that
 * link up to three levels, to one, several or none.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { scaled } from '../support/long.ts';

/** One document of a level: its number, and the places of those of the next level that it links to. */
const draft = fc.record({
  n: fc.option(fc.nat(2), { nil: undefined }),
  up: fc.option(fc.oneof(fc.nat(2), fc.uniqueArray(fc.nat(2), { maxLength: 2 })), { nil: undefined }),
});

const LEVELS = 4;
const world = fc.array(fc.array(draft, { minLength: 3, maxLength: 3 }), {
  minLength: LEVELS,
  maxLength: LEVELS,
});

interface Made {
  readonly n: number | undefined;
  readonly up: readonly Made[];
  /** Whether it has a list of links that is empty: a path through that finds nothing, and not a missing field (MongoDB). */
  readonly isEmpty: boolean;
  readonly id: string;
}

const operator = fc.oneof(
  fc.nat(2).map(($eq) => ({ $eq })),
  fc.nat(2).map(($gte) => ({ $gte })),
  fc.subarray([0, 1, 2, null]).map(($in) => ({ $in })),
  fc.constant({ $exists: true }),
);
type Operator = typeof operator extends fc.Arbitrary<infer T> ? T : never;

const leaf = fc.record({ links: fc.nat(LEVELS - 1), operator, negated: fc.boolean() });
type Leaf = typeof leaf extends fc.Arbitrary<infer T> ? T : never;

const filter = fc.record({
  all: fc.constantFrom('$and', '$or', '$nor'),
  of: fc.array(leaf, { minLength: 1, maxLength: 2 }),
});
type Filter = typeof filter extends fc.Arbitrary<infer T> ? T : never;

function textOf({ all, of }: Filter): object {
  return {
    [all]: of.map(({ links, operator: each, negated }) => ({
      [`${'up.'.repeat(links)}n`]: negated ? { $not: each } : each,
    })),
  };
}

function meets(document: Made, { all, of }: Filter): boolean {
  const met = of.map(({ links, operator: each, negated }) => has(document, links, each) !== negated);
  if (all === '$and') return met.every(Boolean);
  return met.some(Boolean) === (all === '$or');
}

/** Through links, one of those that are there must have it. */
function has({ n, up, isEmpty }: Made, links: Leaf['links'], each: Operator): boolean {
  if (links > 0 && isEmpty) return false;
  if (links > 0 && up.length > 0) return up.some((next) => has(next, links - 1, each));
  return holds(links > 0 ? undefined : n, each);
}

function holds(n: number | undefined, each: Operator): boolean {
  if ('$eq' in each) return n === each.$eq;
  if ('$gte' in each) return n !== undefined && n >= each.$gte;
  if ('$in' in each) return each.$in.includes(n ?? null);
  return n !== undefined;
}

async function make(client: Client, drafts: typeof world extends fc.Arbitrary<infer T> ? T : never) {
  let above: readonly Made[] = [];
  for (const [at, level] of [...drafts.entries()].reverse()) {
    const made: Made[] = [];
    for (const { n, up } of level) {
      const targets = [up ?? []].flat().flatMap((place) => above[place] ?? []);
      const links = targets.map(({ id }) => ({ type: `level${at + 1}`, id }));
      const data = Array.isArray(up) ? links : (links[0] ?? null);
      const { id } = await client.make(`level${at}`, { n }, up === undefined ? undefined : { up: { data } });
      made.push({ n, up: targets, isEmpty: Array.isArray(up) && targets.length === 0, id });
    }
    above = made;
  }
  return above;
}

test('a filter, and a rule of the same text, find what a plain evaluation finds', async () => {
  const seen = { found: 0, hidden: 0 };
  await fc.assert(
    fc.asyncProperty(world, fc.array(filter, { minLength: 20, maxLength: 20 }), async (drafts, filters) => {
      const client = await Client.create();
      const documents = await make(client, drafts);
      for (const each of filters) {
        const where = textOf(each);
        const expected = documents.filter((document) => meets(document, each)).map(({ id }) => id);
        const query = encodeURIComponent(JSON.stringify(where));
        const found = await client.get(`/resources/level0?filter[*]=${query}`);
        expect([where, found.status, found.body.data.map(({ id }) => id)]).toEqual([where, 200, expected]);
        const web = await client.withPermissions([{ path: '/resources/level0', methods: ['get'], where }]);
        const shown = await web.get('/resources/level0');
        expect([where, shown.body.data.map(({ id }) => id)]).toEqual([where, expected]);
        seen.found += expected.length;
        seen.hidden += documents.length - expected.length;
      }
    }),
    { numRuns: scaled(25) },
  );
  expect(Math.min(seen.found, seen.hidden)).toBeGreaterThan(scaled(200));
});
