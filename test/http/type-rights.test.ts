/** Rights that the settings of a type give on its documents: who has them, since when, and until when. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, type Link, type Resource } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { operate } from '../support/operations.ts';
import { grant, makeUser, NOBODY, type Person, underAcl } from '../support/people.ts';
import { resettle, settle, settingsOf } from '../support/type-settings.ts';

/** A service's own key, and one under ACL. */
const client = await Client.create();
const acl = await underAcl(client);
const ann = await makeUser(client, 'ann');
const bob = await makeUser(client, 'bob');
const eve = await makeUser(client, 'eve');

const to = (...people: readonly (Person | Link)[]) => ({
  data: people.map((each) => ('link' in each ? each.link : each)),
});

/** Who of some may read a document, by its address, and by the list. */
async function readersOf({ type, id }: Link, people: readonly Person[]): Promise<readonly boolean[]> {
  return Promise.all(
    people.map(async ({ headers }) => {
      const one = await acl.get(`/resources/${type}/${id}`, headers);
      const list = await acl.get(`/resources/${type}?page[size]=1000`, headers);
      const listed = list.body.data.some((each: Resource) => each.id === id);
      expect(list.body.meta.count).toBe(list.body.data.length);
      expect(one.status).toBe(listed ? 200 : 403);
      return listed;
    }),
  );
}

describe('a message is read by those whom it is from and to', () => {
  beforeAll(async () => {
    await settle(client, {
      name: 'messages',
      rights: {
        read: ['$from', '$to'],
        update: ['$from'],
        delete: ['$from', { type: 'core.user', id: eve.link.id }],
      },
    });
  });
  const send = (from: Person, ...recipients: readonly Person[]) =>
    client.make('messages', { text: 'hello' }, { from: { data: from.link }, to: to(...recipients) });
  const rewrite = ({ id }: Link, person: Person) =>
    acl.update(`/resources/messages/${id}`, { attributes: { text: 'changed' } }, person.headers);

  test('and by nobody else; each right is its own', async () => {
    const message = await send(ann, bob);
    expect(await readersOf(message, [ann, bob, eve])).toEqual([true, true, false]);
    expect((await rewrite(message, bob)).status).toBe(403);
    expect((await rewrite(message, ann)).status).toBe(200);
    const path = `/resources/messages/${message.id}`;
    expect((await acl.delete(path, undefined, bob.headers)).status).toBe(403);
    expect((await acl.get(`/resources/messages.acl/${message.id}`, ann.headers)).status).toBe(403);
    expect((await acl.delete(path, undefined, eve.headers)).status).toBe(204);
    // Who could read it may know that it is gone.
    const told = await Promise.all([ann, bob, eve].map(({ headers }) => acl.get(path, headers)));
    expect(told.map(({ status }) => status)).toEqual([200, 200, 403]);
  });

  test('also after its ACL named them, and does no longer', async () => {
    const message = await send(ann, bob);
    for (const read of [[bob.link, eve.link], []]) {
      await client.update(`/resources/messages.acl/${message.id}`, { attributes: { read } });
      expect(await readersOf(message, [ann, bob, eve])).toEqual([true, true, read.length > 0]);
    }
  });

  test('a change of the links changes who reads it, at once, and tags notice', async () => {
    const message = await send(ann, bob);
    const path = `/resources/messages/${message.id}`;
    const seen = await acl.get('/resources/messages', bob.headers);
    const other = await acl.get('/resources/messages', eve.headers);
    const links = `${path}/relationships/to`;
    expect((await acl.patch(links, to(eve), ann.headers)).status).toBe(200);
    expect(await readersOf(message, [ann, bob, eve])).toEqual([true, false, true]);
    for (const [{ headers }, { etag }] of [
      [bob, seen],
      [eve, other],
    ] as const) {
      expect((await acl.get('/resources/messages', { ...headers, 'if-none-match': etag })).status).toBe(200);
    }
    expect((await acl.post(links, to(bob), ann.headers)).status).toBe(200);
    expect(await readersOf(message, [ann, bob, eve])).toEqual([true, true, true]);
  });

  test('lists of operations obey as well', async () => {
    const data = { type: 'messages', attributes: { text: 'x' }, relationships: { to: to(eve) } };
    const { results } = await operate(client, [{ op: 'add', data }]);
    const made = results[0]?.data ?? NOBODY.link;
    expect(await readersOf(made, [ann, bob, eve])).toEqual([false, false, true]);
  });

  test('the creator gets nothing that the settings do not say, and may not give itself more', async () => {
    const data = { type: 'messages', attributes: { text: 'mine' } };
    const made = await acl.post('/resources/messages', { data }, eve.headers);
    expect(made.status).toBe(201);
    // The answer has its address, and no more than a GET would show.
    expect(Object.keys(made.body.data)).toEqual(['type', 'id', 'links']);
    expect(made.etag).toBe('');
    expect(await readersOf(made.body.data, [ann, bob, eve])).toEqual([false, false, false]);
    const { id } = made.body.data;
    expect((await acl.get(`/resources/messages.acl/${id}`, eve.headers)).status).toBe(403);
    const more = { data: { ...data, meta: { acl: { read: [eve.link] } } } };
    const refused = await acl.post('/resources/messages', more, eve.headers);
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([403, 'forbidden']);
    expect((await client.post('/resources/messages', more)).status).toBe(201);
  });

  test('the ACL of a document holds beside them, and takes nothing of them', async () => {
    const message = await send(ann, bob);
    const path = `/resources/messages/${message.id}`;
    await grant(client, path, { read: [eve.link, ann.link] });
    expect(await readersOf(message, [ann, bob, eve])).toEqual([true, true, true]);
    await grant(client, path, { read: [] });
    expect(await readersOf(message, [ann, bob, eve])).toEqual([true, true, false]);
    await grant(client, path, { read: [bob.link] });
    await client.patch(`${path}/relationships/to`, { data: [] });
    expect(await readersOf(message, [ann, bob, eve])).toEqual([true, true, false]);
  });

  test('an include shows what may be read, no more', async () => {
    const message = await send(ann, bob);
    await settle(client, { name: 'notes', rights: { read: ['*'] } });
    const note = await client.make('notes', {}, { about: { data: { type: 'messages', id: message.id } } });
    const included = await Promise.all(
      [bob, eve].map(({ headers }) => acl.get(`/resources/notes/${note.id}?include=about`, headers)),
    );
    expect(included.map(({ body }) => body.included.length)).toEqual([1, 0]);
    // The link changes, and with it who is shown the message: no tag of before is current.
    await client.patch(`/resources/messages/${message.id}/relationships/to`, to(eve));
    const again = await Promise.all(
      [bob, eve].map(({ headers }, index) =>
        acl.get(`/resources/notes/${note.id}?include=about`, {
          ...headers,
          'if-none-match': included[index]?.etag ?? '',
        }),
      ),
    );
    expect(again.map(({ status, body }) => [status, body.included.length])).toEqual([
      [200, 0],
      [200, 1],
    ]);
  });

  test('a relationship that gives rights has at most 1,000 links', async () => {
    const links = (await crowd(client, 'things', 1001)).map((id) => ({ type: 'things', id }));
    const linked = (some: readonly Link[]) =>
      client.create('/resources/messages', { relationships: { to: { data: some } } });
    expect((await linked(links.slice(0, 1000))).status).toBe(201);
    const refused = await linked(links);
    expect([refused.status, refused.body.errors[0]?.source?.pointer]).toEqual([
      422,
      '/data/relationships/to',
    ]);
  });
});

