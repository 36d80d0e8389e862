/** Schemas through the API: the module itself, and what it means for the writes of its targets. */
import { beforeAll, describe, expect, test } from 'vitest';
import { faultsOf } from '../support/faults.ts';
import { Client, MEDIA_TYPE } from '../support/client.ts';
import { checkAgainstContract, compareWithOwn, plainFetch } from '../support/contract-check.ts';
import { define, violationsIn } from '../support/schemas.ts';

compareWithOwn();

const client = await Client.create();

const PERSON = {
  type: 'object',
  properties: {
    attributes: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', minimum: 0 } },
      additionalProperties: false,
    },
    relationships: {
      type: 'object',
      properties: {
        boss: {
          oneOf: [
            { type: 'null' },
            {
              type: 'object',
              properties: {
                data: { type: 'object', properties: { type: { type: 'string', pattern: '^people$' } } },
              },
            },
          ],
        },
      },
    },
  },
  required: ['attributes'],
};

describe('the module', () => {
  test('creates, reads, lists, changes and deletes; the content comes back as it was sent', async () => {
    const content = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'a',
      $comment: 'c',
      properties: { 'a.b': {}, $x: true },
    };
    const made = await define(client, 'things', content);
    expect(made.status, made.text).toBe(201);
    const path = `/schemas/core.schema/${made.body.data.id}`;
    expect((await client.get(path)).body.data.attributes).toEqual({ target: 'things', content });
    expect((await client.get('/schemas/core.schema?filter[target]="things"')).body.meta.count).toBe(1);
    const change = { data: { type: 'core.schema', id: made.body.data.id, attributes: { content: true } } };
    expect((await client.patch(path, change)).body.data.attributes).toEqual({
      target: 'things',
      content: true,
    });
    expect((await client.delete(path)).status).toBe(204);
    expect((await client.get(path)).body.data).toBeNull();
  });

  const of = (target: string) => ({ target, content: {} });
  const containing = (content: unknown) => ({ target: 'x', content });
  const huge = containing({ properties: { n: { default: [2 ** 64] } } });
  test.each([
    ['no target', { content: {} }, 'missing-attribute', 'target'],
    ['a target of the service that has no schemas', of('core.api-key'), 'invalid-attribute', 'target'],
    ['an aggregate as target', of('agt.x'), 'invalid-attribute', 'target'],
    ['an ACL as target', of('x.acl'), 'invalid-attribute', 'target'],
    ['no content', { target: 'x' }, 'missing-attribute', 'content'],
    ['content that is no schema', containing(5), 'invalid-attribute', 'content'],
    ['a wrong value', containing({ minLength: -1 }), 'invalid-attribute', 'content/minLength'],
    ['a number that is too large', huge, 'invalid-value', 'content/properties/n/default/0'],
  ])('refuses %s', async (_name, attributes, code, place) => {
    const reply = await client.create('/schemas/core.schema', { attributes });
    expect(faultsOf(reply)).toContain(`422 ${code} /data/attributes/${place}`);
  });
});

describe('a document of a target', () => {
  let id: string;
  beforeAll(async () => {
    expect((await define(client, 'people', PERSON)).status).toBe(201);
    id = (await client.make('people', { name: 'Ada' })).id;
  });
  const create = (attributes: unknown, relationships?: unknown) =>
    client.create('/resources/people', { attributes, ...(relationships !== undefined && { relationships }) });

  test('is refused with one error for each violation', async () => {
    expect(violationsIn(await create({ name: 'A', age: -1, size: 3 }))).toEqual([
      422,
      ['schema-violation', '/data/attributes/name', 'minLength'],
      ['schema-violation', '/data/attributes/age', 'minimum'],
      ['schema-violation', '/data/attributes/size', 'additionalProperties'],
    ]);
  });

  test('is looked at whole after a PATCH', async () => {
    const patch = (attributes: unknown) => client.update(`/resources/people/${id}`, { attributes });
    expect((await patch({ age: 3 })).status).toBe(200);
    expect((await patch({ name: null })).status).toBe(422);
    expect((await patch({ extra: 1 })).status).toBe(422);
    expect((await client.get(`/resources/people/${id}`)).body.data.attributes).toEqual({
      name: 'Ada',
      age: 3,
    });
  });

  test('is looked at whole after a change of a relationship', async () => {
    const other = await client.make('dogs', { name: 'Rex' });
    const path = `/resources/people/${id}/relationships/boss`;
    expect((await client.patch(path, { data: { type: 'dogs', id: other.id } })).status).toBe(422);
    expect((await client.patch(path, { data: { type: 'people', id } })).status).toBe(200);
    expect((await client.patch(path, { data: null })).status).toBe(200);
  });

  test('satisfies all schemas of its type', async () => {
    const second = await define(client, 'people', {
      properties: { attributes: { properties: { name: { pattern: '^[A-Z]' } } } },
    });
    expect(violationsIn(await create({ name: 'bob' }))[0]).toBe(422);
    expect((await create({ name: 'Bob' })).status).toBe(201);
    await client.delete(`/schemas/core.schema/${second.body.data.id}`);
    expect((await create({ name: 'bob' })).status).toBe(201);
  });

  test('that was there before is left alone until it is written', async () => {
    const made = await client.make('old', { n: 'text' });
    await define(client, 'old', { properties: { attributes: { properties: { n: { type: 'number' } } } } });
    expect((await client.get(`/resources/old/${made.id}`)).body.data.attributes).toEqual({ n: 'text' });
    const touched = await client.update(`/resources/old/${made.id}`, { attributes: { m: 1 } });
    expect(touched.status).toBe(422);
  });

  test('is validated as a client would read it: dates as ISO strings, longs and decimals as numbers', async () => {
    const member = (schema: unknown) => ({ properties: { attributes: { properties: { v: schema } } } });
    await define(client, 'dated', member({ type: 'string', pattern: '^2020-' }));
    await define(client, 'counted', member({ type: 'number', maximum: 10 }));
    const make = (type: string, v: unknown) => client.create(`/resources/${type}`, { attributes: { v } });
    expect((await make('dated', { $date: '2020-05-01' })).status).toBe(201);
    expect((await make('dated', { $date: '2021-05-01' })).status).toBe(422);
    expect((await make('counted', { $numberDecimal: '9.5' })).status).toBe(201);
    expect((await make('counted', { $numberLong: '11' })).status).toBe(422);
  });
});

