/** How a stream or a feed begins (docs/live.md): with what the list shows, at its cost, and a mark of that moment. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Link } from '../support/client.ts';
import { feedMeta, Follower } from '../support/feed.ts';
import { Events, Stream } from '../support/live.ts';
import { grant, makeUser, underAcl } from '../support/people.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';
import { callOperator } from '../support/transfer.ts';
import type { Usage } from '../../scripts/transfer/usage.ts';
import { names } from '../support/rules.ts';

let types = 0;
const client = await Client.create();

const newType = () => `opening${(types += 1)}`;
const change = (type: string, id: string, attributes: object) =>
  client.update(`/resources/${type}/${id}`, { attributes });

/** The rows that the statements of a type's object read while something is done. */
async function rowsRead(type: string, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { body } = await callOperator('GET', `${client.application}/usage`);
    const { types: all } = body.meta as unknown as Usage;
    return all.find(({ name }) => name === type)?.['rows-read'] ?? 0;
  };
  const before = await count();
  await work();
  return (await count()) - before;
}

describe('opening costs what the list costs', () => {
  const TYPE = 'channels';
  const FILTER = 'filter[channel]=7';

  beforeAll(async () => {
    await crowd(client, TYPE, 3_000, (n) => ({ channel: n % 250, name: `m${n}` }));
    // Another value each time: what was counted already costs too little to be worth an index.
    for (let value = -1; ; value -= 1) {
      const search = () => client.get(searchPath(TYPE, { channel: value }));
      if ((await rowsRead(TYPE, search)) < 100) break;
    }
    await client.get(`/resources/${TYPE}/changes?changes[since]=now`);
  });

  let limit = 1000;
  const openings: [what: string, open: () => Promise<number>][] = [
    [
      'a WebSocket',
      async () => {
        const stream = new Stream(client, `/resources/${TYPE}/changes?${FILTER}`);
        const told = await stream.until('ready');
        stream.end();
        return told.length;
      },
    ],
    [
      'Server-Sent Events',
      async () => {
        const events = await Events.open(client, `/resources/${TYPE}/changes?${FILTER}`);
        let told = 0;
        while ((await events.next()).event !== 'ready') told += 1;
        events.end();
        return told;
      },
    ],
    [
      'the feed, in one request',
      async () => {
        const reply = await client.get(`/resources/${TYPE}/changes?page[size]=1000&${FILTER}`);
        expect(reply.body.links.next).toBeNull();
        return reply.body.data.length;
      },
    ],
    [
      'a list with its mark',
      async () =>
        (await client.get(`/resources/${TYPE}?page[limit]=1000&changes[since]=now&${FILTER}`)).body.data
          .length,
    ],
  ];
  test.each(openings)('%s', async (_, open) => {
    // No page that is kept in memory: each is of another length.
    const list = () =>
      client.get(`/resources/${TYPE}?page[limit]=${(limit -= 1)}&page[count]=false&${FILTER}`);
    const ofList = await rowsRead(TYPE, list);
    let told = 0;
    const ofOpening = await rowsRead(TYPE, async () => {
      told = await open();
    });
    expect(told).toBe(12);
    expect(ofList).toBeLessThan(100);
    expect(ofOpening).toBeLessThanOrEqual(2 * ofList);
  });
});

