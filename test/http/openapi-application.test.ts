/** OpenAPI of one application: its types with their schemas (docs/schemas.md). */
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { Client } from '../support/client.ts';
import { compareWithOwn } from '../support/contract-check.ts';
import { Contract, type OpenApi } from '../support/contract.ts';
import { faultsOf } from '../support/faults.ts';
import { ACL, grant, makeUser, may } from '../support/people.ts';
import { REFERENCE_CASES } from '../support/json-schema-cases-references.ts';

compareWithOwn();

const nobody = new Client(inject('url'), '', '');

const read = async (client: Client): Promise<OpenApi> => {
  const answer = await client.get('/openapi.json');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  return JSON.parse(answer.text) as OpenApi;
};

/** What a public validator finds wrong. */
const validated = async (document: OpenApi) => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) });
  return valid ? [] : errors;
};

const general = await read(nobody);

const ARTICLE = {
  type: 'object',
  properties: {
    attributes: {
      type: 'object',
      required: ['title'],
      additionalProperties: false,
      properties: { title: { type: 'string', minLength: 1 }, words: { type: 'integer', minimum: 10 } },
    },
    relationships: { type: 'object', properties: { author: { type: 'object' } } },
  },
};

const EVENT = {
  type: 'object',
  required: ['attributes', 'relationships'],
  properties: {
    attributes: {
      type: 'object',
      required: ['at'],
      properties: { at: { $ref: '#/definitions/moment' }, seats: { type: 'integer', minimum: 1 } },
    },
    relationships: {
      type: 'object',
      required: ['hall'],
      additionalProperties: false,
      properties: {
        hall: {
          oneOf: [
            { type: 'null' },
            { properties: { data: { type: 'object', properties: { type: { const: 'halls' } } } } },
          ],
        },
      },
    },
  },
  definitions: { moment: { type: 'string', format: 'date-time' } },
};

/** What a request that makes an event may hold, and how many faults it has. */
const SENT_EVENTS = (at: object, hall: object): readonly (readonly [object, number])[] => [
  [{ attributes: { at }, relationships: { hall: { data: hall } } }, 0],
  [{ attributes: { at, seats: { $numberLong: '12' } }, relationships: { hall: { data: null } } }, 0],
  [{ attributes: { at, seats: 0 }, relationships: { hall: { data: null } } }, 1],
  [{ attributes: { at }, relationships: { hall: null } }, 1],
  [{ attributes: { at }, relationships: { hall: { data: [hall] } } }, 1],
  [{ attributes: { at }, relationships: { hall: { data: { ...hall, type: 'rooms' } } } }, 1],
  [{ attributes: { at }, relationships: {} }, 1],
  [{ attributes: { seats: 1 }, relationships: { hall: { data: hall } } }, 1],
  [{ relationships: { hall: { data: hall } } }, 1],
];

