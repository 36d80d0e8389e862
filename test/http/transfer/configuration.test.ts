/** What says how documents are is imported again and again: from where it is tried out to where it is used. */
import { expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { exported, imported } from '../../support/transfer.ts';
import { resettle, settle } from '../../support/type-settings.ts';

const TYPES = ['core.type', 'core.schema', 'core.aggregate'];

const [staging, live] = [await Client.create(), await Client.create()];
await settle(staging, { name: 'posts', unique: [['slug']], 'client-ids': true });
const content = { properties: { attributes: { properties: { n: { type: 'integer' } } } } };
const made = await staging.create('/schemas/core.schema', { attributes: { target: 'posts', content } });
const schema = made.body.data.id;
const attributes = { 'input-type': 'posts', 'output-type': 'agt.posts', pipeline: [{ limit: 1 }] };
const kept = await staging.create('/aggregates/core.aggregate', { attributes });
const aggregate = kept.body.data.id;
// There by the same name, with another id.
await settle(live, { name: 'posts', 'client-ids': true });

const bring = async () => {
  const counts: unknown[] = [];
  for (const type of TYPES) {
    const reply = await imported(live.application, type, await exported(staging.application, type));
    counts.push([reply.status, reply.body.meta['stored'], reply.body.meta['unchanged']]);
  }
  return counts;
};

const post = (attributes: object) => live.create('/resources/posts', { attributes });

test('a second import brings it up to date, by its name or id', async () => {
  expect(await bring()).toEqual(TYPES.map(() => [200, 1, 0]));
  expect(await bring()).toEqual(TYPES.map(() => [200, 0, 1]));
  expect((await post({ slug: 'a', n: 1 })).status).toBe(201);
  expect((await post({ slug: 'a' })).status).toBe(409);
  expect((await post({ n: 'x' })).status).toBe(422);
  await resettle(staging, 'posts', { unique: null });
  const content = { properties: { attributes: { properties: { n: { type: 'string' } } } } };
  await staging.update(`/schemas/core.schema/${schema}`, { attributes: { content } });
  await staging.update(`/aggregates/core.aggregate/${aggregate}`, {
    attributes: { pipeline: [{ limit: 2 }] },
  });
  expect(await bring()).toEqual(TYPES.map(() => [200, 1, 0]));
  expect(await bring()).toEqual(TYPES.map(() => [200, 0, 1]));
  expect((await live.get('/schemas/core.type')).body.meta.count).toBe(1);
  expect((await post({ slug: 'a', n: 'x' })).status).toBe(201);
  expect((await live.get('/aggregates/agt.posts')).body.data).toHaveLength(2);
});

test('keys, webhooks and documents stay as they are', async () => {
  await staging.make('posts', { slug: 'b' });
  for (const type of ['posts', 'core.api-key']) {
    const lines = await exported(staging.application, type);
    await imported(live.application, type, lines);
    const changed = lines.replace('"slug":"b"', '"slug":"c"').replace('"name":"', '"name":"x');
    const again = await imported(live.application, type, changed);
    expect([type, again.body.errors[0]?.meta?.['code']]).toEqual([type, 'id-conflict']);
  }
});

test('nothing is changed without checks, as by a backup that is put back', async () => {
  const lines = (await exported(staging.application, 'core.schema')).replace('"string"', '"number"');
  const unchecked = `{"import":{"unchecked":true}}\n${lines}`;
  expect((await imported(live.application, 'core.schema', unchecked)).status).toBe(422);
});

test('what cannot be changed leaves all of its request as it was', async () => {
  const lineOf = (id: string, name: string, text: string) => {
    const attributes = {
      ...{ 'input-type': 'posts', 'output-type': `agt.${name}` },
      pipeline: [{ project: { text: { $literal: text } } }],
    };
    return JSON.stringify({ type: 'core.aggregate', id, attributes });
  };
  const there = await live.get('/aggregates/core.aggregate');
  const lines = [lineOf('a'.repeat(24), 'new', 'x'), lineOf(aggregate, 'posts', 'x'.repeat(1_048_600))];
  const reply = await imported(live.application, 'core.aggregate', lines);
  expect([reply.status, reply.body.errors[0]?.meta?.['line']]).toEqual([422, 2]);
  const after = await live.get('/aggregates/core.aggregate');
  expect(after.body.data).toEqual(there.body.data);
});
