/** Settings of types that are cut short: whenever the process ends, what is stored holds, and nothing else. */
import { beforeEach, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { HALTING } from '../support/own-service.ts';
import { ACL, makeUser, may } from '../support/people.ts';
import { until } from '../support/started.ts';
import { resettle, settle, settingsOf } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';

let client: Client;

const service = await newService({ entry: HALTING });
beforeEach(async () => {
  client = await service.renew();
});

/** The process ends, and another one starts. */
async function restart(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  await service.restart(settings);
  ({ client } = service);
}

const isHeld = async () => (await service.held()) > 0;

/** Which of two fields is unique, by what creates answer. */
async function uniqueOnes(): Promise<readonly string[]> {
  const fields = ['a', 'b'];
  const refused = await Promise.all(
    fields.map(async (field) => {
      const value = `value-${field}`;
      await client.create('/resources/things', { attributes: { [field]: value } });
      return (await client.create('/resources/things', { attributes: { [field]: value } })).status === 409;
    }),
  );
  return fields.filter((_, index) => refused[index]);
}

/** Begins a change of the settings that never answers, as the process will end. */
function begin(change: Promise<unknown>): Promise<boolean> {
  return change.then(
    () => true,
    () => false,
  );
}

test.each(['stageSettings', 'settleSettings'])('the process ends while %s is held', async (method) => {
  await settle(client, { name: 'things', unique: [['a']] });
  await service.halt(method, 'hold');
  const answered = begin(resettle(client, 'things', { unique: [['b']] }));
  await until('the change is under way', isHeld);
  // No read shows what may not come true.
  expect((await client.get('/schemas/core.type')).status).toBe(503);

  await restart({ HALT: `${method} free` });
  expect(await answered).toBe(false);
  const { attributes } = await settingsOf(client, 'things');
  const stored = (attributes?.['unique'] as readonly (readonly string[])[] | undefined)?.flat();
  expect(stored).toEqual(method === 'stageSettings' ? ['a'] : ['b']);
  expect(await uniqueOnes()).toEqual(stored);
});

test.each([
  ['stageSettings', 'before', ['a']],
  ['stageSettings', 'after', ['a']],
  ['settleSettings', 'before', ['b']],
  ['settleSettings', 'after', ['b']],
] as const)('%s fails %s its work', async (method, how, held) => {
  await settle(client, { name: 'things', unique: [['a']] });
  await service.halt(method, how);
  expect((await resettle(client, 'things', { unique: [['b']] })).status).toBeGreaterThanOrEqual(500);
  await service.halt(method, 'free');
  const { attributes } = await settingsOf(client, 'things');
  expect(attributes?.['unique']).toEqual([held]);
  expect(await uniqueOnes()).toEqual(held);
  // The next change is not hindered.
  expect((await resettle(client, 'things', { unique: [['a'], ['b']] })).status).toBe(409);
  expect((await resettle(client, 'things', { unique: [] })).status).toBe(200);
  expect(await uniqueOnes()).toEqual([]);
});

test('a deletion that is cut short is done, or is not', async () => {
  const made = await settle(client, { name: 'things', unique: [['a']] });
  const path = `/schemas/core.type/${made.body.data.id}`;
  await service.halt('settleSettings', 'hold');
  const answered = begin(client.delete(path));
  await until('the deletion is under way', isHeld);
  await restart();
  expect(await answered).toBe(false);
  expect((await client.get('/schemas/core.type')).body.meta.count).toBe(0);
  expect(await uniqueOnes()).toEqual([]);
});

test('writes between a stage and its settling obey both', async () => {
  await settle(client, { name: 'things', unique: [['a']] });
  await service.halt('settleSettings', 'hold');
  const change = resettle(client, 'things', { unique: [['b']] });
  await until('the change is under way', isHeld);
  expect(await uniqueOnes()).toEqual(['a', 'b']);
  await service.halt('settleSettings', 'free');
  expect((await change).status).toBe(200);
  expect(await uniqueOnes()).toEqual(['b']);
});

test.each([
  ['stageSettings', ['a']],
  ['settleSettings', ['b']],
])('rights that are cut short at %s are those that are stored', async (method, stored) => {
  const acl = await client.withPermissions([may('get', '/resources/.*', ACL)]);
  const users = [await makeUser(client, 'ada'), await makeUser(client, 'bea')];
  const [a, b] = users.map(({ link }) => ({ data: link }));
  const made = await client.make('things', {}, { a, b });
  await settle(client, { name: 'things', rights: { read: ['$a'] } });
  await service.halt(method, 'hold');
  const answered = begin(resettle(client, 'things', { rights: { read: ['$b'] } }));
  await until('the change is under way', isHeld);
  await restart();
  expect(await answered).toBe(false);
  expect((await settingsOf(client, 'things')).attributes?.['rights']).toEqual({
    read: stored.map((name) => `$${name}`),
  });
  const again = new Client(service.url, acl.application, acl.key);
  const read = users.map(({ headers }) => again.get(`/resources/things/${made.id}`, headers));
  const readable = (await Promise.all(read)).map(({ status }) => status === 200);
  expect(['a', 'b'].filter((_, index) => readable[index])).toEqual(stored);
});
