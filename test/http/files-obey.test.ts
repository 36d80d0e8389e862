/** What holds for documents holds for files: settings of the type, schemas, the audit trail, webhooks, the feed. */
import { beforeEach, describe, expect, test } from 'vitest';
import { Client, operator } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { contentsOf, FILES, PNG, upload } from '../support/files.ts';

const TEN = new TextEncoder().encode('0123456789');
const settle = async (client: Client, attributes: object) => {
  const data = { type: 'core.type', attributes: { name: 'core.file', ...attributes } };
  expect((await client.post('/schemas/core.type', { data })).status).toBe(201);
};

describe('an upload', () => {
  let client: Client;
  beforeEach(async () => {
    client = await Client.create('obeying');
  });

  test('is refused where its content is there already, and the digest is unique', async () => {
    await settle(client, { unique: [['sha-256']] });
    const { id } = (await upload(client, TEN)).body.data;
    expect(faultsOf(await upload(client, TEN))[0]).toMatch(/^409 value-taken/);
    const race = await Promise.all(Array.from({ length: 6 }, () => upload(client, PNG)));
    expect(race.filter(({ status }) => status === 201)).toHaveLength(1);
    const made = race.find(({ status }) => status === 201)?.body.data.id;
    await expect.poll(() => contentsOf(client)).toEqual([id, made].sort());
  });

  test('is refused by a schema, and leaves nothing', async () => {
    const size = { type: 'number', maximum: 50 };
    const content = { properties: { attributes: { properties: { size } } } };
    const data = { type: 'core.schema', attributes: { target: 'core.file', content } };
    expect((await client.post('/schemas/core.schema', { data })).status).toBe(201);
    expect((await upload(client, TEN)).status).toBe(201);
    expect(faultsOf(await upload(client, PNG))).toEqual(['422 schema-violation /data/attributes/size']);
    await expect.poll(() => contentsOf(client)).toHaveLength(1);
  });

  test('is refused by a check of the type', async () => {
    const checks = [{ name: 'pictures', filter: { 'media-type': 'image/png' } }];
    await settle(client, { checks });
    expect((await upload(client, PNG)).status).toBe(201);
    expect((await upload(client, TEN)).status).toBe(403);
    await expect.poll(() => contentsOf(client)).toHaveLength(1);
  });

  test('stands in the audit trail and in the feed, and so does its end', async () => {
    await operator().change(client.application, { 'audit-days': 30 });
    const { id } = (await upload(client, TEN)).body.data;
    const feed = await client.get(`${FILES}/changes`);
    expect(feed.body.data.map((each) => each.id)).toEqual([id]);
    await client.delete(`${FILES}/${id}`);
    const after = await client.get(`${FILES}/changes?changes[since]=${String(feed.body.meta['mark'])}`);
    expect(after.body.meta['deleted']).toEqual([{ type: 'core.file', id }]);
    const trail = async () => {
      const { body } = await client.get(`/audit/core.audit-entry?filter[target-id]=${id}&sort=at`);
      return body.data.map(({ attributes }) => attributes?.['change']);
    };
    await expect.poll(trail).toEqual(['create', 'delete']);
  });
});