const addSchema = async (client: Client, target: string, content: unknown) => {
  const answer = await client.create('/schemas/core.schema', { attributes: { target, content } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.data;
};

describe('with the credentials of an application', () => {
  let client: Client;
  let document: OpenApi;
  beforeAll(async () => {
    client = await Client.create();
    await addSchema(client, 'articles', ARTICLE);
    await addSchema(client, 'core.user', {
      properties: { attributes: { required: ['email'], properties: { email: { type: 'string' } } } },
    });
    document = await read(client);
  });

  test('is valid', async () => {
    expect(await validated(document)).toEqual([]);
  });

  test('has paths of each type that has a schema', () => {
    const methods = (path: string) => Object.keys(document.paths[path] ?? {}).sort();
    expect(methods('/resources/articles')).toEqual(['delete', 'get', 'patch', 'post']);
    expect(methods('/resources/articles/{id}')).toEqual(['delete', 'get', 'patch']);
    expect(general.paths).not.toHaveProperty('/resources/articles');
  });

  test('has what a document of the type must be', () => {
    const contract = new Contract(document);
    const body = document.paths['/resources/articles']?.['post']?.requestBody?.content;
    const [{ schema } = { schema: false }] = Object.values(body ?? {});
    const faultsWith = (attributes: object) =>
      contract.differences('create', schema, { data: { type: 'articles', attributes } }).length;
    expect(faultsWith({ title: 'Dracula', words: 160_000 })).toBe(0);
    for (const wrong of [{}, { title: '' }, { title: 'Dracula', words: 1 }, { title: 'Dracula', other: 1 }]) {
      expect(faultsWith(wrong)).toBe(1);
    }
    expect(Object.values(body ?? {})[0]?.example).toEqual({
      data: { type: 'articles', attributes: { title: 'text', words: 10 } },
    });
  });

  test('tells requests and answers apart', async () => {
    const own = await Client.create();
    await addSchema(own, 'events', EVENT);
    const described = await read(own);
    const contract = new Contract(described);
    const schemaOf = (path: string, method: string) =>
      Object.values(described.paths[path]?.[method]?.requestBody?.content ?? {})[0]?.schema ?? false;
    const [create, change] = [
      schemaOf('/resources/events', 'post'),
      schemaOf('/resources/events/{id}', 'patch'),
    ];
    const at = { $date: '2026-11-22T09:30:00.000Z' };
    const hall = { type: 'halls', id: 'f'.repeat(24) };
    const faultsWith = (schema: typeof create, members: object) =>
      contract.differences('sent', schema, { data: { type: 'events', ...members } }).length;
    for (const [members, faults] of SENT_EVENTS(at, hall))
      expect([members, faultsWith(create, members)]).toEqual([members, faults]);
    expect(faultsWith(change, { id: hall.id, relationships: { hall: { data: null } } })).toBe(0);
    expect(faultsWith(change, { id: hall.id, attributes: { seats: 1 } })).toBe(0);
    const shown = described.components.schemas['shown.events'] ?? false;
    expect(contract.differences('shown', shown, { at: at.$date })).toEqual([]);
    expect(contract.differences('shown', shown, { at })).toHaveLength(1);
  });

  test('has what a schema asks of users beside what the service asks', () => {
    const contract = new Contract(document);
    const content = document.paths['/users/core.user']?.['post']?.requestBody?.content ?? {};
    const [{ schema } = { schema: false }] = Object.values(content);
    const user = { username: 'ada', password: 'a long password' };
    const faultsWith = (attributes: object) =>
      contract.differences('create', schema, { data: { type: 'core.user', attributes } }).length;
    expect([
      faultsWith({ ...user, email: 'a@b.c' }),
      faultsWith(user),
      faultsWith({ email: 'a@b.c' }),
    ]).toEqual([0, 1, 1]);
  });

  test('has another tag than without', async () => {
    const [own, other] = [await client.get('/openapi.json'), await nobody.get('/openapi.json')];
    expect(own.etag).not.toBe(other.etag);
    expect((await client.get('/openapi.json', { 'if-none-match': own.etag })).status).toBe(304);
    expect((await client.get('/openapi.json', { 'if-none-match': other.etag })).status).toBe(200);
  });

  test.each([
    ['no permission on schemas', [may('get', '/resources/.*')]],
    ['only a permission to write them', [may('post', '.*')]],
    ['a permission with ACL, and no token', [may('get', '.*', ACL)]],
    ['a rule that shows none', [may('get', '.*', { where: { target: 'others' } })]],
    ['a rule that hides targets', [may('get', '.*', { fields: { read: ['content'] } })]],
  ])('is general to a key with %s', async (_, permissions) => {
    const other = await client.withPermissions(permissions);
    const answer = await other.get('/openapi.json');
    expect(answer.text).toBe((await nobody.get('/openapi.json')).text);
  });

  test('tells no schema to a token that has ended', async () => {
    const client = await Client.create();
    const ada = await makeUser(client, 'ada');
    const { id } = await addSchema(client, 'things', { properties: { secret: { type: 'string' } } });
    await grant(client, `/schemas/core.schema/${id}`, { read: [ada.link] });
    const schemas = may('get', '/schemas/core\\.schema', ACL);
    const leaving = may('delete', '/users/core\\.user\\.token/.*');
    const web = await client.withPermissions([schemas, leaving]);
    expect((await web.get('/openapi.json', ada.headers)).text).toContain('/resources/things');
    expect((await web.delete('/users/core.user.token/me', undefined, ada.headers)).status).toBe(204);
    expect((await web.get('/openapi.json', ada.headers)).text).not.toContain('/resources/things');
  });

  test('refuses credentials that are none', async () => {
    const wrong = new Client(client.url, client.application, 'made-up');
    expect(faultsOf(await wrong.get('/openapi.json'))).toEqual(['401 invalid-api-key api-key:']);
  });
});

describe('schemas that lead here and there', () => {
  const attributes = (schema: object, rest: object = {}) => ({ properties: { attributes: schema }, ...rest });
  test.each<readonly [string, object, good: object, bad: object]>([
    [
      'definitions',
      attributes(
        { properties: { a: { $ref: '#/definitions/a' } } },
        { definitions: { a: { type: 'integer' } } },
      ),
      { a: 1 },
      { a: 'x' },
    ],
    [
      'a tree that contains itself',
      attributes(
        { properties: { tree: { $ref: '#/definitions/node' } } },
        {
          definitions: { node: { type: 'object', additionalProperties: { $ref: '#/definitions/node' } } },
        },
      ),
      { tree: { left: { right: {} } } },
      { tree: { left: { right: 1 } } },
    ],
    [
      'addresses of their own',
      attributes(
        { properties: { a: { $ref: 'https://example.org/a' } } },
        {
          $id: 'https://example.org/root',
          definitions: { a: { $id: 'a', type: 'integer' } },
        },
      ),
      { a: 1 },
      { a: 'x' },
    ],
    [
      'anchors of draft 2020-12',
      attributes(
        { properties: { a: { $ref: '#here' } } },
        {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          $defs: { a: { $anchor: 'here', type: 'integer' } },
        },
      ),
      { a: 1 },
      { a: 'x' },
    ],
    [
      'references beside which nothing counts in draft-07',
      attributes(
        { properties: { a: { $ref: '#/definitions/a', maximum: 1 } } },
        { definitions: { a: { type: 'integer' } } },
      ),
      { a: 5 },
      { a: 'x' },
    ],
    [
      'arrays of draft-07',
      attributes({ properties: { a: { items: [{ type: 'integer' }], additionalItems: false } } }),
      { a: [1] },
      { a: [1, 2] },
    ],
    [
      'bounds of draft-04',
      attributes(
        { properties: { a: { minimum: 1, exclusiveMinimum: true } } },
        { $schema: 'http://json-schema.org/draft-04/schema#' },
      ),
      { a: 2 },
      { a: 1 },
    ],
    [
      'dependencies of draft-07',
      attributes({ dependencies: { a: ['b'], c: { required: ['d'] } } }),
      { a: 1, b: 1, c: 1, d: 1 },
      { a: 1, b: 1, c: 1 },
    ],
    [
      'values that look like references',
      attributes({ properties: { a: { type: 'object', const: { $ref: '#/nowhere' } } } }),
      { a: {} },
      { a: 1 },
    ],
    [
      'fields that look like references',
      attributes({ properties: { $ref: { type: 'string' }, a: { type: 'integer' } } }),
      { a: 1 },
      { a: 'x' },
    ],
    [
      'members that mean nothing',
      attributes({ properties: { a: { type: 'integer' } }, 'x-note': { $ref: '#/nowhere' } }),
      { a: 1 },
      { a: 'x' },
    ],
  ])('%s', async (_, content, good, bad) => {
    const client = await Client.create();
    await addSchema(client, 'things', content);
    const document = await read(client);
    expect(await validated(document)).toEqual([]);
    const contract = new Contract(document);
    const body = document.paths['/resources/things']?.['post']?.requestBody?.content ?? {};
    const [{ schema } = { schema: false }] = Object.values(body);
    const faultsWith = (sent: object) =>
      contract.differences('create', schema, { data: { type: 'things', attributes: sent } });
    expect(faultsWith(good)).toEqual([]);
    expect(faultsWith(bad)).toHaveLength(1);
  });

  test.each([
    true,
    false,
    {},
    { $ref: '#' },
    { allOf: [{ $ref: '#/definitions/x' }], definitions: { x: {} } },
  ])('the schema %j', async (content) => {
    const client = await Client.create();
    await client.create('/schemas/core.schema', { attributes: { target: 'x', content } });
    expect(await validated(await read(client))).toEqual([]);
  });

  test('all cases of references at once', async () => {
    const client = await Client.create();
    const contents = [...new Set(REFERENCE_CASES.map(({ content }) => content))];
    for (const content of contents) {
      const sent = `{"data":{"type":"core.schema","attributes":{"target":"things","content":${content}}}}`;
      expect((await client.post('/schemas/core.schema', sent)).status).toBe(201);
    }
    expect(await validated(await read(client))).toEqual([]);
  });
});
