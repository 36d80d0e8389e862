/** What the client sends again, and what it never does. The network is a function here: the service is not asked. */
import { describe, expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { MEDIA_TYPE } from '../support/client.ts';

type Reply = readonly [status: number, body?: object, headers?: Record<string, string>];
const LOST = [0] as const;
const DONE = [200, { data: { type: 'books', id: 'a'.repeat(24) } }] as const;
const BUSY = [
  503,
  { errors: [{ status: '503', code: 'unavailable', title: 'Busy' }] },
  { 'retry-after': '0' },
] as const;
const MANY = [
  429,
  { errors: [{ status: '429', code: 'too-many-requests', title: 'Many' }] },
  { 'retry-after': '0' },
] as const;
const GOING_ON = [
  409,
  { errors: [{ status: '409', code: 'request-in-progress', title: 'On' }] },
  { 'retry-after': '0' },
] as const;

/** A database whose network gives these answers in turn, and what was sent. */
function scripted(...replies: readonly Reply[]) {
  const sent: { readonly method: string; readonly key: string | null; readonly body: string }[] = [];
  const db = connect({
    url: 'http://service/',
    application: 'a',
    key: 'k',
    fetch: (_, init) => {
      const { method = '', headers, body } = init ?? {};
      const key = new Headers(headers).get('idempotency-key');
      sent.push({ method, key, body: typeof body === 'string' ? body : '' });
      const [status, answer, more] = replies[sent.length - 1] ?? [500];
      if (status === 0) return Promise.reject(new TypeError('fetch failed'));
      return Promise.resolve(
        new Response(status < 500 || answer ? JSON.stringify(answer) : '<h1>Bad gateway</h1>', {
          status,
          headers: {
            'content-type': `${MEDIA_TYPE};profile="http://service/profiles/extended-json"`,
            ...more,
          },
        }),
      );
    },
  });
  return { db, sent };
}

const book = { type: 'books', id: 'a'.repeat(24) };

describe('is sent again', () => {
  test.each([
    ['a read that the network lost', LOST],
    ['a read of a busy service', BUSY],
    ['a read that came too soon', MANY],
  ])('%s', async (_, reply) => {
    const { db, sent } = scripted(reply, DONE);
    expect(await db.get('books', book.id)).toMatchObject(book);
    expect(sent).toHaveLength(2);
  });

  test.each([
    ['that the network lost', LOST],
    ['that is still being done', GOING_ON],
    ['of a busy service', BUSY],
  ])('a create %s, with the same key', async (_, reply) => {
    const { db, sent } = scripted(reply, [201, DONE[1]]);
    expect(await db.create('books', { title: 'Dracula' })).toMatchObject(book);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual(sent[1]);
    expect(sent[0]?.key).toMatch(/^\d+(-\d+){3}$/);
  });

  test('a change that was not let in', async () => {
    const { db, sent } = scripted(MANY, DONE);
    await db.update(book, { title: 'D' });
    expect(sent).toHaveLength(2);
  });
});

test('what is sent again goes as whoever asked, not as who logged in meanwhile', async () => {
  const sent: string[] = [];
  const profile = `${MEDIA_TYPE};profile="http://service/profiles/extended-json"`;
  const answer = { data: { ...book, attributes: { token: 'two' }, relationships: { user: { data: book } } } };
  const settings = { url: 'http://service', application: 'a', key: 'k', token: 'one', retries: 1 };
  const db = connect({
    ...settings,
    fetch: async (address, init) => {
      const [, path = ''] = /([^/]+)$/.exec(new Request(address, { method: 'HEAD' }).url) ?? [];
      sent.push(`${path} ${new Headers(init?.headers).get('authorization')}`);
      if (sent.length === 1) {
        await db.login({ username: 'ada', password: 'secret' });
        throw new TypeError('fetch failed');
      }
      return new Response(JSON.stringify(answer), { status: 200, headers: { 'content-type': profile } });
    },
  });
  await db.create('books', { title: 'Dracula' });
  const { token } = db;
  expect([token, sent]).toEqual([
    'two',
    ['books Token one', expect.stringMatching(/token Basic/), 'books Token one'],
  ]);
});

describe('is not sent again', () => {
  test.each([
    ['a change that the network lost', LOST],
    ['a change that a busy service may have done', BUSY],
  ])('%s', async (_, reply) => {
    const { db, sent } = scripted(reply, DONE);
    await expect(db.update(book, { title: 'D' })).rejects.toMatchObject({ status: reply[0] });
    expect(sent).toHaveLength(1);
  });

  test('a login', async () => {
    const { db, sent } = scripted(MANY, DONE);
    await expect(db.login({ username: 'ada', password: 'secret' })).rejects.toMatchObject({ status: 429 });
    expect(sent).toHaveLength(1);
  });

  test('a read beyond the number of retries', async () => {
    const { db, sent } = scripted(BUSY, BUSY, BUSY, BUSY, DONE);
    await expect(db.get('books', book.id)).rejects.toMatchObject({ code: 'unavailable' });
    expect(sent).toHaveLength(4);
  });

  test('a read that would have to wait long', async () => {
    const { db, sent } = scripted([429, MANY[1], { 'retry-after': '60' }], DONE);
    await expect(db.get('books', book.id)).rejects.toMatchObject({ status: 429 });
    expect(sent).toHaveLength(1);
  });
});

test('a request without an answer ends', async () => {
  const until = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  const settings = { url: 'http://service', application: 'a', key: 'k', retries: 1, timeout: 1 };
  let sent = 0;
  const db = connect({
    ...settings,
    fetch: (_, init) => {
      sent += 1;
      return until(init?.signal as AbortSignal);
    },
  });
  await expect(db.get('books', book.id)).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  expect(sent).toBe(2);
  const ended = db.list('books', { signal: AbortSignal.abort(new Error('Enough')) }).all();
  await expect(ended).rejects.toThrow('Enough');
});

test.each([
  ['an empty page', 200, '', {}],
  ['nothing', 204, null, {}],
  ['JSON with our codes', 404, '{"errors":[{"code":"document-not-found"}]}', { 'content-type': 'text/html' }],
])('%s of another is no answer of the service', async (_, status, body, headers) => {
  const fetch = () => Promise.resolve(new Response(body, { status, headers }));
  const db = connect({ url: 'http://service', application: 'a', key: 'k', fetch });
  await expect(db.get('books', book.id)).rejects.toMatchObject({ code: 'unexpected-answer' });
  await expect(db.delete(book)).rejects.toMatchObject({ code: 'unexpected-answer' });
});

test('an answer that is not the service’s is an error like others', async () => {
  const { db } = scripted([502]);
  await expect(db.get('books', book.id)).rejects.toMatchObject({ status: 502, code: 'unexpected-answer' });
});

test('an answer without the profile is refused: its values could be mistaken', async () => {
  const { db } = scripted([200, DONE[1], { 'content-type': MEDIA_TYPE }]);
  await expect(db.get('books', book.id)).rejects.toMatchObject({ code: 'other-address' });
});
