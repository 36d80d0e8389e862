/**
 * Schema cases through the API (`unit/json-schema` has all; one in five is asked here in the short form); what schemas
 * mean for writes: drafts, targets, changes, applications.
 */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, type Reply } from '../support/client.ts';
import type { SchemaCase } from '../support/json-schema-case.ts';
import { SCHEMA_CASES } from '../support/json-schema-cases.ts';
import { HOSTILE_SCHEMAS } from '../support/json-schema-hostile.ts';
import { some } from '../support/long.ts';
import { ACL, EVERY_METHOD, makeUser, may } from '../support/people.ts';
import { define } from '../support/schemas.ts';

let types = 0;
const client = await Client.create();

/** A type of its own for each test, so that no schema meets another's documents. */
function freshType(): string {
  types += 1;
  return `type-${types}`;
}

function write(type: string, attributes: unknown, by = client): Promise<Reply> {
  return by.create(`/resources/${type}`, { attributes });
}

/** A schema for the attribute `v`. */
const forV = (schema: unknown) => ({ properties: { attributes: { properties: { v: schema } } } });

function violations(reply: Reply): readonly unknown[] {
  expect(reply.status, reply.text).toBe(422);
  return reply.body.errors.map(({ code, source, meta }) => {
    expect(code).toBe('schema-violation');
    return { pointer: source?.pointer, keyword: meta?.['keyword'] };
  });
}

describe.each([...Map.groupBy(SCHEMA_CASES, (each) => each.keyword)])('%s', (_keyword, list) => {
  test('accepts and refuses as the cases say', async () => {
    const groups = [...Map.groupBy(list, (each) => each.content)];
    for (const [content, group] of some(groups, 15, 'whole')) await runGroup(content, group);
  });
});

async function runGroup(content: string, group: readonly SchemaCase[]): Promise<void> {
  const target = freshType();
  const attributes = `{"target": "${target}", "content": ${content}}`;
  const made = await client.post(
    '/schemas/core.schema',
    `{"data": {"type": "core.schema", "attributes": ${attributes}}}`,
  );
  expect(made.status, `${content}\n${made.text}`).toBe(201);
  for (const each of group) {
    const reply = await client.post(
      `/resources/${target}`,
      `{"data": {"type": "${target}", "attributes": ${each.attributes}}}`,
    );
    if (each.violations.length > 0) expect(violations(reply), each.sentence).toEqual(each.violations);
    else expect(reply.status, `${each.sentence}\n${reply.text}`).toBe(201);
  }
}

describe('a hostile schema', () => {
  const small = HOSTILE_SCHEMAS.map((each) => ({
    ...each,
    content: JSON.stringify({ ...each.root, ...forV(each.schema()) }),
    value: JSON.stringify(each.value?.() ?? null),
  })).filter(({ content, value }) => content.length + value.length < 1024 * 1024 - 500);

  test.each(some(small, 12, 'whole').map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    const target = freshType();
    const attributes = `{"target": "${target}", "content": ${each.content}}`;
    const made = await client.post(
      '/schemas/core.schema',
      `{"data": {"type": "core.schema", "attributes": ${attributes}}}`,
    );
    if (each.outcome === 'schema refused') {
      // JSON that is too deep is no JSON for the service.
      expect([400, 422], made.text.slice(0, 500)).toContain(made.status);
      return;
    }
    expect(made.status, made.text.slice(0, 500)).toBe(201);
    const written = await client.post(
      `/resources/${target}`,
      `{"data": {"type": "${target}", "attributes": {"v": ${each.value}}}}`,
    );
    // What is stored has a size, and that is looked at first.
    if (written.status === 413) return;
    expect(written.status, written.text.slice(0, 500)).toBe(each.outcome === 'valid' ? 201 : 422);
  });
});

