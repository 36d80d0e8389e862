/**
 * The copies in KV of keys and applications (src/collection/write/notify/lookups.ts): KV takes one write a second for
 * each key, as Cloudflare's does: test/support/worker.ts holds it to that.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Operator } from '../../scripts/operator.ts';
import { asOperator, Client, counts } from '../support/client.ts';
import { COMMON, OwnService, SECRETS } from '../support/own-service.ts';
import { ACL, EVERY_METHOD, makeUser, may } from '../support/people.ts';
import { until } from '../support/started.ts';
import { newService } from '../support/scope.ts';

const READS = [may('get', '.*')];

describe('within a second, with a KV that takes one write a second for each key,', () => {
  let own: OwnService;
  let operator: Operator;
  beforeAll(async () => {
    own = await OwnService.start({ entry: COMMON });
    operator = own.operator;
  });
  afterAll(() => own.stop());

  const writes = async (): Promise<number> => (await counts(own.url)).writes;
  const make = (name = 'key') => own.client.newKey(READS, { name });
  const rename = async (path: string, name: string) =>
    (await own.client.update(path, { attributes: { name } })).status;

  test('a key is made, changed twice and deleted, and holds until then', async () => {
    const { path, client } = await make();
    expect((await client.get('/resources/things')).status).toBe(200);
    expect([await rename(path, 'one'), await rename(path, 'two')]).toEqual([200, 200]);
    expect((await client.get('/resources/things')).status).toBe(200);
    expect((await own.client.delete(path)).status).toBe(204);
    expect((await client.get('/resources/things')).status).toBe(401);
  });

  test('changes that come together are all made', async () => {
    const { path } = await make();
    const names = Array.from({ length: 8 }, (_, at) => `name ${at}`);
    expect(await Promise.all(names.map((name) => rename(path, name)))).toEqual(names.map(() => 200));
  });

  test('ten changes write one mark, and one copy that comes later', async () => {
    const { path } = await make();
    // The copy of its creation is written by the time that the first mark is.
    await rename(path, 'first');
    const before = await writes();
    for (let at = 0; at < 10; at += 1) expect(await rename(path, `name ${at}`)).toBe(200);
    const marked = await writes();
    expect(marked - before).toBeLessThanOrEqual(4);
    await until('the copy is written', async () => (await writes()) > marked);
  });

  test('an application gets quotas, is deleted, kept and deleted again', async () => {
    const { id } = await operator.create('brief');
    const path = `${own.url}/applications/core.application/${id}`;
    const headers = asOperator(SECRETS.OPERATOR_SECRET);
    await operator.change(id, { quotas: { requests: 50 } });
    const statuses: number[] = [];
    for (const method of ['POST', 'DELETE', 'POST']) {
      statuses.push((await fetch(`${path}/deletion`, { method, headers })).status);
    }
    expect(statuses).toEqual([200, 200, 200]);
  });

  test('a copy that was not written before the process ended is written by the next one', async () => {
    const { path, client } = await make();
    await rename(path, 'last');
    await own.restart();
    const again = new Client(own.url, client.application, client.key);
    expect((await again.get('/resources/things')).status).toBe(200);
    await until('the copy is written', async () => (await writes()) > 0);
  });
});

test('an isolate that knows nothing looks up the application, the key and the token at a time', async () => {
  const own = await newService({ entry: COMMON });
  const permission = may(EVERY_METHOD, '.*', ACL);
  const { key } = await own.client.withPermissions([permission]);
  const ada = await makeUser(own.client, 'ada');
  await own.restart();
  const secured = new Client(own.url, own.client.application, key);
  expect((await secured.get('/users/core.user/me', ada.headers)).status).toBe(200);
  expect((await counts(own.url)).together).toBe(3);
});