describe('writes while it begins are neither missed nor told twice', () => {
  async function six(type: string): Promise<readonly Link[]> {
    const made: Link[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) made.push(await client.make(type, { name, n: 1 }));
    return made;
  }

  test('of documents that were told, that were not told yet, and that come', async () => {
    const type = newType();
    const [a, b, , d, e] = await six(type);
    const follower = new Follower(client, {}, `/resources/${type}?filter[n]=1`);
    expect(await follower.turn(2)).toBe(false);
    expect([...follower.known.values()].map(({ attributes }) => attributes?.['name'])).toEqual(['a', 'b']);
    await change(type, a?.id ?? '', { name: 'A' });
    await client.delete(`/resources/${type}/${b?.id ?? ''}`);
    await change(type, d?.id ?? '', { n: 2 });
    await change(type, e?.id ?? '', { name: 'E' });
    await client.make(type, { name: 'g', n: 1 });
    const told: unknown[] = [];
    const state = () =>
      new Map([...follower.known.values()].map(({ id, attributes }) => [id, attributes?.['name']]));
    for (let before = state(), ended = false; !ended; before = state()) {
      ended = await follower.turn(2);
      for (const [id, name] of state()) if (before.get(id) !== name) told.push(name);
    }
    expect(told.toSorted()).toEqual(['A', 'E', 'c', 'f', 'g']);
    const list = await client.get(`/resources/${type}?filter[n]=1`);
    expect(new Set(state().values())).toEqual(new Set(names(list)));
    expect(follower.known.size).toBe(list.body.data.length);
  });

  test('of a stream of several pages', async () => {
    const type = newType();
    await crowd(client, type, 700, (n) => ({ name: `m${n}`, n: n % 2, at: 0 }));
    const { body } = await client.get(`/resources/${type}?page[limit]=1000`);
    const ids = body.data.map(({ id }) => id);
    const stream = new Stream(client, `/resources/${type}/changes?filter[n]=1`);
    for (let at = 1; at <= 60; at += 1) {
      const id = ids[(at * 11 + 5) % ids.length] ?? '';
      if (at % 3 === 0) await client.delete(`/resources/${type}/${id}`);
      else if (at % 3 === 1) await change(type, id, { at });
      else await change(type, id, { at, n: at % 2 });
    }
    const last = await client.make(type, { n: 1, name: 'last' });
    const known = new Map<string, string>();
    const states = new Set<string>();
    for (;;) {
      const { event, data } = await stream.next();
      if (event === 'ready') continue;
      expect([event, known.has(data.id)]).toEqual([event, event !== 'add']);
      if (event === 'remove') known.delete(data.id);
      else {
        const text = `${data.id} ${JSON.stringify(data.attributes)}`;
        expect(states.has(text), `twice: ${text}`).toBe(false);
        states.add(text);
        known.set(data.id, text);
      }
      if (data.id === last.id) break;
    }
    stream.end();
    const now = await client.get(`/resources/${type}?filter[n]=1&page[limit]=1000`);
    expect([...known.keys()].toSorted()).toEqual(now.body.data.map(({ id }) => id).toSorted());
    expect([...known.values()].toSorted()).toEqual(
      now.body.data.map(({ id, attributes }) => `${id} ${JSON.stringify(attributes)}`).toSorted(),
    );
  });

  test('of a type that was empty: nothing is told of documents that never were told', async () => {
    const type = newType();
    const stream = new Stream(client, `/resources/${type}/changes`);
    await stream.until('ready');
    await crowd(client, type, 700, (n) => ({ n }));
    const { body } = await client.get(`/resources/${type}?page[limit]=1000`);
    const gone = body.data.filter((_, n) => n % 7 === 0);
    await Promise.all(gone.map(({ id }) => client.delete(`/resources/${type}/${id}`)));
    const last = await client.make(type, { name: 'last' });
    const known = new Set<string>();
    for (let told = 1; !known.has(last.id); told += 1) {
      const { event, data } = await stream.next();
      if (told % 100 === 0) stream.say({ op: 'ack' });
      expect([event, known.has(data.id)]).toEqual([event, event !== 'add']);
      if (event === 'remove') known.delete(data.id);
      else known.add(data.id);
    }
    expect(known.size).toBe(601);
    stream.end();
  });

  test('a break within the first documents: it goes on after the last that came', async () => {
    const type = newType();
    const [, , c] = await six(type);
    const first = new Stream(client, `/resources/${type}/changes?filter[n]=1`);
    await first.next();
    const { mark } = await first.next();
    first.end();
    await change(type, c?.id ?? '', { name: 'C' });
    const second = new Stream(client, `/resources/${type}/changes?filter[n]=1&changes[since]=${mark}`);
    expect(await second.until('ready')).toEqual(['add d', 'add e', 'add f', 'add C']);
    second.end();
  });

  test('documents that are large together come in several pages', async () => {
    const type = newType();
    const pad = 'x'.repeat(100_000);
    for (let n = 0; n < 12; n += 1) await client.make(type, { name: String(n), pad });
    const stream = new Stream(client, `/resources/${type}/changes?fields[${type}]=name`);
    expect(await stream.until('ready')).toEqual(Array.from({ length: 12 }, (_, n) => `add ${n}`));
    stream.end();
  });

  test('in the order that the filter gives, as the user may read, under the key', async () => {
    const type = newType();
    const acl = await underAcl(client);
    const ada = await makeUser(client, `ada-${type}`);
    for (const x of [3, 1, 2]) {
      const { id } = await client.make(type, {
        name: `at ${x}`,
        place: { type: 'Point', coordinates: [x, 0] },
      });
      await grant(client, `/resources/${type}/${id}`, { read: [ada.link] });
    }
    await client.make(type, { name: 'hidden', place: { type: 'Point', coordinates: [0, 0] } });
    const near = JSON.stringify({ $near: { $geometry: { type: 'Point', coordinates: [0, 0] } } });
    const path = `/resources/${type}/changes?filter[place]=${encodeURIComponent(near)}`;
    const follower = new Follower(acl, ada.headers, path.replace('/changes', ''));
    while (!(await follower.turn(1)));
    const order = [...follower.known.values()].map(({ attributes }) => attributes?.['name']);
    expect(order).toEqual(['at 1', 'at 2', 'at 3']);
  });
});