describe('the draft', () => {
  // A bound and its flag: each draft reads them in its way.
  test.each([
    ['draft-04', 'http://json-schema.org/draft-04/schema#', true],
    ['2020-12', 'http://json-schema.org/draft/2020-12/schema', 5],
    ['none, which is draft-07', undefined, 5],
  ])('%s is what $schema says', async (_name, uri, exclusiveMinimum) => {
    const type = freshType();
    const schema = { minimum: 5, exclusiveMinimum };
    const made = await define(client, type, { ...(uri !== undefined && { $schema: uri }), ...forV(schema) });
    expect(made.status, made.text).toBe(201);
    expect((await write(type, { v: 6 })).status).toBe(201);
    expect((await write(type, { v: 5 })).status).toBe(422);
  });
});

describe('schemas of a target', () => {
  test('hold before there are documents, and before there was a write', async () => {
    const type = freshType();
    await define(client, type, forV({ type: 'string' }));
    expect((await client.get(`/resources/${type}`)).body.meta.count).toBe(0);
    expect((await write(type, { v: 1 })).status).toBe(422);
    expect((await client.get(`/resources/${type}`)).body.meta.count).toBe(0);
  });

  test('tell the violations of all of them, in the order in which they were made', async () => {
    const type = freshType();
    await define(client, type, forV({ type: 'string' }));
    await define(client, type, forV({ minimum: 10 }));
    await define(client, type, { required: ['relationships'] });
    expect(violations(await write(type, { v: 1 }))).toEqual([
      { pointer: '/data/attributes/v', keyword: 'type' },
      { pointer: '/data/attributes/v', keyword: 'minimum' },
      { pointer: '/data', keyword: 'required' },
    ]);
  });

  test('tell fifty violations at most, all together', async () => {
    const type = freshType();
    for (const schema of [{ type: 'string' }, { minimum: 1e6 }])
      await define(client, type, forV({ items: schema }));
    const found = violations(await write(type, { v: Array.from({ length: 200 }, (_, index) => index) }));
    expect(found).toHaveLength(50);
  });

  test('change, move and end at once', async () => {
    const [type, other] = [freshType(), freshType()];
    const made = await define(client, type, forV({ type: 'string' }));
    const path = `/schemas/core.schema/${made.body.data.id}`;
    const patch = (attributes: unknown) => client.update(path, { attributes });
    const statuses = async (value: unknown) => [
      (await write(type, { v: value })).status,
      (await write(other, { v: value })).status,
    ];
    expect(await statuses(1)).toEqual([422, 201]);
    expect((await patch({ content: forV({ type: 'number' }) })).status).toBe(200);
    expect(await statuses('x')).toEqual([422, 201]);
    expect((await patch({ target: other })).status).toBe(200);
    expect(await statuses('x')).toEqual([201, 422]);
    expect((await patch({ target: type, content: forV({ maximum: 5 }) })).status).toBe(200);
    expect(await statuses(6)).toEqual([422, 201]);
    expect((await client.delete(path)).status).toBe(204);
    expect(await statuses(6)).toEqual([201, 201]);
  });

  test('keep to what was when a change is refused', async () => {
    const type = freshType();
    const made = await define(client, type, forV({ type: 'string' }));
    const { id } = made.body.data;
    const refused = await client.update(`/schemas/core.schema/${id}`, {
      attributes: { content: { type: 'nothing' } },
    });
    expect(refused.status).toBe(422);
    expect((await write(type, { v: 1 })).status).toBe(422);
  });

  test('are asked after If-Match', async () => {
    const type = freshType();
    const made = await client.make(type, { v: 'a' });
    const path = `/resources/${type}/${made.id}`;
    const patch = (v: unknown, etag: string) =>
      client.update(path, { attributes: { v } }, { 'if-match': etag });
    await define(client, type, forV({ type: 'string' }));
    expect((await patch('b', made.etag)).status).toBe(204);
    expect((await patch(1, made.etag)).status).toBe(412);
    const { etag } = await client.get(path);
    expect((await patch(1, etag)).status).toBe(422);
    expect((await client.get(path)).etag).toBe(etag);
  });

  test('are asked after links', async () => {
    const type = freshType();
    await define(client, type, { required: ['attributes'] });
    const relationships = { author: { data: { type: 'authors', id: NO_ID } } };
    const reply = await client.create(`/resources/${type}`, { relationships });
    expect(reply.status).toBe(404);
    expect(reply.body.errors.map(({ code }) => code)).toEqual(['link-not-found']);
  });

  test('see a relationship that is taken away, and an empty one as null', async () => {
    const type = freshType();
    const [author, post] = [await client.make('authors', {}), await client.make('posts', {})];
    const relationships = {
      author: { data: { type: 'authors', id: author.id } },
      posts: { data: [{ type: 'posts', id: post.id }] },
    };
    const made = await client.make(type, { v: 1 }, relationships);
    const schema = await define(client, type, {
      properties: {
        relationships: {
          required: ['author', 'posts'],
          properties: { author: { not: { type: 'null' } }, posts: { properties: { data: { minItems: 1 } } } },
        },
      },
    });
    const path = `/resources/${type}/${made.id}/relationships`;
    expect(violations(await client.patch(`${path}/author`, { data: null }))).toEqual([
      { pointer: '/data', keyword: 'not' },
    ]);
    const links = { data: [{ type: 'posts', id: post.id }] };
    expect(violations(await client.delete(`${path}/posts`, links))).toEqual([
      { pointer: '/data', keyword: 'minItems' },
    ]);
    expect((await client.post(`${path}/posts`, links)).status).toBe(200);
    await client.delete(`/schemas/core.schema/${schema.body.data.id}`);
    expect((await client.patch(`${path}/author`, { data: null })).status).toBe(200);
  });
});

