/** Media types of bodies and answers (decisions, section 1; JSON:API, Content Negotiation). */
import { describe, expect, test } from 'vitest';
import { Client, MEDIA_TYPE, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();

const data = { type: 'things' };
const post = (headers: Record<string, string>) => client.post('/resources/things', { data }, headers);

describe('Content-Type of a body', () => {
  test.each([
    MEDIA_TYPE,
    'Application/VND.API+JSON',
    ` ${MEDIA_TYPE} `,
    `${MEDIA_TYPE}; profile="https://example.com/p"`,
    `${MEDIA_TYPE};profile="a b"`,
    `${MEDIA_TYPE}; ext=""`,
    `${MEDIA_TYPE};`,
    `${MEDIA_TYPE}; ;profile="p"`,
  ])('%s is taken', async (type) => {
    expect((await post({ 'content-type': type })).status).toBe(201);
  });

  test.each([
    'application/json',
    'text/plain',
    'application/*',
    '*/*',
    '',
    'nonsense',
    `${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE}; version=1`,
    `${MEDIA_TYPE}; ext="https://jsonapi.org/ext/atomic"`,
    `${MEDIA_TYPE}; profile="p"; charset=utf-8`,
    `${MEDIA_TYPE}x`,
  ])('"%s" is 415', async (type) => {
    expect(faultsOf(await post({ 'content-type': type }))).toEqual([
      '415 unsupported-media-type Content-Type:',
    ]);
  });

  test.each(['gzip', 'nonsense', 'identity, br'])('in the coding %s is 415', async (coding) => {
    const headers = { 'content-type': MEDIA_TYPE, 'content-encoding': coding };
    expect(faultsOf(await post(headers))).toEqual(['415 unsupported-media-type Content-Encoding:']);
    expect((await post({ ...headers, 'content-encoding': 'Identity' })).status).toBe(201);
  });

  test('is not asked where there is no body', async () => {
    expect((await client.get('/resources/things', { 'content-type': 'text/plain' })).status).toBe(200);
  });
});

describe('Accept', () => {
  test.each([
    '*/*',
    'application/*',
    MEDIA_TYPE,
    'APPLICATION/vnd.api+JSON',
    `${MEDIA_TYPE};q=0.5`,
    `${MEDIA_TYPE}; profile="https://example.com/p"`,
    `text/html, ${MEDIA_TYPE}`,
    `application/*;q=0, ${MEDIA_TYPE}`,
    `*/*;q=0, application/*`,
    `text/html,application/xhtml+xml,*/*;q=0.8`,
    `${MEDIA_TYPE}; ext="https://jsonapi.org/ext/atomic", ${MEDIA_TYPE}`,
    '',
  ])('"%s" is fine', async (accept) => {
    const answer = await client.get('/resources/things', { accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, MEDIA_TYPE]);
  });

  test.each([
    'application/json',
    'text/html',
    'text/*',
    'application/vnd.api',
    `${MEDIA_TYPE}; charset=utf-8`,
    `${MEDIA_TYPE}; ext="https://jsonapi.org/ext/atomic"`,
    `${MEDIA_TYPE};q=0`,
    '*/*;q=0.0',
    `${MEDIA_TYPE};q=0, */*`,
    'application/*;q=0, */*',
    'nonsense',
  ])('"%s" is 406', async (accept) => {
    const answer = await client.get('/resources/things', { accept });
    expect(faultsOf(answer)).toEqual(['406 not-acceptable Accept:']);
  });

  test('that is refused changes nothing', async () => {
    const refused = await client.create('/resources/untouched', {}, { accept: 'text/html' });
    expect(refused.status).toBe(406);
    expect((await client.get('/resources/untouched')).body.meta.count).toBe(0);
  });
});

describe('answers are application/vnd.api+json', () => {
  test.each([
    ['a document', () => client.post('/resources/things', { data }), 201],
    ['a list', () => client.get('/resources/things'), 200],
    ['400', () => client.post('/resources/things', '{'), 400],
    ['401', () => new Client(client.url, 'x', 'x').get('/resources/things'), 401],
    ['404', () => client.get(`/resources/things/${NO_ID}`), 404],
    ['405', () => client.send('PUT', '/resources/things'), 405],
    ['406', () => client.get('/resources/things', { accept: 'text/html' }), 406],
    ['414', () => client.get(`/${'x'.repeat(3000)}`), 414],
  ])('%s', async (_, send, status) => {
    const answer = await send();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, MEDIA_TYPE]);
  });
});
