/** Webhooks: who hears of what, what a call holds, and how it is signed. */
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import { digestOf, FILES, PNG, upload } from '../support/files.ts';
import { restore } from '../support/history.ts';
import { add, operate } from '../support/operations.ts';
import { begun, send } from '../support/resumable.ts';
import { settle } from '../support/type-settings.ts';
import { may } from '../support/people.ts';
import { newReceiver, newService } from '../support/scope.ts';

const receiver = await newReceiver();
const service = await newService({
  settings: { WEBHOOKS_TO_PRIVATE: 'yes', DELIVERY_PAUSE: '20', DELIVERY_TRIES: '3' },
});
const client = service.client;

let next = 0;
let type = '';
let path = '';

beforeEach(() => {
  receiver.reset();
  next += 1;
  type = `notes${next}`;
  path = `/${type}`;
});

/** A webhook of the type of the test. */
async function hear(attributes: object = {}) {
  const made = await client.create('/webhooks/core.webhook', {
    attributes: { target: type, url: receiver.url(path), ...attributes },
  });
  expect(made.status, made.text).toBe(201);
  return made.body.data;
}

const change = (id: string, attributes: object) => client.update(`/resources/${type}/${id}`, { attributes });

/** The calls until that of a document made now: once all that are expected have come, another would be among them. */
async function callsUntilNow() {
  const last = await client.make(type, { last: true });
  const found = () =>
    receiver.calls.findIndex(({ path: at, body }) => at === path && body.data.id === last.id);
  for (let count = 1; found() === -1; count += 1) await receiver.called(count, path);
  return receiver.calls.slice(0, found()).filter(({ path: at }) => at === path);
}

describe('what a call holds', () => {
  test('an event, its time, and the document as a GET shows it', async () => {
    await hear();
    const author = await client.make('people', { name: 'Ada' });
    const made = await client.make(
      type,
      { title: 'One', at: { $date: '2026-01-01' }, big: { $numberLong: '9007199254740993' } },
      { author: { data: { type: 'people', id: author.id } } },
    );
    const [call] = await receiver.called(1, path);
    const { body } = await client.get(`/resources/${type}/${made.id}`);
    expect(call?.body).toEqual({
      type: `${type}.create`,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      data: {
        type,
        id: made.id,
        attributes: body.data.attributes,
        relationships: { author: { data: { type: 'people', id: author.id } } },
      },
    });
    expect(call?.text).toContain('"big":9007199254740993');
    expect(call?.headers['content-type']).toBe('application/json');
  });

  test('of a deletion the identifier', async () => {
    await hear({ events: ['delete'] });
    const { id } = await client.make(type, { title: 'One' });
    await client.delete(`/resources/${type}/${id}`);
    const [call] = await receiver.called(1, path);
    expect(call?.body).toMatchObject({ type: `${type}.delete`, data: { type, id } });
    expect(call?.body.data).not.toHaveProperty('attributes');
  });

  test('of a restored version what the document is then: a change, or of a deleted one a creation', async () => {
    await settle(client, { name: type, history: 'forever' });
    await hear();
    const made = await client.make(type, { n: 1 });
    await change(made.id, { n: 2 });
    await restore(client, made, 1);
    await client.delete(`/resources/${type}/${made.id}`);
    await restore(client, made, 2);
    const calls = await receiver.called(5, path);
    expect(calls.map(({ body }) => [body.type, body.data.attributes?.['n']])).toEqual([
      [`${type}.create`, 1],
      [`${type}.update`, 2],
      [`${type}.update`, 1],
      [`${type}.delete`, undefined],
      [`${type}.create`, 2],
    ]);
  });

  test('of a file its document, stored in one request or in several, and its end', async () => {
    await hear({ target: 'core.file' });
    const { id } = (await upload(client, PNG)).body.data;
    const later = await begun(client, PNG.length);
    await send(client, later, 0, PNG.slice(0, 9));
    await send(client, later, 9, PNG.slice(9));
    await client.delete(`${FILES}/${id}`);
    const calls = await receiver.called(3, path);
    expect(calls.map(({ body }) => [body.type, body.data.id])).toEqual([
      ['core.file.create', id],
      ['core.file.create', later],
      ['core.file.delete', id],
    ]);
    expect(calls[1]?.body.data.attributes).toMatchObject({ size: PNG.length, 'sha-256': digestOf(PNG) });
  });

  test('a signature that the library of Standard Webhooks takes, and of no other body', async () => {
    const webhook = await hear();
    const secret = String(webhook.attributes?.['secret']);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/);
    await client.make(type, { title: 'Ü' });
    const [call] = await receiver.called(1, path);
    const headers = Object.fromEntries(
      Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(secret).verify(call?.text ?? '', headers)).toEqual(call?.body);
    expect(() => new Webhook(secret).verify(`${call?.text} `, headers)).toThrow(
      'No matching signature found',
    );
  });

  test('never a password', async () => {
    await client.create('/webhooks/core.webhook', {
      attributes: { target: 'core.user', url: receiver.url('/users') },
    });
    const attributes = { username: 'ada', password: 'correct horse', email: 'ada@example.com' };
    await client.create('/users/core.user', { attributes });
    const [call] = await receiver.called(1, '/users');
    expect(call?.body.data.attributes).toEqual({ username: 'ada', email: 'ada@example.com' });
  });
});