test('a schema is for its application alone', async () => {
  const [type, stranger] = [freshType(), await Client.create('stranger')];
  const made = await define(client, type, forV({ type: 'string' }));
  expect((await write(type, { v: 1 }, stranger)).status).toBe(201);
  expect((await write(type, { v: 1 })).status).toBe(422);
  const path = `/schemas/core.schema/${made.body.data.id}`;
  expect((await stranger.get(path)).status).toBe(404);
  expect((await stranger.delete(path)).status).toBe(404);
  expect((await stranger.get('/schemas/core.schema')).body.meta.count).toBe(0);
});

describe('under a key with ACL', () => {
  test('a schema is its maker’s, and holds for everybody', async () => {
    const type = freshType();
    const key = await client.withPermissions([may(EVERY_METHOD, '.*', ACL)]);
    const [maker, other] = [await makeUser(client, 'maker'), await makeUser(client, 'other')];
    const body = {
      data: { type: 'core.schema', attributes: { target: type, content: forV({ type: 'string' }) } },
    };
    expect((await key.post('/schemas/core.schema', body)).status).toBe(401);
    const made = await key.post('/schemas/core.schema', body, maker.headers);
    expect(made.status, made.text).toBe(201);

    const path = `/schemas/core.schema/${made.body.data.id}`;
    expect((await key.get(path, maker.headers)).status).toBe(200);
    expect((await key.get(path, other.headers)).status).toBe(403);
    expect((await key.delete(path, undefined, other.headers)).status).toBe(403);
    expect((await key.get('/schemas/core.schema', other.headers)).body.meta.count).toBe(0);

    // Who may not read the schema obeys it all the same.
    const document = (v: unknown) => ({ data: { type, attributes: { v } } });
    expect((await key.post(`/resources/${type}`, document(1), other.headers)).status).toBe(422);
    expect((await key.post(`/resources/${type}`, document('x'), other.headers)).status).toBe(201);
    expect((await write(type, { v: 1 })).status).toBe(422);
    expect((await key.delete(path, undefined, maker.headers)).status).toBe(204);
    expect((await write(type, { v: 1 })).status).toBe(201);
  });
});
