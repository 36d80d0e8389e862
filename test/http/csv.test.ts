/** Lists and aggregates as rows of CSV, for those who ask (docs/search.md, CSV). */
import { describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { Client, MEDIA_TYPE } from '../support/client.ts';

const ACCEPT = { accept: 'text/csv' };

const client = await Client.create();

let types = 0;
/** A new type with one document. */
async function one(attributes: object, relationships?: object) {
  const type = `rows${(types += 1)}`;
  return { type, id: (await client.make(type, attributes, relationships)).id };
}

const csv = (path: string, headers = {}) => client.get(path, { ...ACCEPT, ...headers });

describe('a cell is', () => {
  test.each<readonly [string, unknown, string]>([
    ['a text as it is', 'a b', 'a b'],
    ['quoted with a comma', 'a,b', '"a,b"'],
    ['quoted with a quote, which is doubled', 'say "x"', '"say ""x"""'],
    ['quoted with a line break', 'a\nb', '"a\nb"'],
    ['made harmless before =', '=1+1', "'=1+1"],
    ['made harmless and quoted', '=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ['made harmless before +', '+1', "'+1"],
    ['made harmless before -', '-1', "'-1"],
    ['made harmless before @', '@SUM(1)', "'@SUM(1)"],
    ['made harmless before a tab', '\t=1', "'\t=1"],
    ['made harmless before a carriage return', '\r=1', `"'\r=1"`],
    ['a negative number, which is no formula', -5, '-5'],
    ['a long with every digit', { $numberLong: '9007199254740993' }, '9007199254740993'],
    ['a decimal with every digit', { $numberDecimal: '-1.10' }, '-1.10'],
    ['a date', { $date: '2026-05-04T10:00:00Z' }, '2026-05-04T10:00:00.000Z'],
    ['a boolean', false, 'false'],
    ['empty for null', null, ''],
    ['an array as JSON', [1, 'a'], '"[1,""a""]"'],
    ['an object as JSON, exact', { n: { $numberDecimal: '1.0' } }, '"{""n"":1.0}"'],
  ])('%s', async (_, value, cell) => {
    const { type, id } = await one({ v: value });
    const answer = await csv(`/resources/${type}`);
    expect([answer.status, answer.text]).toEqual([200, `id,v\r\n${id},${cell}\r\n`]);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
  });
});

describe('the columns are', () => {
  test('the fields as they appear, relationships behind attributes', async () => {
    const { type, id } = await one({ b: 1 });
    const middle = await client.make(type, { b: 2 });
    const many = [middle.id, id].map((each) => ({ type, id: each }));
    const to = { one: { data: { type, id } }, many: { data: many }, none: { data: null } };
    const last = await client.make(type, { '=a': 2, b: 3 }, to);
    expect((await csv(`/resources/${type}?sort=b`)).text).toBe(
      `id,b,'=a,one,many,none\r\n${id},1,,,,\r\n${middle.id},2,,,,\r\n${last.id},3,2,${id},${middle.id} ${id},\r\n`,
    );
  });

  test('those that are named, in their order, on an empty page as well', async () => {
    const { type, id } = await one({ a: 1, b: 2, c: 3 });
    expect((await csv(`/resources/${type}?fields[${type}]=c,a,none`)).text).toBe(
      `id,c,a,none\r\n${id},3,1,\r\n`,
    );
    expect((await csv(`/resources/${type}?fields[${type}]=c&filter[a]=7`)).text).toBe('id,c\r\n');
    expect((await csv(`/resources/${type}?fields[${type}]=`)).text).toBe(`id\r\n${id}\r\n`);
    const known = await csv(`/resources/${type}?fields[${type}]=a,$created`);
    expect(known.text).toMatch(/^id,a,\$created\r\n\w+,1,2\d{3}-.*Z\r\n$/);
  });

  test('not more than a page can bear', async () => {
    const type = 'wide';
    const attributes = (row: number) =>
      Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${row}x${at}`, 1]));
    for (let row = 0; row < 50; row += 1) await client.make(type, attributes(row));
    const refused = await csv(`/resources/${type}?page[limit]=50`);
    expect([refused.status, refused.body.errors[0]?.code]).toEqual([400, 'answer-too-large']);
    expect((await csv(`/resources/${type}?page[limit]=50&fields[${type}]=f0x1`)).status).toBe(200);
  });
});

test('pages lead on by Link, and HEAD has the headers of GET', async () => {
  const { type, id } = await one({ n: 1 });
  const second = await client.make(type, { n: 2 });
  const path = `/resources/${type}?sort=n&page[after]=&page[size]=1`;
  const first = await csv(path);
  const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? [];
  const last = await csv(next.slice(client.url.length));
  expect([first.text, last.text, last.headers.get('link')]).toEqual([
    `id,n\r\n${id},1\r\n`,
    `id,n\r\n${second.id},2\r\n`,
    null,
  ]);
  const head = await client.send('HEAD', path, { headers: ACCEPT });
  for (const name of ['content-type', 'link', 'etag', 'vary'])
    expect([name, head.headers.get(name)]).toEqual([name, first.headers.get(name)]);
  expect(head.text).toBe('');
});

test('a large page leaves in parts, with the rows of small ones', async () => {
  const type = 'long';
  const text = `"${'ж,😀'.repeat(40_000)}`;
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) ids.push((await client.make(type, { n, text })).id);
  const answer = await csv(`/resources/${type}?sort=n`);
  const rows = ids.map((id, n) => `${id},${n},"${text.replaceAll('"', '""')}"\r\n`);
  expect(answer.text === `id,n,text\r\n${rows.join('')}`).toBe(true);
  expect(answer.headers.get('content-length')).toBeNull();
  const head = await client.send('HEAD', `/resources/${type}?sort=n`, { headers: ACCEPT });
  expect([head.status, head.text, head.etag]).toEqual([200, '', answer.etag]);
});

test('its tag is that of CSV: neither form is unchanged by the tag of the other', async () => {
  const { type } = await one({ n: 1 });
  const path = `/resources/${type}`;
  const [rows, json] = [(await csv(path)).etag, (await client.get(path)).etag];
  const statuses = [
    await csv(path, { 'if-none-match': rows }),
    await csv(path, { 'if-none-match': json }),
    await client.get(path, { 'if-none-match': rows }),
    await client.get(path, { 'if-none-match': json }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([304, 200, 200, 304]);
});

test('aggregates and lists of other modules answer it, with the rights of JSON', async () => {
  const { type, id } = await one({ g: '=x', secret: 2 });
  await defined(client, 'rows', type, [{ group: { id: '$g', n: { $sum: 1 } } }]);
  expect((await csv('/aggregates/agt.rows')).text).toBe("id,n\r\n'=x,1\r\n");
  expect((await csv('/aggregates/core.aggregate')).text).toMatch(/^id,/);
  const reader = await client.withPermissions([
    { methods: ['get'], path: `/resources/${type}`, fields: { read: ['g'] } },
  ]);
  const seen = await reader.get(`/resources/${type}`, ACCEPT);
  const json = await reader.get(`/resources/${type}`);
  expect(Object.keys(json.body.data[0]?.attributes ?? {})).toEqual(['g']);
  expect(seen.text).toBe(`id,g\r\n${id},'=x\r\n`);
  expect((await reader.get('/resources/others', ACCEPT)).body.errors[0]?.code).toBe('forbidden');
});

test.each([
  ['text/csv', 'text/csv; charset=utf-8; header=present'],
  ['text/csv, */*', 'text/csv; charset=utf-8; header=present'],
  ['text/csv;q=0.5, */*', MEDIA_TYPE],
  [`text/csv;q=0.5, ${MEDIA_TYPE};q=0.4`, 'text/csv; charset=utf-8; header=present'],
  ['text/html, */*;q=0.8', MEDIA_TYPE],
  ['text/csv;q=0, */*', MEDIA_TYPE],
])('a list asked for as %s is %s', async (accept, type) => {
  const answer = await client.get('/resources/none', { accept });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
});

test('other endpoints have no CSV, and include has no place in it', async () => {
  const { type, id } = await one({ n: 1 });
  for (const path of [`/resources/${type}/${id}`, '/resources', `/resources/${type}/changes`])
    expect([path, (await csv(path)).status]).toEqual([path, 406]);
  const refused = await csv(`/resources/${type}?include=to`);
  expect([refused.status, refused.body.errors[0]?.source]).toEqual([400, { parameter: 'include' }]);
  expect(refused.headers.get('content-type')).toBe(MEDIA_TYPE);
});
