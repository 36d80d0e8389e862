/**
 * Filters on the fields of linked documents find what a plain evaluation finds: of random documents, with random links,
 * attributes in the place of links, and rights, for random filters, to every viewer. Rules of the same text:
 * related-levels.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { ObjectId, type Fields, type Value } from '../../src/domain/values/values.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { WorkBudget } from '../../src/domain/work/work.ts';
import { Policy, settleRule } from '../../src/collection/rpc/rules.ts';
import { holdsFor } from '../../src/collection/storage/secondary/webhooks.ts';
import { storedId } from '../../src/domain/ids.ts';
import { storedType } from '../../src/domain/types.ts';
import { encodeText } from '../../src/domain/values/codec.ts';
import { bindRule, readRule, together } from '../../src/operators/filter/rule.ts';
import { Client } from '../support/client.ts';
import { conditionOf } from '../support/conditions.ts';
import { ACL, EVERY_METHOD, grant, makeUser, may, type Person } from '../support/people.ts';
import { few, scaled } from '../support/long.ts';

const name = fc.constantFrom<string | null | readonly string[]>('a', 'b', 'ab', null, ['a', 'c'], []);
const fields = fc.record(
  {
    name,
    n: fc.integer({ min: 0, max: 3 }),
    k: fc.oneof(fc.record({ name }), fc.array(fc.record({ name }), { maxLength: 2 })),
  },
  { requiredKeys: [] },
);

/** Linked documents: of which type, what they hold, which of two users may read them, and whether they go. */
const target = fc.record({
  type: fc.constantFrom('people', 'firms'),
  fields,
  readers: fc.subarray([0, 1]),
  goes: fc.nat(3).map((one) => one === 0),
});

/** What a document has as `author`: places among the targets, or attributes. */
const author = fc.oneof(
  { weight: 3, arbitrary: fc.nat(5).map((one) => ({ links: one })) },
  { weight: 3, arbitrary: fc.uniqueArray(fc.nat(5), { maxLength: 3 }).map((links) => ({ links })) },
  { weight: 1, arbitrary: fc.constant({ links: null }) },
  { weight: 1, arbitrary: fields.map((attribute) => ({ attribute })) },
  { weight: 1, arbitrary: fc.constantFrom('a', null, []).map((attribute) => ({ attribute })) },
  { weight: 1, arbitrary: fc.constant({}) },
);

const world = fc.record({
  targets: fc.array(target, { minLength: 6, maxLength: 6 }),
  owners: fc.array(fc.record({ author, n: fc.integer({ min: 0, max: 3 }) }), { minLength: 8, maxLength: 12 }),
});

const path = fc.constantFrom('author.name', 'author.n', 'author.k.name', 'author.k', 'author.none', 'n');
const value = fc.constantFrom<unknown>('a', 'b', 'c', null, 0, 1, 2, ['a', 'c']);
const positive = fc.oneof(
  value.map(($eq) => ({ $eq })),
  fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), value).map(([op, each]) => ({ [op]: each })),
  fc.array(value, { maxLength: 3 }).map(($in) => ({ $in })),
  fc.constantFrom({ $exists: true }, { $regex: '^a' }, { $size: 2 }, { $type: 'string' }, { $mod: [2, 1] }),
  fc.constantFrom({ $elemMatch: { $eq: 'a' } }, { $elemMatch: { name: 'a' } }),
);

type Tree =
  | { readonly all: '$and' | '$or' | '$nor'; readonly of: readonly Tree[] }
  | {
      readonly path: string;
      readonly operator: Readonly<Record<string, unknown>>;
      readonly negated: boolean;
    };

const leaf: fc.Arbitrary<Tree> = fc.record({ path, operator: positive, negated: fc.boolean() });
const tree: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 3, arbitrary: leaf },
  {
    weight: 1,
    arbitrary: fc.record({
      all: fc.constantFrom('$and', '$or', '$nor'),
      of: fc.array(leaf, { minLength: 1, maxLength: 3 }),
    }),
  },
);

