/** Errors: their shape and the order of checks (decisions, section 1). Each code: errors-docs.test.ts. */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, type Options, type Reply } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { may } from '../support/people.ts';

const client = await Client.create();
const stranger = new Client(client.url, client.application, 'made-up');
/** May read articles and nothing else. */
const reader = await client.withPermissions([may('get', '/resources/articles(/.*)?')]);
const { id } = await client.make('articles', { title: 'T' }, { r: { data: null } });
const path = `/resources/articles/${id}`;

const WRONG_ACCEPT = { accept: 'text/html' };
const WRONG_TYPE = { 'content-type': 'text/plain' };
const STALE = { 'if-match': '"stale"' };

interface Sent extends Options {
  readonly by?: () => Client;
  readonly method: string;
  readonly to?: () => string;
}

const send = ({ by, method, to, ...options }: Sent): Promise<Reply> =>
  (by ?? (() => client))().send(method, to?.() ?? path, options);

/** The body of a PATCH of the document, with these members. */
const document = (members: object) => () => ({
  data: { type: 'articles', id: path.slice(-24), ...members },
});

describe('the order of checks', () => {
  const cases: [string, Sent, string][] = [
    [
      'key (401) before permission (403)',
      { by: () => stranger, method: 'POST', headers: WRONG_ACCEPT },
      '401 invalid-api-key api-key:',
    ],
    [
      'permission (403) before endpoint (404)',
      { by: () => reader, method: 'GET', to: () => '/nothing', headers: WRONG_ACCEPT },
      '403 forbidden api-key:',
    ],
    [
      'permission (403) before method (405)',
      { by: () => reader, method: 'POST', body: {} },
      '403 forbidden api-key:',
    ],
    [
      'endpoint (404) before media types',
      { method: 'POST', to: () => '/nothing', headers: { ...WRONG_ACCEPT, ...WRONG_TYPE }, body: {} },
      '404 not-found',
    ],
    [
      'method (405) before media types',
      { method: 'POST', headers: { ...WRONG_ACCEPT, ...WRONG_TYPE }, body: {} },
      '405 method-not-allowed',
    ],
    [
      '415 before 406',
      { method: 'PATCH', headers: { ...WRONG_ACCEPT, ...WRONG_TYPE }, body: '{' },
      '415 unsupported-media-type Content-Type:',
    ],
    ['406 before 400', { method: 'PATCH', headers: WRONG_ACCEPT, body: '{' }, '406 not-acceptable Accept:'],
    [
      '406 before the parameters (400)',
      { method: 'GET', to: () => `${path}?x=1`, headers: WRONG_ACCEPT },
      '406 not-acceptable Accept:',
    ],
    ['400 before 412', { method: 'PATCH', headers: STALE, body: {} }, '400 invalid-body /data'],
  ];
  test.each(cases)('%s', async (_, sent, fault) => {
    expect(faultsOf(await send(sent))).toEqual([fault]);
  });

  test.each([
    ['412 before 409', STALE, { type: 'others' }, '412 precondition-failed If-Match:'],
    ['412 before 422', STALE, { attributes: { $: 1 } }, '412 precondition-failed If-Match:'],
    ['409 before 422', {}, { type: 'others', attributes: { $: 1 } }, '409 type-conflict /data/type'],
    ['400 before 409', {}, { type: 'others', attributes: 1 }, '400 invalid-body /data/attributes'],
  ])('%s', async (_, headers, members, fault) => {
    expect(faultsOf(await client.patch(path, document(members)(), headers))).toEqual([fault]);
  });

  test('404 before 409 and 422', async () => {
    const data = { type: 'others', id: NO_ID, attributes: { $: 1 } };
    const answer = await client.patch(`/resources/articles/${NO_ID}`, { data });
    expect(faultsOf(answer)).toEqual(['404 document-not-found']);
  });
});

