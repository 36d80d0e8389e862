/**
 * Filters through links of links, rules and checks of types of the same text decide as plain evaluation does for each
 * viewer: random documents link up to three levels, to one, several or none. Checks also have expressions over the
 * document before and after the write. In the long form there are 5,000 rules.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { isLong, scaled } from '../support/long.ts';
import { makeUser, may, type Person } from '../support/people.ts';
import { resettle, settle } from '../support/type-settings.ts';

/** One document of a level: its number, its owner, and the places of those of the next level that it links to. */
const draft = fc.record({
  n: fc.option(fc.nat(2), { nil: undefined }),
  owner: fc.nat(2),
  up: fc.option(fc.oneof(fc.nat(2), fc.uniqueArray(fc.nat(2), { maxLength: 2 })), { nil: undefined }),
});

const LEVELS = 4;
const world = fc.array(fc.array(draft, { minLength: 3, maxLength: 3 }), {
  minLength: LEVELS,
  maxLength: LEVELS,
});

/** Whoever asks: two users. The third owner is nobody. */
const VIEWERS = [0, 1] as const;

interface Made {
  readonly n: number | undefined;
  readonly owner: number;
  readonly up: readonly Made[];
  /** Whether it has a list of links. A path through an empty one finds nothing, and not a missing field (MongoDB). */
  readonly isList: boolean;
  readonly id: string;
}

const operator = fc.oneof(
  fc.nat(2).map(($eq) => ({ $eq })),
  fc.nat(2).map(($gte) => ({ $gte })),
  fc.subarray([0, 1, 2, null]).map(($in) => ({ $in })),
  fc.constant({ $exists: true }),
  fc.constant({ $owner: true }),
);
type Operator = typeof operator extends fc.Arbitrary<infer T> ? T : never;

const leaf = fc.record({ links: fc.nat(LEVELS - 1), operator, negated: fc.boolean() });

const filter = fc.record({
  all: fc.constantFrom('$and', '$or', '$nor'),
  of: fc.array(leaf, { minLength: 1, maxLength: 2 }),
});
type Filter = typeof filter extends fc.Arbitrary<infer T> ? T : never;

/** As a rule; as a filter, with the id of whoever asks. */
function textOf({ all, of }: Filter, viewer = '$$viewer.id'): object {
  return {
    [all]: of.map(({ links, operator: each, negated }) => {
      const isOwner = '$owner' in each;
      const asked = isOwner ? { $eq: viewer } : each;
      return { [`${'up.'.repeat(links)}${isOwner ? 'owner' : 'n'}`]: negated ? { $not: asked } : asked };
    }),
  };
}

const namesViewer = (rule: Filter) => JSON.stringify(textOf(rule)).includes('$$viewer');

function meets(document: Made, { all, of }: Filter, viewer: number): boolean {
  const met = of.map(({ links, operator: each, negated }) => has(document, links, each, viewer) !== negated);
  if (all === '$and') return met.every(Boolean);
  return met.some(Boolean) === (all === '$or');
}

/** Through links, one of those that are there must have it. */
function has({ isList, n, owner, up }: Made, links: number, each: Operator, viewer: number): boolean {
  if (links > 0 && isList && up.length === 0) return false;
  if (links > 0 && up.length > 0) return up.some((next) => has(next, links - 1, each, viewer));
  if ('$owner' in each) return links === 0 && owner === viewer;
  return holds(links > 0 ? undefined : n, each);
}

function holds(n: number | undefined, each: Exclude<Operator, { readonly $owner: boolean }>): boolean {
  if ('$eq' in each) return n === each.$eq;
  if ('$gte' in each) return n !== undefined && n >= each.$gte;
  if ('$in' in each) return each.$in.includes(n ?? null);
  return n !== undefined;
}

/** One or two comparisons of numbers of the document before or after a write, through links too. */
const compared = fc.record({
  side: fc.constantFrom('before', 'before', 'after', 'ROOT'),
  links: fc.constantFrom(0, 1, 1, 2, 3),
  by: fc.constantFrom('$eq', '$lt', '$gte'),
  to: fc.nat(2),
  negated: fc.boolean(),
});
const expression = fc.record({
  all: fc.constantFrom('$and', '$or'),
  of: fc.array(compared, { minLength: 1, maxLength: 2 }),
});
type Expression = typeof expression extends fc.Arbitrary<infer T> ? T : never;

function textOfExpression({ all, of }: Expression): object {
  return {
    [all]: of.map(({ side, links, by, to, negated }) => {
      const comparison = { [by]: [`$$${side}.${'up.'.repeat(links)}n`, to] };
      return negated ? { $not: [comparison] } : comparison;
    }),
  };
}

/** Missing values are below numbers, and lists above. */
function isTrue({ all, of }: Expression, before: Made, after: Made): boolean {
  const held = of.map(({ side, links, by, to, negated }) => {
    const value = valueOf(side === 'before' ? before : after, links);
    const order = value === undefined ? -1 : typeof value === 'number' ? value - to : 1;
    return (by === '$eq' ? order === 0 : by === '$lt' ? order < 0 : order >= 0) !== negated;
  });
  return all === '$and' ? held.every(Boolean) : held.some(Boolean);
}