/** Lists in lists, also negated. */
const nested: fc.Arbitrary<Tree> = fc.record({
  all: fc.constantFrom('$and', '$or', '$nor'),
  of: fc.array(tree, { minLength: 1, maxLength: 3 }),
});

/** The filter as a client writes it; a negation in one of its forms. */
function filterOf(each: Tree): Readonly<Record<string, unknown>> {
  if ('all' in each) return { [each.all]: each.of.map(filterOf) };
  const { operator, negated } = each;
  if (!negated) return { [each.path]: operator };
  if ('$eq' in operator) return { [each.path]: { $ne: operator['$eq'] } };
  if ('$in' in operator) return { [each.path]: { $nin: operator['$in'] } };
  if ('$exists' in operator) return { [each.path]: { $exists: false } };
  return { [each.path]: { $not: operator } };
}

interface Linked {
  readonly fields: Fields;
}

/** A document to be found: its own fields, and what it links to as `author` that is there for the viewer. */
interface Owner {
  readonly fields: Fields;
  readonly linked: readonly Linked[];
}

function meets(owner: Owner, each: Tree): boolean {
  if ('all' in each) {
    if (each.all === '$and') return each.of.every((one) => meets(owner, one));
    return each.of.some((one) => meets(owner, one)) === (each.all === '$or');
  }
  const [first, ...rest] = each.path.split('.');
  const met =
    first === 'author' && owner.linked.length > 0
      ? owner.linked.some((one) => has(one.fields, rest.join('.'), each.operator))
      : has(owner.fields, each.path, each.operator);
  return met !== each.negated;
}

function has(document: Fields, field: string, operator: unknown): boolean {
  return compileMatcher(conditionOf({ [field]: operator }))(document);
}

/** Two users, and a service that asks nobody's rights. */
interface Viewers {
  readonly trusted: Client;
  readonly web: Client;
  readonly users: readonly Person[];
}

async function open(): Promise<Viewers> {
  const trusted = await Client.create();
  const web = await trusted.withPermissions([
    may('get', '/resources/books.*'),
    may(EVERY_METHOD, '/.*', ACL),
  ]);
  return { trusted, web, users: [await makeUser(trusted, 'one'), await makeUser(trusted, 'two')] };
}

test('A filter on fields of linked documents finds what a plain evaluation finds', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.array(tree, { minLength: 12, maxLength: 12 }), async (made, trees) => {
      const { trusted, web, users } = await open();
      const ids: string[] = [];
      for (const { type, fields: attributes, readers } of made.targets) {
        const { id } = await trusted.make(type, attributes);
        ids.push(id);
        const read = readers.map((reader) => users[reader]?.link);
        await grant(trusted, `/resources/${type}/${id}`, { read });
      }
      const linkTo = (at: number) => ({ type: made.targets[at]?.type ?? '', id: ids[at] ?? '' });
      const books: string[] = [];
      for (const { author: by, n } of made.owners) {
        const book =
          'links' in by
            ? await trusted.make('books', { n }, { author: { data: mapLinks(by.links, linkTo) } })
            : await trusted.make('books', { n, ...('attribute' in by && { author: by.attribute }) });
        books.push(book.id);
      }
      for (const [at, { type, goes }] of made.targets.entries()) {
        if (goes) await trusted.delete(`/resources/${type}/${ids[at] ?? ''}`);
      }
      for (const viewer of [null, 0, 1]) {
        const client = viewer === null ? trusted : web;
        const headers = viewer === null ? {} : users[viewer]?.headers;
        const linked = made.targets.map(({ type, fields: own, readers, goes }, at): readonly Linked[] =>
          !goes && (viewer === null || readers.includes(viewer))
            ? [{ fields: { ...(own as Fields), type, id: new ObjectId(ids[at] ?? '') } }]
            : [],
        );
        const owners = made.owners.map(({ author: by, n }): Owner => {
          const places = 'links' in by ? [by.links].flat().filter((at) => at !== null) : [];
          const attribute = 'attribute' in by ? { author: by.attribute as Value } : {};
          const empty = 'links' in by ? { author: Array.isArray(by.links) ? [] : null } : {};
          return {
            fields: { n, ...attribute, ...empty },
            linked: places.flatMap((at) => linked[at] ?? []),
          };
        });
        for (const each of trees) {
          const text = JSON.stringify(filterOf(each));
          const found = await client.get(
            `/resources/books?filter[*]=${encodeURIComponent(text)}&page[limit]=5`,
            headers,
          );
          expect(found.status, found.text).toBe(200);
          const expected = books.filter((_, at) => meets(owners[at] ?? { fields: {}, linked: [] }, each));
          expect([text, found.body.meta.count]).toEqual([text, expected.length]);
          expect([text, ...found.body.data.map(({ id }) => id)]).toEqual([text, ...expected.slice(0, 5)]);
        }
      }
    }),
    { numRuns: few(10) },
  );
});