describe('existing documents', () => {
  test('obey as soon as the setting has answered, and no longer once it is gone', async () => {
    const documents = await Promise.all(
      [ann, bob].map(({ link }) =>
        client.make('old', {}, { owner: { data: link }, guest: { data: eve.link } }),
      ),
    );
    const seen = async () => Promise.all(documents.map((each) => readersOf(each, [ann, bob, eve])));
    expect((await seen()).flat()).toEqual(Array(6).fill(false));
    await settle(client, { name: 'old', rights: { read: ['$owner'] } });
    expect(await seen()).toEqual([
      [true, false, false],
      [false, true, false],
    ]);
    await resettle(client, 'old', { rights: { read: ['$guest'], update: ['$owner'] } });
    expect(await seen()).toEqual([
      [false, false, true],
      [false, false, true],
    ]);
    await client.delete(`/schemas/core.type/${(await settingsOf(client, 'old')).id}`);
    expect((await seen()).flat()).toEqual(Array(6).fill(false));
  });

  test('are rebuilt while others write and read: in the end each has what it should', async () => {
    const people = [ann, bob, eve];
    const random = (seed: number) => people.filter((_, index) => (seed >> index) & 1);
    const add = (seed: number) => ({
      op: 'add',
      data: { type: 'busy', attributes: { seed }, relationships: { of: to(...random(seed)) } },
    });
    const operations = Array.from({ length: 1000 }, (_, index) => add(index % 8));
    await operate(client, operations);
    const listed = await client.get('/resources/busy?page[size]=200');
    const state = { done: false };
    const settings = (async () => {
      for (const rights of [{ read: ['$of'] }, { read: ['$none'] }, { read: ['$of'], update: ['*'] }]) {
        const exists = (await client.get('/schemas/core.type?filter[name]=busy')).body.meta.count > 0;
        const set = exists
          ? await resettle(client, 'busy', { rights })
          : await settle(client, { name: 'busy', rights });
        expect(set.status).toBeLessThan(300);
      }
      state.done = true;
    })();
    const writers = listed.body.data.slice(0, 100).map(async ({ id }, index) => {
      await client.patch(`/resources/busy/${id}/relationships/of`, to(...random(index % 8)));
      if (index % 7 === 0) await client.delete(`/resources/busy/${id}`);
    });
    while (!state.done) {
      const { body } = await acl.get('/resources/busy?page[size]=50', eve.headers);
      // What is read meanwhile is readable by one of the settings.
      for (const { relationships } of body.data) {
        expect(relationships?.['of']?.data).toContainEqual(eve.link);
      }
    }
    await Promise.all([settings, ...writers]);
    const all = (await client.get('/resources/busy?page[size]=1000')).body.data;
    for (const { headers, link } of people) {
      const { body } = await acl.get('/resources/busy?page[size]=1000', headers);
      const expected = all.filter(({ relationships }) =>
        JSON.stringify(relationships?.['of']?.data).includes(link.id),
      );
      expect(body.data.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      expect(body.meta.count).toBe(expected.length);
    }
  });
});