/** Of a list of links it is the list of what is there. */
function valueOf({ isList, n, up }: Made, links: number): unknown {
  if (links === 0) return n;
  const values = up.map((next) => valueOf(next, links - 1)).filter((value) => value !== undefined);
  return isList ? values : values[0];
}

/** A write: of the number, and perhaps of the links. */
const change = fc.record({ n: fc.nat(2), up: fc.option(fc.nat(2)) });

async function make(
  client: Client,
  drafts: typeof world extends fc.Arbitrary<infer T> ? T : never,
  people: readonly Person[],
) {
  let above: readonly Made[] = [];
  const levels: (readonly Made[])[] = [];
  for (const [at, level] of [...drafts.entries()].reverse()) {
    const made: Made[] = [];
    for (const { n, owner, up } of level) {
      const targets = [up ?? []].flat().flatMap((place) => above[place] ?? []);
      const links = targets.map(({ id }) => ({ type: `level${at + 1}`, id }));
      const data = Array.isArray(up) ? links : (links[0] ?? null);
      const attributes = { n, owner: people[owner]?.link.id ?? 'nobody' };
      const relationships = up === undefined ? undefined : { up: { data } };
      const { id } = await client.make(`level${at}`, attributes, relationships);
      made.push({ n, owner, up: targets, isList: Array.isArray(up), id });
    }
    above = made;
    levels.unshift(made);
  }
  return levels;
}

const RULES = isLong('whole') ? 200 : 20;
/** So many of a world's are checks of the type, too. */
const CHECKS = isLong('whole') ? 50 : 10;

/** Whoever asks is known, and all is shown. */
const KNOWN = { $nor: [{ none: '$$viewer.id' }] };

test(
  'a filter, a rule and a check of the same text decide as a plain evaluation does',
  async () => {
    const seen = { found: 0, hidden: 0, taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.tuple(filter, expression, change), { minLength: RULES, maxLength: RULES }),
        async (drafts, rules) => {
          const client = await Client.create();
          const people = [await makeUser(client, 'ada'), await makeUser(client, 'bob')];
          const [first = [], above = []] = await make(client, drafts, people);
          let documents = first;
          const writer = await client.withPermissions([
            may('patch', '/resources/level0/.*', { where: KNOWN }),
          ]);
          await settle(client, { name: 'level0', checks: [] });
          for (const [at, [rule, expressed, { n, up }]] of rules.entries()) {
            const isChecked = at < CHECKS;
            const $expr = textOfExpression(expressed);
            // Alone, it decides more often.
            const isBoth = at % 3 === 0;
            const asked = { ...(isBoth && textOf(rule)), $expr };
            const checks = isChecked ? [{ name: 'rule', filter: asked }] : [];
            if (at <= CHECKS) expect((await resettle(client, 'level0', { checks })).status).toBe(200);
            const where = textOf(rule);
            const web = await client.withPermissions([may('get', '/resources/level0', { where })]);
            for (const viewer of namesViewer(rule) ? VIEWERS : [VIEWERS[0]]) {
              const expected = documents.filter((each) => meets(each, rule, viewer)).map(({ id }) => id);
              const text = textOf(rule, people[viewer]?.link.id);
              const query = encodeURIComponent(JSON.stringify(text));
              const found = await client.get(`/resources/level0?filter[*]=${query}`);
              expect([text, found.status, found.body.data.map(({ id }) => id)]).toEqual([
                text,
                200,
                expected,
              ]);
              const shown = await web.get('/resources/level0', people[viewer]?.headers);
              expect([text, shown.body.data.map(({ id }) => id)]).toEqual([text, expected]);
              seen.found += expected.length;
              seen.hidden += documents.length - expected.length;
              const left: Made[] = [];
              for (const before of isChecked ? documents : []) {
                const moved = above[up ?? -1];
                const after = { ...before, n, ...(moved && { up: [moved], isList: false }) };
                const data = {
                  ...{ type: 'level0', id: before.id, attributes: { n } },
                  ...(moved && { relationships: { up: { data: { type: 'level1', id: moved.id } } } }),
                };
                const written = await writer.patch(
                  `/resources/level0/${before.id}`,
                  { data },
                  people[viewer]?.headers,
                );
                const isMet = !isBoth || meets(after, rule, viewer);
                const isTaken = isMet && isTrue(expressed, before, after);
                expect([text, $expr, before, written.status]).toEqual([
                  text,
                  $expr,
                  before,
                  isTaken ? 200 : 403,
                ]);
                seen[isTaken ? 'taken' : 'refused'] += 1;
                left.push(isTaken ? after : before);
              }
              if (isChecked) documents = left;
            }
          }
        },
      ),
      { numRuns: scaled(25, 'whole'), endOnFailure: true },
    );
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(scaled(50, 'whole'));
    expect(Math.min(seen.found, seen.hidden)).toBeGreaterThan(scaled(200, 'whole'));
  },
  isLong('whole') ? 1_800_000 : 240_000,
);
