/** Settings of types that are cut short: whenever the process ends, what is stored holds, and nothing else. */
import { expect, test } from 'vitest';
import { Client, pathOf } from '../support/client.ts';
import { HALTING } from '../support/own-service.ts';
import { ACL, makeUser, may } from '../support/people.ts';
import { until } from '../support/started.ts';
import { resettle, settle, settingsOf } from '../support/type-settings.ts';
import { newService } from '../support/scope.ts';

const FIELDS = ['a', 'b'];
/** Settings that are about one of the fields. */
const ABOUT = {
  unique: (field: string) => ({ unique: [[field]] }),
  rights: (field: string) => ({ rights: { read: [`$${field}`] } }),
};

const service = await newService({ entry: HALTING });

/** Which of two fields is unique, by what creates answer. */
async function uniqueOnes(client: Client, type = 'things'): Promise<readonly string[]> {
  const refused = await Promise.all(
    FIELDS.map(async (field) => {
      const attributes = { [field]: `value-${field}` };
      await client.create(`/resources/${type}`, { attributes });
      return (await client.create(`/resources/${type}`, { attributes })).status === 409;
    }),
  );
  return FIELDS.filter((_, index) => refused[index]);
}

/** A type whose settings are about `a`: their change to `b`, or their deletion, is held at a method. */
async function cutShort(method: string, kind: keyof typeof ABOUT, holds: readonly string[]) {
  const client = await service.newClient();
  const acl = await client.withPermissions([may('get', '/resources/.*', ACL)]);
  const type = `${kind}-${method}-${holds.length}`;
  const users = [await makeUser(client, 'ada'), await makeUser(client, 'bea')];
  const [a, b] = users.map(({ link }) => ({ data: link }));
  const { id } = (await settle(client, { name: type, ...ABOUT[kind]('a') })).body.data;
  const document = pathOf(await client.make(type, {}, { a, b }));
  await service.halt(`${method} ${type}`, 'hold');
  const path = `/schemas/core.type/${id}`;
  const change =
    holds.length === 0 ? client.delete(path) : client.update(path, { attributes: ABOUT[kind]('b') });
  const answered = change.then(
    () => true,
    () => false,
  );
  return { method, kind, holds, type, client, acl, users, document, answered };
}

const cuts = await Promise.all([
  cutShort('stageSettings', 'unique', ['a']),
  cutShort('settleSettings', 'unique', ['b']),
  cutShort('settleSettings', 'unique', []),
  cutShort('stageSettings', 'rights', ['a']),
  cutShort('settleSettings', 'rights', ['b']),
]);
await until('all changes are under way', async () => (await service.held()) === cuts.length);
// No read shows what may not come true.
for (const { client } of cuts) expect((await client.get('/schemas/core.type')).status).toBe(503);
await service.restart();

test.each(cuts)('$kind that the end of the process cuts short at $method are of $holds', async (cut) => {
  const { kind, holds, type, users, document, answered } = cut;
  const again = ({ application, key }: Client) => new Client(service.url, application, key);
  const client = again(cut.client);
  expect(await answered).toBe(false);
  const stored = (await client.get('/schemas/core.type')).body.data;
  expect(stored.map(({ attributes }) => attributes?.[kind])).toEqual(
    holds.map((field) => Object.values<unknown>(ABOUT[kind](field))[0]),
  );
  const reads = users.map(({ headers }) => again(cut.acl).get(document, headers));
  const isRead = (await Promise.all(reads)).map(({ status }) => status === 200);
  const read = FIELDS.filter((_, index) => isRead[index]);
  expect(kind === 'unique' ? await uniqueOnes(client, type) : read).toEqual(holds);
});

test.each([
  ['stageSettings', 'before', ['a']],
  ['stageSettings', 'after', ['a']],
  ['settleSettings', 'before', ['b']],
  ['settleSettings', 'after', ['b']],
] as const)('%s fails %s its work', async (method, how, held) => {
  const client = await service.newClient();
  await settle(client, { name: 'things', unique: [['a']] });
  await service.halt(method, how);
  expect((await resettle(client, 'things', { unique: [['b']] })).status).toBeGreaterThanOrEqual(500);
  await service.halt(method, 'free');
  const { attributes } = await settingsOf(client, 'things');
  expect(attributes?.['unique']).toEqual([held]);
  expect(await uniqueOnes(client)).toEqual(held);
  // The next change is not hindered.
  expect((await resettle(client, 'things', { unique: [['a'], ['b']] })).status).toBe(409);
  expect((await resettle(client, 'things', { unique: [] })).status).toBe(200);
  expect(await uniqueOnes(client)).toEqual([]);
});

test('writes between a stage and its settling obey both', async () => {
  const client = await service.newClient();
  await settle(client, { name: 'things', unique: [['a']] });
  await service.halt('settleSettings', 'hold');
  const change = resettle(client, 'things', { unique: [['b']] });
  await until('the change is under way', async () => (await service.held()) > 0);
  expect(await uniqueOnes(client)).toEqual(['a', 'b']);
  await service.halt('settleSettings', 'free');
  expect((await change).status).toBe(200);
  expect(await uniqueOnes(client)).toEqual(['b']);
});
