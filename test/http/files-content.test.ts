/** The content of a file, as it is read: ranges, tags and headers (docs/files.md). */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, NO_ID } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { contentPath, digestOf, fetchContent, FILES, upload, PNG } from '../support/files.ts';

const client = await Client.create('files');

const TEN = new TextEncoder().encode('0123456789');

const store = async (bytes: Uint8Array, headers: Readonly<Record<string, string>> = {}) => {
  const made = await upload(client, bytes, headers);
  expect(made.status).toBe(201);
  return made.body.data.id;
};

describe('the content', () => {
  let id: string;
  let tag: string;
  let modified: string;
  beforeAll(async () => {
    id = await store(TEN, { 'content-type': 'text/plain' });
    const { headers } = await fetchContent(client, id);
    tag = headers.get('etag') ?? '';
    modified = headers.get('last-modified') ?? '';
    expect(tag).toBe(`"${digestOf(TEN)}"`);
  });

  test.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=9-99999999999999999999', 206, '9', 'bytes 9-9/10'],
    ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
    // What is no range, or several of them, is answered with the whole.
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=-', 200, '0123456789', null],
    ['items=0-1', 200, '0123456789', null],
    ['bytes=99-,100-', 200, '0123456789', null],
    [`bytes=${'0-,'.repeat(1_000)}0-`, 200, '0123456789', null],
  ])('answers Range %s with %i', async (range, status, text, says) => {
    const part = await fetchContent(client, id, { range });
    expect([part.status, new TextDecoder().decode(part.bytes)]).toEqual([status, text]);
    expect(part.headers.get('content-range')).toBe(says);
    expect(part.headers.get('content-length')).toBe(String(text.length));
  });

  test.each(['bytes=0-3', 'bytes=10-'])('answers HEAD as if it asked for no range %s', async (range) => {
    const whole = await fetchContent(client, id);
    const head = await fetchContent(client, id, { range }, { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-length', 'content-range', 'etag', 'content-type', 'accept-ranges']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
  });

  test.each([
    ['bytes=-5', 200],
    ['bytes=0-', 416],
    ['bytes=0-0', 416],
  ])('of no bytes answers Range %s with %i', async (range, status) => {
    const empty = await store(new Uint8Array());
    const answer = await fetchContent(client, empty, { range });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-range')).toBe(status === 416 ? 'bytes */0' : null);
  });

  test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('has nothing in the range %s', async (range) => {
    const refused = await client.get(contentPath(id), { range });
    expect(faultsOf(refused)).toEqual(['416 range-not-satisfiable Range:']);
    expect(refused.headers.get('content-range')).toBe('bytes */10');
  });

  test('is 304 to who has it, and whole to who has another', async () => {
    const answers = [
      await fetchContent(client, id, { 'if-none-match': tag }),
      await fetchContent(client, id, { 'if-none-match': `"x", W/${tag}` }),
      await fetchContent(client, id, { 'if-none-match': '*' }),
      await fetchContent(client, id, { 'if-modified-since': modified }),
      await fetchContent(client, id, { 'if-none-match': '"x"', 'if-modified-since': modified }),
      await fetchContent(client, id, { 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }),
      // No date of HTTP says nothing; its former forms do.
      await fetchContent(client, id, { 'if-modified-since': '2100' }),
      await fetchContent(client, id, { 'if-modified-since': 'Mon 2100' }),
      await fetchContent(client, id, { 'if-modified-since': 'Friday, 01-Jan-99 00:00:00 GMT' }),
      await fetchContent(client, id, { 'if-modified-since': 'Fri Jan  1 00:00:00 2100' }),
      // Whether it is unchanged comes before its range.
      await fetchContent(client, id, { 'if-none-match': tag, range: 'bytes=99-' }),
    ];
    const statuses = [304, 304, 304, 304, 200, 200, 200, 200, 200, 304, 304];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    expect(answers[0]?.bytes.length).toBe(0);
    expect(answers[0]?.headers.get('etag')).toBe(tag);
  });

  test('is 412 where If-Match, or else If-Unmodified-Since, says so', async () => {
    const past = { 'if-unmodified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' };
    const rows = [
      [{ 'if-match': `"x", ${tag}`, 'if-none-match': '"x"' }, 200],
      [{ 'if-match': '*' }, 200],
      [{ 'if-match': `W/${tag}` }, 412],
      [{ 'if-match': '"x"', 'if-none-match': tag }, 412],
      [{ 'if-match': tag, ...past }, 200],
      [past, 412],
      [{ 'if-unmodified-since': modified }, 200],
      [{ 'if-unmodified-since': 'yesterday' }, 200],
    ] as const;
    for (const [headers, status] of rows) {
      const answer = await fetchContent(client, id, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(status);
    }
  });

  test.each(['x', '"x', '*, "x"'])('refuses an If-None-Match of %s', async (tags) => {
    const refused = await client.get(contentPath(id), { 'if-none-match': tags });
    expect(faultsOf(refused)).toEqual(['400 invalid-header If-None-Match:']);
  });

  test('heeds a range only of the content that If-Range names', async () => {
    const range = 'bytes=0-1';
    const answers = [
      await fetchContent(client, id, { range, 'if-range': tag }),
      await fetchContent(client, id, { range, 'if-range': modified }),
      await fetchContent(client, id, { range, 'if-range': '"x"' }),
      await fetchContent(client, id, { range, 'if-range': `W/${tag}` }),
      await fetchContent(client, id, { range, 'if-range': `"x", ${tag}` }),
      await fetchContent(client, id, { range, 'if-range': '*' }),
      await fetchContent(client, id, { range, 'if-range': 'Fri, 01 Jan 2100 00:00:00 GMT' }),
      await fetchContent(client, id, { range: 'bytes=99-', 'if-range': '"x"' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([206, 206, ...Array<number>(6).fill(200)]);
  });

  test.each([
    ['image/png', 'inline'],
    ['text/plain', 'inline'],
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/pdf', 'attachment'],
    ['application/xhtml+xml', 'attachment'],
    ['text/javascript', 'attachment', 'text/plain'],
    ['application/x-javascript;charset=utf-8', 'attachment', 'text/plain'],
    ['text/xml', 'attachment'],
  ])('of the media type %s is %s, and runs nothing', async (mediaType, disposition, answered = mediaType) => {
    const page = new TextEncoder().encode('<script>alert(1)</script>');
    const pdf = new TextEncoder().encode('%PDF-1.7');
    const file = await store({ 'image/png': PNG, 'application/pdf': pdf }[mediaType] ?? page, {
      'content-type': mediaType,
      'content-disposition': 'inline; filename=p',
    });
    const { headers } = await fetchContent(client, file);
    expect(headers.get('content-disposition')).toBe(`${disposition}; filename=p`);
    expect(headers.get('content-type')).toBe(answered);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; sandbox; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('private, no-cache');
    // The headers of other answers stay what they are.
    const after = await client.get(`${FILES}/${file}`);
    expect(after.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    const saved = await fetchContent(client, file, {}, { query: '?download' });
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename=p');
  });

  test('is of its application alone, and of an id that there is', async () => {
    const other = await Client.create('other');
    expect((await fetchContent(other, id)).status).toBe(404);
    expect((await fetchContent(client, NO_ID)).status).toBe(404);
    expect(faultsOf(await client.get(`${contentPath(id)}?size=1`))).toEqual(['400 unknown-parameter ?size']);
  });
});
