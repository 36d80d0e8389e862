/**
 * Pages of lists, kept in memory while nothing is written (docs/performance.md, Pages that are asked for again): they
 * cost no row, and show every write that was answered before they were asked for.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Usage } from '../../scripts/transfer/usage.ts';
import { Client, type Link, type Reply } from '../support/client.ts';
import { add, operate, remove, update } from '../support/operations.ts';
import {
  EVERY_METHOD,
  grant,
  makeGroup,
  makeUser,
  NOBODY,
  underAcl,
  type Person,
} from '../support/people.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';
import { callOperator, imported } from '../support/transfer.ts';
import { settle } from '../support/type-settings.ts';

const TYPE = 'shown';
const PATH = `/resources/${TYPE}`;

let client: Client;

/** Rows that SQLite has read for a type. */
async function rowsOf(type: string): Promise<number> {
  const { body } = await callOperator('GET', `${client.application}/usage`);
  const { types } = body.meta as unknown as Usage;
  return types.find(({ name }) => name === type)?.['rows-read'] ?? expect.fail();
}

/** What a list shows: its documents as they are, and how many there are. */
const shown = ({ status, body: { data, meta } }: Reply) => ({ status, data, meta });

describe('a list that is asked for again', () => {
  const TWICE = 'twice';
  const list = async (path = `/resources/${TWICE}`) => shown(await client.get(path));

  beforeAll(async () => {
    client = await Client.create();
    await crowd(client, TWICE, 30, (n) => ({ n }));
  });

  test('reads no row from its third time on, until something is written', async () => {
    const first = await list();
    await list();
    // To tell the usage is to read rows, always as many.
    const before = await rowsOf(TWICE);
    const telling = (await rowsOf(TWICE)) - before;
    expect([await list(), await list()]).toEqual([first, first]);
    expect(await rowsOf(TWICE)).toBe(before + 2 * telling);
    await client.make(TWICE, { n: 100 });
    const written = await rowsOf(TWICE);
    expect((await list()).meta.count).toBe(31);
    expect(await rowsOf(TWICE)).toBeGreaterThan(written + telling + 20);
  });

  test.each([
    ['another page', `/resources/${TWICE}?page[offset]=20&page[limit]=5`],
    ['another order', `/resources/${TWICE}?sort=-n`],
    ['another filter', searchPath(TWICE, { n: { $lt: 7 } })],
    ['another count', `/resources/${TWICE}?page[count]=false`],
  ])('is another one with %s', async (_, path) => {
    const whole = [await list(), await list(), await list()];
    const other = await list(path);
    expect(whole).not.toContainEqual(other);
    expect([await list(path), await list(path), await list(path)]).toEqual([other, other, other]);
  });
});