describe('who hears', () => {
  test('of the events that are asked for', async () => {
    await hear({ events: ['create', 'delete'] });
    const { id } = await client.make(type, { n: 1 });
    await change(id, { n: 2 });
    await client.delete(`/resources/${type}/${id}`);
    await receiver.called(2, path);
    const calls = await callsUntilNow();
    expect(calls.map(({ body }) => body.type).sort()).toEqual([`${type}.create`, `${type}.delete`]);
  });

  test('with a filter, of documents that match before the write or after it', async () => {
    await hear({ filter: { n: { $gte: 10 } } });
    const { id } = await client.make(type, { n: 1 });
    await change(id, { n: 2 });
    await change(id, { n: 10 });
    await change(id, { n: 11 });
    await change(id, { n: 3 });
    await change(id, { n: 4 });
    const other = await client.make(type, { n: 12 });
    await client.delete(`/resources/${type}/${id}`);
    await client.delete(`/resources/${type}/${other.id}`);
    const calls = await receiver.called(5, path);
    const told = calls.map(({ body }) => [body.data.id, body.type, body.data.attributes?.['n'], body.meta]);
    expect(told.filter(([of]) => of === id)).toEqual([
      [id, `${type}.update`, 10, { matched: false, matches: true }],
      [id, `${type}.update`, 11, { matched: true, matches: true }],
      [id, `${type}.update`, 3, { matched: true, matches: false }],
    ]);
    expect(told.filter(([of]) => of === other.id)).toEqual([
      [other.id, `${type}.create`, 12, { matched: false, matches: true }],
      [other.id, `${type}.delete`, undefined, { matched: true, matches: false }],
    ]);
  });

  test('of operations and of changes of many, not of what is undone', async () => {
    await hear();
    expect((await operate(client, [add(type, { n: 1 }), add(type, { n: 2 })])).status).toBe(200);
    const undone = await operate(client, [
      add(type, { n: 3 }),
      { op: 'remove', ref: { type, id: '0'.repeat(24) } },
    ]);
    expect(undone.status).toBe(404);
    const bulk = await client.withPermissions([may('get patch delete bulk', '.*')]);
    const all = `/resources/${type}?filter[*]=${encodeURIComponent('{}')}`;
    const changed = await bulk.patch(all, {
      meta: { limit: 10 },
      data: { type, attributes: { done: true } },
    });
    expect(changed.body.meta.count).toBe(2);
    expect((await bulk.delete(all, { meta: { limit: 10 } })).body.meta.count).toBe(2);
    await receiver.called(6, path);
    const calls = await callsUntilNow();
    const count = (event: string) => calls.filter(({ body }) => body.type === `${type}.${event}`).length;
    expect([count('create'), count('update'), count('delete'), calls.length]).toEqual([2, 2, 2, 6]);
  });

  test('every write that begins after the answer, and none after it is deleted or put to rest', async () => {
    const webhook = await hear();
    const made = await client.make(type, { n: 1 });
    await receiver.called(1, path);
    const at = `/webhooks/core.webhook/${webhook.id}`;
    const patch = (attributes: object) => client.update(at, { attributes });
    expect((await patch({ active: false })).status).toBe(200);
    await change(made.id, { n: 2 });
    expect((await patch({ active: true })).status).toBe(200);
    await change(made.id, { n: 3 });
    const calls = await receiver.called(2, path);
    expect(calls.map(({ body }) => body.data.attributes?.['n'])).toEqual([1, 3]);
    expect((await client.delete(at)).status).toBe(204);
    await change(made.id, { n: 4 });
    await hear();
    expect((await callsUntilNow()).map(({ body }) => body.data.attributes?.['n'])).toEqual([1, 3]);
  });

  test('each webhook of the type, in the order of the writes of a document', async () => {
    await hear({ url: receiver.url(`${path}?one`) });
    await hear({ url: receiver.url(`${path}?two`) });
    const { id } = await client.make(type, { n: 0 });
    await Promise.all([1, 2, 3, 4, 5].map((n) => change(id, { n })));
    await change(id, { n: 6 });
    for (const query of ['one', 'two']) {
      const calls = await receiver.called(7, `${path}?${query}`);
      const told = calls.map(({ body }) => Number(body.data.attributes?.['n']));
      expect([told[0], told[6], [...told].sort()]).toEqual([0, 6, [0, 1, 2, 3, 4, 5, 6]]);
    }
    const orders = ['one', 'two'].map((query) =>
      receiver.calls.filter((call) => call.path === `${path}?${query}`).map(({ text }) => text),
    );
    expect(orders[0]).toEqual(orders[1]);
  });

  test('of a webhook that is about another type now, the other type', async () => {
    const webhook = await hear();
    const attributes = { target: `${type}-other` };
    await client.update(`/webhooks/core.webhook/${webhook.id}`, { attributes });
    await client.make(type, { n: 1 });
    await client.make(`${type}-other`, { n: 2 });
    const [call] = await receiver.called(1, path);
    expect(call?.body.type).toBe(`${type}-other.create`);
  });
});
