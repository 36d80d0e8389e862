/** Objects that sleep while their streams go on: what they are told when something happens, and what wakes none. */
import { expect, test } from 'vitest';
import { Events, Stream } from '../support/live.ts';
import { makeUser, underAcl } from '../support/people.ts';
import { settle } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';
import { COMMON } from '../support/own-service.ts';

const service = await newService({ entry: COMMON });

/** How many objects were woken so far. */
async function woken(): Promise<number> {
  const response = await fetch(`${service.url}/test/counts`);
  return (await response.json<{ readonly objects: number }>()).objects;
}

/** Puts the object of a type to sleep, and tells whether something has woken it. */
async function sleepUntil(type: string, something: () => Promise<unknown>): Promise<boolean> {
  await service.sleep(type);
  const before = await woken();
  await something();
  return (await woken()) > before;
}

test('a stream that slept has its subscriptions, and is told what changes: nothing else, nothing twice', async () => {
  const { client } = service;
  const low = await client.make('notes', { n: 1 });
  const high = await client.make('notes', { n: 8 });
  const stream = new Stream(client, '/resources/notes/changes?filter[n]={"$lt":5}');
  await stream.until('ready');
  stream.say({ op: 'subscribe', id: 'high', query: 'filter[n]={"$gte":5}&fields[notes]=n' });
  await stream.until('ready');
  const events = await Events.open(client, '/resources/notes/changes?filter[n]={"$lt":5}');
  while ((await events.next()).event !== 'ready');
  const change = (id: string, n: number) => client.update(`/resources/notes/${id}`, { attributes: { n } });

  expect(await sleepUntil('notes', () => change(low.id, 2))).toBe(true);
  expect(await stream.next()).toMatchObject({ id: '', event: 'update', data: { id: low.id } });
  expect(await events.next()).toMatchObject({ event: 'update', data: { data: { id: low.id } } });
  await change(high.id, 3);
  const both = [await stream.next(), await stream.next()].toSorted((x, y) => (x.id < y.id ? -1 : 1));
  expect(both).toMatchObject([
    { id: '', event: 'add', data: { id: high.id } },
    { id: 'high', event: 'remove', data: { id: high.id } },
  ]);
  expect(await events.next()).toMatchObject({ event: 'add', data: { data: { id: high.id } } });
  stream.end();
  events.end();
});

test('a stream that slept before there was any document is told of the first', async () => {
  const { client } = service;
  const stream = new Stream(client, '/resources/later/changes');
  await stream.until('ready');
  await service.sleep('later');
  const first = await client.make('later', { n: 1 });
  expect(await stream.next()).toMatchObject({ event: 'add', data: { id: first.id } });
  await service.sleep('later');
  const second = await client.make('later', { n: 2 });
  expect(await stream.next()).toMatchObject({ event: 'add', data: { id: second.id } });
  stream.end();
});

test('a sleeping stream ends when its user logs out, and a ping does not wake it', async () => {
  const { client } = service;
  await settle(client, { name: 'secrets', rights: { read: ['*'] } });
  const ada = await makeUser(client, 'ada');
  await client.make('secrets', { n: 1 });
  const events = await Events.open(await underAcl(client), '/resources/secrets/changes', ada.headers);
  while ((await events.next()).event !== 'ready');
  const stream = new Stream(client, '/resources/secrets/changes');
  await stream.until('ready');
  expect(await sleepUntil('secrets', () => stream.ping())).toBe(false);
  await client.delete('/users/core.user.token/me', undefined, ada.headers);
  expect(await events.next()).toMatchObject({ event: 'end', data: { code: 4401 } });
  // The other one rests on a key.
  const added = await client.make('secrets', { n: 2 });
  expect(await stream.next()).toMatchObject({ event: 'add', data: { id: added.id } });
  stream.end();
});

test('a sleeping stream ends when the settings of its type give other rights', async () => {
  const { client } = service;
  await client.make('given', { n: 1 });
  const events = await Events.open(client, '/resources/given/changes');
  while ((await events.next()).event !== 'ready');
  await service.sleep('given');
  await settle(client, { name: 'given', rights: { read: ['*'] } });
  expect(await events.next()).toMatchObject({ event: 'end', data: { code: 4410 } });
});
