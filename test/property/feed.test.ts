/**
 * The law of feeds: whoever follows one from its beginning, in pages of any size while others write, knows at its end
 * exactly what a list shows; and it never hears of a document that it could not have seen.
 */
import fc from '../support/fast-check.ts';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { Follower } from '../support/feed.ts';
import { makeGroup, makeUser, may, underAcl } from '../support/people.ts';
import { few, scaled } from '../support/long.ts';
import { operate } from '../support/operations.ts';

const trusted = await Client.create();
const acl = await underAcl(trusted);
const ruled = await trusted.withPermissions([
  may('get', '/resources/[^/]+(/changes)?'),
  may('get', '/resources/[^/]+/[0-9a-f]+', { where: { n: { $lt: 3 } } }),
]);
const bulk = await trusted.withPermissions([may('get patch delete bulk', '/.*')]);
const people = [await makeUser(trusted, 'ada'), await makeUser(trusted, 'bob')];
const group = await makeGroup(trusted, people.slice(1));

type Write = { readonly kind: (typeof KINDS)[number]; readonly which: number; readonly n: number };

const KINDS = [
  'create',
  'create',
  'change',
  'change',
  'change',
  'delete',
  'rights',
  'rights',
  'bulk change',
  'bulk delete',
  'operations',
  'settings',
  'member',
] as const;

const write: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom(...KINDS),
  which: fc.nat({ max: 9 }),
  n: fc.nat({ max: 4 }),
});

/** Whom the right to read may be given to. */
const readers = () => ['*', [], people.map(({ link }) => link), [people[0]?.link], [group]];

class World {
  readonly ids: string[] = [];
  readonly type: string;
  #settings: string | null = null;

  constructor(type: string) {
    this.type = type;
  }

  async perform({ kind, which, n }: Write): Promise<void> {
    const { type, ids } = this;
    const id = ids.length === 0 ? undefined : ids[which % ids.length];
    if (kind === 'create' || id === undefined) {
      ids.push((await trusted.make(type, { n })).id);
    } else if (kind === 'change') {
      await trusted.update(`/resources/${type}/${id}`, { attributes: { n } });
    } else if (kind === 'delete') {
      await trusted.delete(`/resources/${type}/${id}`);
    } else if (kind === 'rights') {
      await trusted.update(`/resources/${type}.acl/${id}`, { attributes: { read: readers()[n] } });
    } else if (kind === 'bulk change') {
      const data = { type, attributes: { n: (n + 1) % 5 } };
      await bulk.patch(`/resources/${type}?filter[n]=${n}`, { data });
    } else if (kind === 'bulk delete') {
      if (which === 0) await bulk.delete(`/resources/${type}?filter[n]=${n}`);
    } else if (kind === 'operations') {
      const operations = [
        { op: 'update', data: { type, id, attributes: { n } } },
        { op: 'update', data: { type, id, attributes: { n: which % 5 } } },
        { op: 'add', data: { type, attributes: { n } } },
      ];
      const { results } = await operate(trusted, operations);
      const made = results[2]?.data?.id;
      if (made !== undefined) ids.push(made);
    } else if (kind === 'settings') {
      await this.#set({ read: n < 2 ? ['*'] : n < 4 ? [people[0]?.link] : [] });
    } else {
      const users = { data: people.slice(n % 3).map(({ link }) => link) };
      await trusted.update(`/users/core.user-group/${group.id}`, { relationships: { users } });
    }
  }

  async #set(rights: unknown): Promise<void> {
    const path = '/schemas/core.type';
    const attributes = { rights };
    if (this.#settings === null) {
      const made = await trusted.create(path, { attributes: { name: this.type, ...attributes } });
      expect(made.status, made.text).toBe(201);
      this.#settings = made.body.data.id;
    } else {
      const data = { type: 'core.type', id: this.#settings, attributes };
      const set = await trusted.patch(`${path}/${this.#settings}`, { data });
      expect(set.status, set.text).toBe(200);
    }
  }
}

test('following a feed gives what a list shows, whatever others write between its pages', async () => {
  let run = 0;
  const about = { deleted: 0, restarts: 0, known: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { maxLength: 6 }),
      fc.array(
        fc.record({ writes: fc.array(write, { maxLength: 3 }), size: fc.integer({ min: 1, max: 4 }) }),
        {
          minLength: 4,
          maxLength: 9,
        },
      ),
      async (before, turns) => {
        const world = new World(`feed${(run += 1)}`);
        const path = `/resources/${world.type}`;
        const ada = people[0]?.headers ?? {};
        const bob = people[1]?.headers ?? {};
        const viewers = [
          { client: trusted, headers: {}, path, list: path },
          {
            client: trusted,
            headers: {},
            path: `${path}?filter[n]={"$gt":1}`,
            list: `${path}?filter[n]={"$gt":1}`,
          },
          { client: acl, headers: ada, path, list: path },
          {
            client: acl,
            headers: bob,
            path: `${path}?filter[n]={"$lt":4}`,
            list: `${path}?filter[n]={"$lt":4}`,
          },
          // The key shows documents at their own addresses by a rule: so does the feed.
          { client: ruled, headers: {}, path, list: `${path}?filter[n]={"$lt":3}` },
        ].map((viewer) => ({
          ...viewer,
          follower: new Follower(viewer.client, viewer.headers, viewer.path),
          seen: new Set<string>(),
        }));
        const look = async () =>
          Promise.all(
            viewers.map(async ({ client, headers, list, seen }) => {
              const { body } = await client.get(
                `${list}${list.includes('?') ? '&' : '?'}page[limit]=1000`,
                headers,
              );
              for (const { id } of body.data) seen.add(id);
              return body.data;
            }),
          );
        const perform = async (writes: readonly Write[]) => {
          for (const each of writes) {
            await world.perform(each);
            await look();
          }
        };
        await perform(before);
        for (const { writes, size } of turns) {
          await Promise.all(viewers.map(({ follower }) => follower.turn(size)));
          await perform(writes);
        }
        await Promise.all(viewers.map(({ follower }) => follower.catchUp(3)));
        const lists = await look();
        for (const [at, { follower, seen }] of viewers.entries()) {
          const known = [...follower.known.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
          expect(known, `viewer ${at}`).toEqual(lists[at]);
          for (const id of follower.deleted) expect(seen, `viewer ${at}`).toContain(id);
          about.deleted += follower.deleted.size;
          about.restarts += follower.restarts;
          about.known += known.length;
        }
      },
    ),
    { numRuns: few(20) },
  );
  // It was about something.
  for (const count of Object.values(about)) expect(count).toBeGreaterThan(scaled(20));
});