/** A document as it is stored, with its links. */
function storedOf({ author: by, n }: Made, targets: readonly { readonly type: string }[]): Fields {
  const link = (at: number) => ({ type: targets[at]?.type ?? '', id: new ObjectId(idAt(at)) });
  const author = 'links' in by ? mapLinks(by.links, link) : 'attribute' in by ? by.attribute : undefined;
  return { n, ...(author !== undefined && { author }) };
}

type Made = typeof world extends fc.Arbitrary<{ owners: (infer T)[] }> ? T : never;

const idAt = (at: number): string => String(at).padStart(24, '0');

test('A condition for which nobody follows links shows no more, and the same where nothing is linked', () => {
  const seen = { links: 0, shown: 0, same: 0 };
  fc.assert(
    fc.property(world, fc.array(fc.oneof(tree, nested), { minLength: 10, maxLength: 10 }), (made, trees) => {
      for (const each of trees) {
        const rule = readRule(JSON.stringify(filterOf(each)), () => undefined);
        if (rule === null) throw new Error('The rule is refused.');
        const asked = together(bindRule(rule, null, new Date()));
        const written = { where: asked, check: null, read: null, write: null, follows: true } as const;
        const { where } = settleRule(written, 'books');
        const holds = holdsFor(rule, storedType('books'), new WorkBudget(Infinity));
        for (const owner of made.owners) {
          const fields = storedOf(owner, made.targets);
          const body = encodeText(fields);
          const id = storedId(idAt(99));
          const shown = new Policy().maySee(
            { rule: { where, check: null, read: null, write: null } },
            { id, body },
          );
          const { author: by } = owner;
          const places = 'links' in by ? [by.links].flat().filter((at) => at !== null) : [];
          for (const readable of [true, false]) {
            const linked = places.map((at) => ({ fields: made.targets[at]?.fields as Fields }));
            const unlinked = { ...fields, author: Array.isArray(fields['author']) ? [] : null };
            const isUnlinked = places.length > 0 && !readable;
            const found = meets(isUnlinked ? { fields: unlinked, linked: [] } : { fields, linked }, each);
            const law = places.length === 0 ? shown === found : !shown || found;
            expect([each, fields, readable, law]).toEqual([each, fields, readable, true]);
            seen.links += places.length;
            if (places.length === 0) seen.same += 1;
            else if (shown) seen.shown += 1;
          }
          // So a webhook is told.
          const stored = { id, body, version: 1, relationships: null, aclVersion: 0 };
          expect(holds(stored)).toBe(shown);
        }
      }
    }),
    { numRuns: scaled(300) },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(scaled(100));
});

function mapLinks<T>(links: number | readonly number[] | null, map: (at: number) => T): T | T[] | null {
  if (links === null) return null;
  return typeof links === 'number' ? map(links) : links.map(map);
}