describe('what is told before anything is known', () => {
  test.each([
    ['application-id', '401 missing-application application-id:'],
    ['api-key', '401 missing-api-key api-key:'],
  ])('a request without %s', async (missing, fault) => {
    const headers = new Headers({ 'application-id': client.application, 'api-key': client.key });
    headers.delete(missing);
    const response = await fetch(`${client.url}${path}`, { headers });
    const body = await response.json<Reply['body']>();
    expect(faultsOf({ body } as Reply)).toEqual([fault]);
    expect(response.headers.get('www-authenticate')).toMatch(/^Token /);
  });

  test('a path of 2,048 bytes is still looked at', async () => {
    expect((await client.get(`/${'x'.repeat(2047)}`)).status).toBe(404);
  });
});

describe('an error object', () => {
  test('has status, code, title and detail; the source where there is a place', async () => {
    const refused = await client.get(`${path}?nonsense=1`);
    expect(refused.body).toEqual({
      errors: [
        {
          status: '400',
          code: 'unknown-parameter',
          title: expect.stringMatching(/\S/) as string,
          detail: expect.stringContaining('nonsense') as string,
          source: { parameter: 'nonsense' },
          links: { about: `${client.url}/docs/errors#unknown-parameter` },
        },
      ],
    });
  });

  test.each([
    ['an unknown key', () => new Client(client.url, client.application, 'S3CRET-key').get(path)],
    ['an operator', () => client.get('/applications/core.application', { authorization: 'Bearer S3CRET' })],
    ['a forbidden request', () => reader.delete(path, undefined, { authorization: 'Token S3CRET' })],
  ])('repeats no secret: %s', async (_, refused) => {
    const { status, text } = await refused();
    expect(status).toBeGreaterThanOrEqual(401);
    expect(text).not.toContain('S3CRET');
    expect(text).not.toContain(client.key);
  });
});

describe('several validation errors come together', () => {
  test('from names, values, namespaces and links', async () => {
    const data = {
      type: 'articles',
      attributes: { ok: 1, $a: 1, b: { $date: 'x' }, c: [1, { 'd.e': 2 }], r: 1 },
      relationships: { r: { data: null }, s: { data: [{ type: 'articles', id: 'x' }] } },
    };
    expect([...faultsOf(await client.post('/resources/articles', { data }))].sort()).toEqual([
      '422 field-collision /data/relationships/r',
      '422 invalid-field-name /data/attributes/$a',
      '422 invalid-field-name /data/attributes/c/1/d.e',
      '422 invalid-relationship /data/relationships/s/data/0',
      '422 invalid-value /data/attributes/b',
    ]);
  });

  test('from parameters', async () => {
    const refused = await client.get('/resources/articles?page[limit]=0&x=1&include=.&page[number]=a');
    expect([...faultsOf(refused)].sort()).toEqual([
      '400 invalid-parameter ?include',
      '400 invalid-parameter ?page[limit]',
      '400 invalid-parameter ?page[number]',
      '400 unknown-parameter ?x',
    ]);
  });

  test('but not without end', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`$${n}`, 1]));
    const refused = await client.create('/resources/articles', { attributes });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.length).toBeLessThanOrEqual(100);
  });
});

describe('an unknown query parameter is 400: nothing is silently ignored', () => {
  test.each([
    ['GET', () => '/resources/articles?x=1', 'x'],
    ['GET', () => `${path}?page[limit]=5`, 'page[limit]'],
    ['GET', () => `${path}?filter[a]=1`, 'filter[a]'],
    ['GET', () => `${path}?sort=a`, 'sort'],
    ['DELETE', () => `${path}?force`, 'force'],
    ['GET', () => `${path}/relationships/r?include=a`, 'include'],
    ['GET', () => '/api-keys/core.api-key?x=1', 'x'],
  ])('%s %s', async (method, to, parameter) => {
    expect(faultsOf(await client.send(method, to()))).toEqual([`400 unknown-parameter ?${parameter}`]);
  });

  test.each(['include=a&include=b', 'include=a&include='])('%s: once is enough', async (query) => {
    expect(faultsOf(await client.get(`${path}?${query}`))).toEqual(['400 invalid-parameter ?include']);
  });

  test.each(['%zz=1', 'include=%ff', 'fields[%ff]=a'])('%s is not percent-encoded UTF-8', async (query) => {
    const refused = await client.get(`${path}?${query}`);
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([400, 'invalid-parameter']);
  });
});