describe('what comes and goes is as the document of the application says', () => {
  const types = {
    stages: { required: ['name'], properties: { name: { type: 'string' } }, additionalProperties: false },
    shows: {
      required: ['title', 'kind'],
      properties: {
        title: { type: 'string', minLength: 1 },
        kind: { enum: ['play', 'concert', null] },
        at: { type: 'string', format: 'date-time' },
        price: { type: 'number', minimum: 0 },
        seats: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        place: { type: 'object', properties: { row: { type: ['integer', 'null'] } } },
      },
      additionalProperties: false,
    },
  };
  const linked = (data: object) => ({ type: 'object', properties: { data } });
  const link = { type: 'object', properties: { type: { const: 'stages' } } };
  const relationships = {
    type: 'object',
    properties: {
      stage: { oneOf: [{ type: 'null' }, linked(link)] },
      others: linked({ type: 'array', items: link }),
    },
  };
  const SHOW = { title: 'Hamlet', kind: 'play', tags: ['sad'], place: { row: null } };
  beforeAll(async () => {
    for (const [target, attributes] of Object.entries(types)) {
      const content = { properties: { attributes: { type: 'object', ...attributes }, relationships } };
      expect((await define(client, target, { ...content, required: ['attributes'] })).status).toBe(201);
    }
  });

  test('in requests that are granted and their answers', async () => {
    const stages = [
      await client.make('stages', { name: 'one' }),
      await client.make('stages', { name: 'two' }),
    ];
    const [one, two] = stages.map(({ id }) => ({ type: 'stages', id }));
    const exact = { at: { $date: '2026-05-04T10:00:00Z' }, price: { $numberDecimal: '9.50' } };
    const to = { stage: { data: one }, others: { data: [one, two] } };
    const { id } = await client.make('shows', { ...SHOW, ...exact, seats: { $numberLong: '7' } }, to);
    await client.make('shows', { title: 'Tosca', kind: null }, { stage: { data: null } });
    const path = `/resources/shows/${id}`;
    for (const read of [
      path,
      '/resources/shows?page[limit]=1',
      '/resources/shows?fields[shows]=title&sort=-title',
      `/resources/shows?filter[at]={"$gte":{"$date":"2026-01-01"}}&include=stage,others`,
      '/resources/shows?filter[stage]=null',
      `${path}/stage`,
      `${path}/relationships/others`,
    ])
      expect([read, (await client.get(read)).status]).toEqual([read, 200]);
    for (const change of [
      { attributes: { price: 12.5, kind: null } },
      { attributes: { at: { $date: '2026-05-05T10:00:00Z' }, tags: [] } },
      { relationships: { stage: { data: null } } },
      { meta: { update: { $inc: { seats: 1 }, $push: { tags: 'long' } } } },
    ]) {
      const changed = await client.patch(path, { data: { type: 'shows', id, ...change } });
      expect(changed.status, changed.text).toBe(200);
    }
    expect((await client.patch(`${path}/relationships/stage`, { data: two })).status).toBe(200);
    expect((await client.delete(`${path}/relationships/others`, { data: [one] })).status).toBe(200);
    expect((await client.post(`${path}/relationships/others`, { data: [one] })).status).toBe(200);
    expect(
      (await client.get(path, { accept: `${MEDIA_TYPE};profile="${client.url}/profiles/extended-json"` }))
        .status,
    ).toBe(200);
    expect((await client.delete(path)).status).toBe(204);
  });

  test('and what differs is found', async () => {
    const { id } = await client.make('shows', SHOW);
    const headers = { 'application-id': client.application, 'api-key': client.key };
    const response = await plainFetch(`${client.url}/resources/shows/${id}`, { headers });
    const text = await response.text();
    await checkAgainstContract('GET', response, text, { headers });
    const other = text.replace('"play"', '"opera"');
    await expect(checkAgainstContract('GET', response, other, { headers })).rejects.toThrow(
      'not as declared',
    );
    const body = JSON.stringify({ data: { type: 'shows', id, attributes: { ...SHOW, price: 'dear' } } });
    const sent = { headers: { ...headers, 'content-type': MEDIA_TYPE }, body };
    await expect(checkAgainstContract('PATCH', response, text, sent)).rejects.toThrow('takes it, but');
  });
});
