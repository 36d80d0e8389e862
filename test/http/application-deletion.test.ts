/** The deletion of an application, and the time in which it can be undone (docs/operating.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { app } from '../support/app.ts';
import { asOperator, Client, NO_ID, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { OwnService, SECRETS } from '../support/own-service.ts';
import { may } from '../support/people.ts';
import { callOperator } from '../support/transfer.ts';

describe('an application that is to be deleted', () => {
  let client: Client;
  let spare: Client;
  let id: string;
  beforeAll(async () => {
    client = await Client.create('Shop');
    id = client.application;
    spare = await client.withPermissions([may('get', '.*')]);
    await client.make('things', { a: 1 });
    expect((await spare.get('/resources/things')).status).toBe(200);
    const ended = await callOperator('POST', `${id}/deletion`);
    expect(ended.status).toBe(200);
    const week = Date.now() + 7 * 86_400_000;
    const ends = Date.parse(String(ended.body.data.attributes?.['ends']));
    expect(Math.abs(ends - week)).toBeLessThan(3_600_000);
  });

  test('is not known to any of its keys, in the words for an unknown one', async () => {
    const unknown = await new Client(client.url, NO_ID, client.key).get('/resources/things');
    for (const each of [client, spare]) {
      const refused = await each.get('/resources/things');
      expect(refused.status).toBe(401);
      expect(refused.body.errors).toEqual(unknown.body.errors);
    }
  });

  test('keeps its data, which the operator may export', async () => {
    const types = await callOperator('GET', `${id}/types`);
    expect(JSON.stringify(types.body.meta)).toContain('"name":"things","documents":1');
  });

  test('is not known to a new key, either', async () => {
    const key = await operator().key(id, 'late');
    expect((await new Client(client.url, id, key).get('/resources/things')).status).toBe(401);
  });

  test('keeps its time when it is deleted again', async () => {
    const [one, other] = [await callOperator('GET', id), await callOperator('POST', `${id}/deletion`)];
    expect(other.body.data.attributes).toEqual(one.body.data.attributes);
  });

  test('is renamed, and keeps its time', async () => {
    const { ends } = (await operator().list()).find((each) => each.id === id) ?? {};
    expect((await operator().change(id, { name: 'Shop 2' })).ends).toBe(ends);
  });

  test('may not be given another time', async () => {
    const attributes = { ends: { $date: '2999-01-01T00:00:00Z' } };
    const data = { type: 'core.application', id, attributes };
    expect(faultsOf(await callOperator('PATCH', id, { data }))).toEqual([
      '422 read-only-member /data/attributes/ends',
    ]);
  });

  test('is there again with all it had when that is undone', async () => {
    expect((await callOperator('DELETE', `${id}/deletion`)).body.data.attributes?.['ends']).toBeNull();
    for (const each of [client, spare]) {
      expect((await each.get('/resources/things')).body.meta.count).toBe(1);
    }
    expect((await client.make('things', { a: 2 })).attributes).toEqual({ a: 2 });
  });
});

test.each(['POST', 'DELETE'])('%s of the deletion of what never was is 404', async (method) => {
  expect(faultsOf(await callOperator(method, `${NO_ID}/deletion`))).toEqual(['404 document-not-found']);
});

describe('the command', () => {
  test('asks for the name, and does nothing for another word', async () => {
    const client = await Client.create('Right name');
    const id = client.application;
    for (const typed of ['', 'yes\n', 'Wrong name\n']) {
      await expect(app(['delete', id], typed)).rejects.toThrow('Nothing was done');
    }
    expect((await client.get('/resources/things')).status).toBe(200);
    expect(await app(['delete', id], 'Right name\n')).toContain(`undelete ${id}`);
    expect((await client.get('/resources/things')).status).toBe(401);
    expect(await app(['list'])).toMatch(new RegExp(`^${id} {2}Right name {2}\\(is deleted at .*Z\\)$`, 'm'));
    expect(await app(['undelete', id])).toBe(`${id}  is there again\n`);
    expect((await client.get('/resources/things')).status).toBe(200);
  });

  test('deletes at once with --now, and without a question with --yes', async () => {
    const client = await Client.create('Gone');
    expect(await app(['delete', client.application, '--now', '--yes'])).toBe(
      `${client.application}  deleted\n`,
    );
    expect((await client.get('/resources/things')).status).toBe(401);
    await expect(app(['undelete', client.application])).rejects.toThrow('does not exist');
    await expect(app(['delete', client.application, '--yes'])).rejects.toThrow('was deleted');
  });
});

describe('when the time is over', () => {
  let service: OwnService;
  beforeAll(async () => {
    service = await OwnService.start({ settings: { DELETION_GRACE: '1' } });
  });
  afterAll(() => service.stop());

  const ask = (method: string, path: string) =>
    service.client.send(method, path, { headers: asOperator(SECRETS.OPERATOR_SECRET) });

  test('everything of the application is gone, after a restart too', async () => {
    const { client } = service;
    const path = `/applications/core.application/${client.application}`;
    await client.make('things', { a: 1 });
    expect((await ask('POST', `${path}/deletion`)).status).toBe(200);
    await service.restart();
    await expect.poll(async () => (await ask('GET', path)).body.data).toBeNull();
    expect((await ask('DELETE', `${path}/deletion`)).status).toBe(404);
    expect((await ask('GET', `${path}/types`)).status).toBe(404);
    // Its document goes first, and its keys a moment later.
    await expect.poll(async () => (await service.client.get('/resources/things')).status).toBe(401);
  });
});