describe('`changes[since]=now`', () => {
  test('a stream begins without any documents', async () => {
    const type = newType();
    await client.make(type, { name: 'before' });
    const stream = new Stream(client, `/resources/${type}/changes?changes[since]=now`);
    expect(await stream.until('ready')).toEqual([]);
    await client.make(type, { name: 'after' });
    expect(await stream.next()).toMatchObject({ event: 'add', data: { attributes: { name: 'after' } } });
    stream.end();
  });

  test('a list has the mark from which its feed goes on', async () => {
    const type = newType();
    const path = `/resources/${type}?filter[n]=1&sort=-name&page[limit]=1&changes[since]=now`;
    const none = await client.get(path);
    const a = await client.make(type, { name: 'a', n: 1 });
    await client.make(type, { name: 'b', n: 1 });
    const list = await client.get(path);
    expect(names(list)).toEqual(['b']);
    expect((await client.get(path)).text).toBe(list.text);
    const marks = [none, list].map(({ body }) => String((body.meta as { readonly mark?: string }).mark));
    const [fromNothing, mark] = marks;
    const since = async (sent = '') => {
      const reply = await client.get(`/resources/${type}/changes?filter[n]=1&changes[since]=${sent}`);
      return [names(reply), feedMeta(reply).deleted.map(({ id }) => id)];
    };
    expect(await since(fromNothing)).toEqual([['a', 'b'], []]);
    expect(await since(mark)).toEqual([[], []]);
    await client.make(type, { name: 'c', n: 1 });
    await client.delete(`/resources/${type}/${a.id}`);
    expect(await since(mark)).toEqual([['c'], [a.id]]);
  });

  test('of a list that is as it was, the mark is good as well', async () => {
    const type = newType();
    await client.make(type, { name: 'a', n: 1 });
    const path = `/resources/${type}?filter[n]=1&changes[since]=now`;
    const list = await client.get(path);
    await client.make(type, { name: 'other', n: 2 });
    const again = await client.get(path, { 'if-none-match': list.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const { mark = '' } = list.body.meta as { readonly mark?: string };
    await client.make(type, { name: 'b', n: 1 });
    expect(names(await client.get(`/resources/${type}/changes?filter[n]=1&changes[since]=${mark}`))).toEqual([
      'b',
    ]);
  });

  const refused: [path: string, code: string][] = [
    ['/resources/notes?changes[since]=AAAA', 'invalid-parameter'],
    ['/resources/notes?changes[before]=now', 'unknown-parameter'],
    ['/api-keys/core.api-key?changes[since]=now', 'unknown-parameter'],
  ];
  test.each(refused)('%s is refused', async (path, code) => {
    const { status, body } = await client.get(path);
    expect([status, body.errors.map((each) => each.code)]).toEqual([400, [code]]);
  });
});
