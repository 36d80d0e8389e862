/** docs/errors.md: each code has a section with its status and title, and is caused by an example or another test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { PROBLEMS } from '../../src/domain/problems.ts';
import { defined } from '../support/aggregates.ts';
import { Client, operator } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { readSections, sendExample, shownAnswer } from '../support/error-examples.ts';
import { operateWith } from '../support/operations.ts';
import { ACL, EVERY_METHOD, makeUser, may } from '../support/people.ts';
import { ROOT } from '../support/started.ts';
import { makeSchema } from '../support/type-settings.ts';

const SECTIONS = readSections();

async function makePages(count: number) {
  const ids = await crowd(client, 'pages', count, (n) => ({ n }));
  return ids.map((id) => ({ type: 'pages', id }));
}

/** Codes that no single request causes. The tests that cause them name them. */
const ELSEWHERE = [
  'decides-nothing',
  'second-factor-required',
  'last-way-in',
  'invalid-code',
  'body-too-slow',
  'length-required',
  'range-not-satisfiable',
  'offset-conflict',
  'checksum-differs',
  'not-configured',
  'request-in-progress',
  'mark-expired',
  'export-ended',
  'internal-error',
  'line-refused',
  'rate-exceeded',
  'quota-exceeded',
  'unavailable',
  'data-lost',
  'storage-full',
];

const client = await Client.create();
const alone = await operator().create('alone');
const only = new Client(inject('url'), alone.id, alone.apiKey);
const author = await client.make('authors', { name: 'Mary Shelley' });
const article = await client.make(
  'articles',
  { title: 'Frankenstein', year: 1818 },
  { author: { data: { type: 'authors', id: author.id } } },
);
const guarded = await client.make('articles', { title: 'Emma' });
const large = await client.make('articles', { text: 'x'.repeat(600_000) });
const ada = await makeUser(client, 'ada');
await client.update(`/resources/articles.acl/${guarded.id}`, { attributes: { update: [ada.link] } });
const web = await client.withPermissions([may(EVERY_METHOD, '/resources/.*', ACL)]);
const reader = await client.withPermissions([may('get', '/resources/articles(/.*)?')]);
const ruled = await client.withPermissions([
  may('post', '/resources/articles', {
    check: { status: { $ne: 'secret' } },
    fields: { write: ['title', 'status'] },
  }),
]);
await makeSchema(client, 'books', {
  attributes: { properties: { pages: { minimum: 1 } }, required: ['title'] },
});
const held = await client.create('/schemas/core.type', {
  attributes: { name: 'ledgers', history: { hold: '2999-01-01T00:00:00Z' } },
});
await client.make('fractions', { over: 1, under: 0 });
await defined(client, 'ratios', 'fractions', [
  { project: { id: '$id', ratio: { $divide: ['$over', '$under'] } } },
]);
await client.create(
  '/resources/articles',
  { attributes: { title: 'first' } },
  { 'idempotency-key': 'first-order' },
);
const pages = [...(await makePages(1_000)), ...(await makePages(1))];
const bulk = await client.withPermissions([may('get delete bulk', '/resources/pages')]);
const shelf = await client.make('shelves', {}, { pages: { data: pages } });
const scan = { text: 'x'.repeat(1_000_000) };
for (let count = 0; count < 17; count += 1) await client.make('scans', scan);
/** What the words in capitals of the examples stand for. */
const names = {
  APPLICATION: client.application,
  OPERATOR: inject('operatorSecret'),
  ARTICLE: article.id,
  AUTHOR: author.id,
  GUARDED: guarded.id,
  HELD: held.body.data.id,
  LARGE: large.id,
  SHELF: shelf.id,
  ADA: (ada.headers['authorization'] ?? '').replace('Token ', ''),
  WEB: web.key,
  READER: reader.key,
  RULED: ruled.key,
  BULK: bulk.key,
  ALONE: only.application,
  LASTKEY: only.key,
  LAST: (await only.get('/api-keys/core.api-key')).body.data[0]?.id ?? '',
};

test('the page has a section for each code, with its status and title, in the order of the statuses', () => {
  const page = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  const told = Array.from(
    page.matchAll(/^### (.*)\n\n((\d{3}): .*?)\.(?: |\n)/gm),
    ([, code, says, status]) => ({ code, says, status }),
  );
  expect(told.map(({ code, says }) => `${code} ${says}`).sort()).toEqual(
    Object.entries(PROBLEMS)
      .map(([code, [status, title]]) => `${code} ${status}: ${title}`)
      .sort(),
  );
  expect(told).toEqual(told.toSorted((one, other) => Number(one.status) - Number(other.status)));
});

describe('an example answers as it says', () => {
  const cases = SECTIONS.flatMap(({ code, examples }) =>
    examples.map(({ request, answer }) => ({ code, request, answer })),
  );
  test.each(cases)('$code: $request.method $request.path', async ({ code, request, answer }) => {
    const reply = await sendExample(client, request, names);
    expect(reply.body.errors[0]?.code).toBe(code);
    expect(shownAnswer(reply, names)).toBe(answer);
  });

  const tests = ['http', 'unit', 'faults'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, '..', folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(import.meta.dirname, '..', folder, file),
    ),
  );
  const texts = tests
    .filter((file) => file.endsWith('.test.ts') && !file.endsWith('errors-docs.test.ts'))
    .map((file) => readFileSync(file, 'utf8'));

  test('or another test causes it', () => {
    const codes = [...SECTIONS.map(({ code }) => code), ...ELSEWHERE];
    expect(codes.sort()).toEqual(Object.keys(PROBLEMS).sort());
    expect(ELSEWHERE.filter((code) => !texts.some((text) => text.includes(code)))).toEqual([]);
  });
});

describe('each error object leads to its section', () => {
  test('on the page that the service serves', async () => {
    const response = await fetch(`${client.url}/docs/errors`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    const page = await response.text();
    expect(Object.keys(PROBLEMS).filter((code) => !page.includes(`id="${code}"`))).toEqual([]);
  });

  test.each([
    [
      'without a key',
      (): Promise<unknown[]> => client.get('/resources/articles', { 'api-key': '' }).then(linksOf),
    ],
    ['in an answer', () => client.get('/resources/articles?a=1&b=1').then(linksOf)],
    ['of a page', () => client.post('/health').then(linksOf)],
  ])('%s', async (_, links) => {
    const found = await links();
    expect(found.length).toBeGreaterThan(0);
    for (const link of found) expect(link).toMatch(/^http:\/\/[^/]+\/docs\/errors#[a-z-]+$/);
  });

  test('in a list of operations that goes on', async () => {
    const operations = [{ op: 'remove', ref: { type: 'articles', id: 'f'.repeat(24) } }];
    const reply = await operateWith(client, { 'atomic:operations': operations, meta: { atomic: false } });
    expect(reply.text).toContain(`"links":{"about":"${client.url}/docs/errors#document-not-found"}`);
  });

  function linksOf({
    body,
  }: {
    readonly body: { readonly errors: readonly { readonly links?: { about: string } }[] };
  }) {
    return body.errors.map(({ links }) => links?.about);
  }
});
