/** Attacks by size: bodies that are not as long as they say, and far too much of anything. */
import { beforeAll, describe, expect, test } from 'vitest';
import { requestText, sendRaw, settle } from '../support/attack.ts';
import { MEDIA_TYPE, NO_ID, type Link, type Reply } from '../support/client.ts';

const town = await settle();

describe('a body that is not as long as it says is refused or not taken', () => {
  const full = '{"data":{"type":"notes","attributes":{"title":"smuggled"}}}';
  const { length } = full;
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  test.each<[string, readonly string[], string]>([
    ['shorter than the body', ['Content-Length: 20'], full],
    ['longer than the body', [`Content-Length: ${length + 20}`], full],
    ['negative', ['Content-Length: -1'], full],
    ['no number', ['Content-Length: many'], full],
    ['a sum', [`Content-Length: ${length - 1}+1`], full],
    ['hexadecimal', [`Content-Length: 0x${length.toString(16)}`], full],
    ['beyond all numbers', ['Content-Length: 99999999999999999999999999'], full],
    ['two lengths', [`Content-Length: ${length}`, 'Content-Length: 5'], full],
    ['a length of none', ['Content-Length: 0'], full],
    ['nothing said', [], full],
    ['chunks that end too early', ['Transfer-Encoding: chunked'], chunk(full)],
    ['chunks of the wrong size', ['Transfer-Encoding: chunked'], `3\r\n${full}\r\n0\r\n\r\n`],
    ['chunks of a negative size', ['Transfer-Encoding: chunked'], `-5\r\n${full}\r\n0\r\n\r\n`],
    [
      'chunks of an enormous size',
      ['Transfer-Encoding: chunked'],
      `ffffffffffffffff\r\n${full}\r\n0\r\n\r\n`,
    ],
  ])('%s', async (_, lines, body) => {
    const text = requestText(town.service, 'POST', '/resources/notes', {
      lines: [`Content-Type: ${MEDIA_TYPE}`, ...lines],
      body,
    });
    const { status } = await sendRaw(town.service.url, text);
    expect(status).toBeOneOf([0, 400, 413, 501]);
    expect((await town.service.get('/resources/notes')).body.meta.count).toBe(1);
  });
});

test('of a length and chunks the chunks are the body, and nothing behind the length is a request', async () => {
  const body = '{"data":{"type":"framed","attributes":{"title":"GET / HTTP/1.1"}}}';
  const text = requestText(town.service, 'POST', '/resources/framed', {
    lines: [`Content-Type: ${MEDIA_TYPE}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
    body: `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  });
  const reply = await sendRaw(town.service.url, text);
  expect([reply.status, reply.text.split('HTTP/1.1 ').length]).toEqual([201, 2]);
});

describe('far too much of anything is answered, and others are served meanwhile', () => {
  const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

  const create = (members: object) => () => town.service.create('/resources/heaps', members);
  const createText = (text: string) => () => town.service.post('/resources/heaps', text);
  const read = (query: string) => () => town.service.get(`/resources/notes?${query}`);
  const idOf = (n: number) => n.toString(16).padStart(24, '0');
  const linksTo = (count: number, to: (n: number) => Link) =>
    create({ relationships: { a: { data: many(count, to) } } });
  const named = (count: number, of: (n: number) => [string, unknown]) => Object.fromEntries(many(count, of));

  test.each<[string, () => Promise<Reply>, number]>([
    ['10,000 attributes', create({ attributes: named(10_000, (n) => [`a${n}`, n]) }), 201],
    ['a name of 100,000 characters', create({ attributes: { ['x'.repeat(100_000)]: 1 } }), 201],
    ['5,000 links to one document', linksTo(5000, () => town.note), 201],
    ['5,000 links to nothing', linksTo(5000, (n) => ({ type: 'notes', id: idOf(n) })), 404],
    ['links to 2,000 types', linksTo(2000, (n) => ({ type: `t${n}`, id: NO_ID })), 422],
    [
      '2,000 relationships',
      create({ relationships: named(2000, (n) => [`r${n}`, { data: town.note }]) }),
      201,
    ],
    [
      'a number of 100,000 digits',
      createText(`{"data":{"type":"heaps","attributes":{"a":${'9'.repeat(100_000)}}}}`),
      422,
    ],
    [
      'a decimal of 100,000 digits',
      create({ attributes: { a: { $numberDecimal: '9'.repeat(100_000) } } }),
      422,
    ],
    [
      '15,000 identities of a right',
      () => {
        const identities = many(15_000, (n) => ({ type: 'core.user', id: idOf(n) }));
        return town.service.update(`/resources/heaps.acl/${heap}`, { attributes: { read: identities } });
      },
      422,
    ],
    ['1,000 names to include', read(`include=${many(1000, (n) => `n${n}.a.b.c.d`).join(',')}`), 200],
    ['5,000 fields', read(`fields[notes]=${many(5000, (n) => `f${n}`).join(',')}`), 200],
    ['2,000 unknown parameters', read(many(2000, (n) => `p${n}=1`).join('&')), 400],
    ['1,000 levels of a sort', read(`sort=${many(1000, (n) => `s${n}`).join(',')}`), 400],
  ])('%s', async (_, send, status) => {
    const pending = send();
    expect((await town.web.get(`/resources/notes/${town.note.id}`, town.ada.headers)).status).toBe(200);
    const answer = await pending;
    expect([answer.status, answer.text.slice(0, answer.status === status ? 0 : 300)]).toEqual([status, '']);
    if (status >= 400) expect(answer.body.errors.length).toBeLessThanOrEqual(50);
  });

  let heap: string;
  beforeAll(async () => {
    heap = (await town.service.make('heaps')).id;
  });
});

test('after all of this nothing is changed, and Ada reads her note', () => town.expectUntouched());