describe('a list that was kept', () => {
  let people: Readonly<Record<'alice' | 'nobody', Person>>;
  let readers: readonly (readonly [Client, Person])[];
  let bulk: Client;
  let group: Link;
  let ids: readonly string[];

  beforeAll(async () => {
    client = await Client.create();
    const restricted = await underAcl(client);
    bulk = await client.withPermissions([{ path: PATH, methods: [...EVERY_METHOD, 'bulk'] }]);
    people = { alice: await makeUser(client, 'alice'), nobody: NOBODY };
    group = await makeGroup(client, []);
    readers = [
      [client, NOBODY],
      [restricted, people.alice],
      [restricted, people.nobody],
    ];
    ids = await crowd(client, TYPE, 60, (n) => ({ n, even: n % 2 === 0 }));
    for (const at of [0, 1, 2, 3]) await allow(at, people.alice.link);
    await allow(4, group);
  });

  const link = (at: number): Link => ({ type: TYPE, id: ids[at] ?? expect.fail() });
  const allow = (at: number, ...to: readonly Link[]) => grant(client, `${PATH}/${link(at).id}`, { read: to });

  const FILTERS = [{}, { even: true }, { n: { $gte: 3, $lt: 50 } }, { $or: [{ n: 1 }, { n: 41 }] }];
  const PAGES = [{}, { sort: '-n', 'page[limit]': '7' }, { 'page[size]': '5', 'page[after]': '' }];

  let never = -1;

  /** Each list as it is answered, and as it is found by a condition that nobody has sent before, if that is wanted. */
  async function lists(isCompared = true): Promise<readonly (readonly [unknown, unknown])[]> {
    const pairs: (readonly [unknown, unknown])[] = [];
    for (const [reader, { headers }] of readers) {
      for (const filter of FILTERS) {
        for (const page of PAGES) {
          const fresh = { $and: [filter, { n: { $ne: (never -= 1) } }] };
          const ask = async (asked: object) =>
            shown(await reader.get(searchPath(TYPE, asked, page), headers));
          pairs.push([await ask(filter), isCompared && (await ask(fresh))]);
        }
      }
    }
    return pairs;
  }

  /** Asks so often that all is kept. Gives what was answered last. */
  async function kept(): Promise<readonly unknown[]> {
    for (let time = 0; time < 2; time += 1) await lists(false);
    return (await lists(false)).map(([answered]) => answered);
  }

  const all = (method: string, filter: object, data?: object) =>
    bulk.send(method, searchPath(TYPE, filter), {
      body: { ...(data !== undefined && { data: { type: TYPE, ...data } }), meta: { limit: 1000 } },
    });

  test.each<readonly [string, () => Promise<unknown>]>([
    ['a new document', () => client.make(TYPE, { n: 5, even: true })],
    [
      'a change',
      () => client.patch(`${PATH}/${link(6).id}`, { data: { ...link(6), attributes: { n: 41 } } }),
    ],
    ['a deletion', () => client.send('DELETE', `${PATH}/${link(7).id}`)],
    ['a right for a user', () => allow(8, people.alice.link)],
    ['a right that is taken away', () => allow(1)],
    ['a right for everybody', () => grant(client, `${PATH}/${link(9).id}`, { read: '*' })],
    [
      'a new member of a group',
      () =>
        client.patch(`/users/core.user-group/${group.id}`, {
          data: { ...group, relationships: { users: { data: [people.alice.link] } } },
        }),
    ],
    ['a list', () => operate(client, [update(link(10), { n: 1 }), add(TYPE, { n: 4 }), remove(link(11))])],
    [
      'a change of all that a filter finds',
      () => all('PATCH', { n: { $lt: 20 } }, { attributes: { even: 1 } }),
    ],
    ['a deletion of all that a filter finds', () => all('DELETE', { n: { $gte: 45 } })],
    [
      'an import',
      () =>
        imported(client.application, TYPE, [
          JSON.stringify({ type: TYPE, id: 'e'.repeat(24), attributes: { n: 1 } }),
        ]),
    ],
  ])('is right after %s', async (_, work) => {
    const before = await kept();
    await work();
    const after = await lists();
    expect(after.map(([answered]) => answered)).not.toEqual(before);
    for (const [answered, found] of after) expect(answered).toEqual(found);
  });

  test('is as it was after a list of which the last operation fails', async () => {
    const before = await kept();
    const { status } = await operate(client, [remove(link(12)), remove(link(7)), remove(link(7))]);
    expect(status).toBe(404);
    expect((await lists(false)).map(([answered]) => answered)).toEqual(before);
  });

  test('shows what was written before it was asked for, whoever writes meanwhile', async () => {
    const type = 'raced';
    const path = `/resources/${type}?page[limit]=1`;
    let made = 0;
    let writing = true;
    const write = async () => {
      for (let n = 0; n < 40; n += 1) {
        await client.make(type, { n });
        made += 1;
      }
    };
    const read = async () => {
      while (writing) {
        const least = made;
        expect((await client.get(path)).body.meta.count).toBeGreaterThanOrEqual(least);
      }
    };
    const readers = Promise.all([read(), read(), read(), read()]);
    await Promise.all([write(), write(), write()]).finally(() => (writing = false));
    await readers;
    expect((await client.get(path)).body.meta.count).toBe(120);
  });

  test('shows nothing that has come to its end since', async () => {
    const type = 'ended';
    expect((await settle(client, { name: type, expires: 'until' })).status).toBe(201);
    await client.make(type, { until: { $date: '2999-01-01T00:00:00Z' } });
    let counts: number[] = [];
    // Until a few answers come before the end, however slow the machine.
    for (let wait = 1_500; counts.length <= 3; wait *= 2) {
      counts = [];
      await client.make(type, { until: { $date: new Date(Date.now() + wait).toISOString() } });
      // Asked again and again, so it is kept as long as that is right.
      while (counts.at(-1) !== 1) counts.push((await client.get(`/resources/${type}`)).body.meta.count);
    }
    expect(new Set(counts.slice(0, -1))).toEqual(new Set([2]));
  });
});
