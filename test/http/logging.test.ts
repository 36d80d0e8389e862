/** The log: one structured line for each request, and no secret in it (issue: HTTP manners). */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { redeem } from '../support/accounts.ts';
import { asOperator, Client, NO_ID, type Reply } from '../support/client.ts';
import { COMMON, OwnService } from '../support/own-service.ts';
import { until } from '../support/started.ts';

const SECRETS = {
  body: 'body-with-a-s3cret',
  query: 'query-with-a-s3cret',
  token: 'token-with-a-s3cret',
  forged: 'forged-key-with-a-s3cret',
  refresh: 'refresh-token-with-a-s3cret',
  cookie: 'cookie-with-a-s3cret',
  code: 'code-with-a-s3cret',
  callback: 'callback-with-a-s3cret',
};

const client = await Client.create();

const lines = () => readFileSync(inject('logFile'), 'utf8').split('\n');

/** The lines of one request, parsed. They come through a pipe, so perhaps a moment after the answer. */
async function logged(requestId: string): Promise<readonly Record<string, unknown>[]> {
  const found = () => lines().filter((line) => line.includes(requestId));
  await expect.poll(() => found().length).toBeGreaterThan(0);
  return found().map((line) => JSON.parse(line) as Record<string, unknown>);
}

const requests: [string, () => Promise<Reply>, Record<string, unknown>][] = [
  ['a create', () => client.create('/resources/a'), { method: 'POST', status: 201 }],
  [
    'a list with a query',
    () => client.get('/resources/a?page[limit]=5'),
    { method: 'GET', path: '/resources/a', status: 200 },
  ],
  ['a 304', () => client.get('/resources/a', { 'if-none-match': '*' }), { status: 304 }],
  ['HEAD', () => client.send('HEAD', '/resources/a'), { method: 'HEAD', status: 200 }],
  ['a bad body', () => client.post('/resources/a', '{'), { status: 400 }],
  [
    'an unknown key',
    () => new Client(client.url, client.application, 'x').get('/resources/a'),
    { status: 401 },
  ],
  ['an unknown document', () => client.get(`/resources/a/${NO_ID}`), { status: 404 }],
  ['an unknown method', () => client.send('PUT', '/resources/a'), { method: 'PUT', status: 405 }],
  ['the front page', () => client.get('/'), { method: 'GET', path: '/', status: 200 }],
  ['a preflight', () => client.send('OPTIONS', '/resources/a'), { method: 'OPTIONS', status: 204 }],
];

describe('each request has one line, with the id of its answer', () => {
  test.each(requests)('%s', async (_, send, expected) => {
    const { headers } = await send();
    const id = headers.get('x-request-id') ?? '';
    expect(id).toMatch(/^[\w-]{8,}$/);
    const [line, ...others] = await logged(id);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ requestId: id, ...expected });
    expect(line?.['milliseconds']).toEqual(expect.any(Number));
  });

  test('and ids differ', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/')));
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(20);
  });

  test('a line of a known key names the application and the id of the key', async () => {
    const { headers } = await client.get('/resources/a');
    const [line] = await logged(headers.get('x-request-id') ?? '');
    expect(line).toMatchObject({
      application: client.application,
      key: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
    });
  });
});

test('no line holds a key, the operator secret, a token, a cookie, a code, a query or a body', async () => {
  const data = { type: 'a', attributes: { note: SECRETS.body } };
  const answers = [
    await client.post('/resources/a', { data }),
    await client.post(
      '/resources/a',
      { data, [SECRETS.body]: '' },
      { authorization: `Token ${SECRETS.token}` },
    ),
    await client.post('/resources/a', `{"${SECRETS.body}`),
    await client.get(`/resources/a?fields[a]=${SECRETS.query}`),
    await client.get(`/resources/a?${SECRETS.query}=1`),
    await new Client(client.url, client.application, SECRETS.forged).get('/resources/a'),
    await client.get('/applications/core.application', { authorization: `Bearer ${SECRETS.token}` }),
    await client.get('/applications/core.application', {
      ...asOperator(),
    }),
    await client.get('/api-keys/core.api-key'),
    await client.post('/users/core.user.token', undefined, { authorization: `Refresh ${SECRETS.refresh}` }),
    await client.post('/users/core.user.token', undefined, {
      cookie: `__Host-${client.application}=${SECRETS.cookie}`,
      prefer: 'cookie',
    }),
    await redeem(client, NO_ID, { code: SECRETS.code, callback: `?code=${SECRETS.callback}` }),
  ];
  for (const { headers } of answers) await logged(headers.get('x-request-id') ?? '');
  const log = lines().join('\n');
  const secrets = [...Object.values(SECRETS), client.key, inject('operatorSecret')];
  const signing = inject('credentialSecrets').split(':')[1] ?? '';
  expect([...secrets, signing].filter((secret) => log.includes(secret))).toEqual([]);
});

describe('LOG_PERCENT=0', () => {
  let own: OwnService;
  let written: string[];
  beforeAll(async () => {
    written = [];
    const log = (line: string) => written.push(line);
    const entry = COMMON;
    own = await OwnService.start({ entry, log, settings: { LOG_PERCENT: '0' } });
  });
  afterAll(() => own.stop());

  test('leaves lines of answers with 5xx alone', async () => {
    expect((await own.client.get('/resources/a')).status).toBe(200);
    await fetch(`${own.url}/test/reset`, { method: 'POST' });
    const refused = await own.client.create('/resources/a');
    expect(refused.status).toBe(503);
    const id = refused.headers.get('x-request-id') ?? '';
    await until('its line is there', () =>
      written.some((line) => line.includes(`"requestId":"${id}","method"`)),
    );
    expect(written.filter((line) => line.includes('"method"'))).toHaveLength(1);
  });
});
