/** Patterns that need backtracking, wherever a client may send one: filters, pipelines, permissions and schemas. */
import { beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';
import { makeMany, searchPath } from '../support/search.ts';

const client = await Client.create();

describe('in filters', () => {
  const words = ['level', 'hello world', 'price: 12 EUR', 'price: 7 USD', '<b>bold</b>', '<b>torn</i>'];
  beforeAll(() =>
    makeMany(
      client,
      'words',
      words.map((s) => ({ s })),
    ),
  );

  test.each([
    ['a lookbehind', '(?<=price: )\\d+(?= EUR)', ['price: 12 EUR']],
    ['a negative lookahead', '^(?!price)\\w+$', ['level']],
    ['a backreference', '<(\\w)>.*</\\1>', ['<b>bold</b>']],
    ['recursion', '^(?:((.)(?1)\\2|.?))$', ['level']],
    ['a prefix before a lookahead', '^price: (?=\\d+ U)', ['price: 7 USD']],
    ['an atomic group', '^(?>price|prices): 7', ['price: 7 USD']],
  ])('%s', async (_, pattern, found) => {
    const reply = await client.get(searchPath('words', { s: { $regex: pattern } }));
    expect(reply.status).toBe(200);
    expect(reply.body.data.map(({ attributes }) => attributes?.['s'])).toEqual(found);
  });

  test('a reference to no group is a mistake', async () => {
    const reply = await client.get(searchPath('words', { s: { $regex: '(a)\\2' } }));
    expect(reply.body.errors[0]).toMatchObject({ status: '400', code: 'invalid-filter' });
    expect(reply.body.errors[0]?.detail).toContain('there is no group 2');
  });
});

describe('in pipelines', () => {
  test('matches lie where MongoDB says, counted in code points, and unset groups are null', async () => {
    await client.make('texts', { s: '😀foo=1,bar=,foo=22' });
    const defined = await client.post('/aggregates/core.aggregate', {
      data: {
        type: 'core.aggregate',
        attributes: {
          'input-type': 'texts',
          'output-type': 'agt.found',
          pipeline: [
            {
              project: {
                id: { $toString: '$id' },
                all: { $regexFindAll: { input: '$s', regex: '(?<=foo)=\\K(\\d+)(x)?' } },
                first: { $regexFind: { input: '$s', regex: '(\\d)\\1' } },
                match: { $regexMatch: { input: '$s', regex: '(?!foo)bar(?==,)' } },
              },
            },
          ],
        },
      },
    });
    expect(defined.status).toBe(201);
    const [output] = (await client.get('/aggregates/agt.found')).body.data;
    expect(output?.attributes).toEqual({
      all: [
        { match: '1', idx: 5, captures: ['1', null] },
        { match: '22', idx: 16, captures: ['22', null] },
      ],
      first: { match: '22', idx: 16, captures: ['2'] },
      match: true,
    });
  });

  test('a pattern that takes too much work fails the pipeline, and is named', async () => {
    await client.make('long', { s: `${'a'.repeat(200)}!` });
    const pattern = '^(?:(a+)+\\1)+$';
    const match = { $regexMatch: { input: '$s', regex: pattern } };
    const defined = await client.post('/aggregates/core.aggregate', {
      data: {
        type: 'core.aggregate',
        attributes: {
          'input-type': 'long',
          'output-type': 'agt.long',
          pipeline: [{ project: { id: { $toString: '$id' }, match } }],
        },
      },
    });
    expect(defined.status).toBe(201);
    const reply = await client.get('/aggregates/agt.long');
    expect(reply.status).toBe(422);
    expect(reply.body.errors[0]?.detail).toContain(JSON.stringify(pattern));
  });
});

describe('in permissions', () => {
  test('a lookahead leaves paths out', async () => {
    const key = await client.withPermissions([
      { path: '/resources/(?!secret)[a-z]+', methods: ['get'] },
      { path: '/resources/([a-z])\\1', methods: ['get'] },
    ]);
    expect((await key.get('/resources/public')).status).toBe(200);
    expect((await key.get('/resources/secrets')).status).toBe(403);
    expect((await key.get('/resources/aa')).status).toBe(200);
  });

  test.each([
    ['an early end', '/resources/(*ACCEPT)x'],
    ['a start that is reset', '/other\\K/resources/things|/\\K'],
    ['a lookbehind before the path', '(?<=x)/resources/things'],
    ['an early end of a group', '(/resources/(*ACCEPT)x)'],
  ])('%s does not match a part of the path', async (_, path) => {
    const key = await client.withPermissions([{ path, methods: ['get'] }]);
    expect((await key.get('/resources/things')).status).toBe(403);
  });

  test.each([
    ['nested quantifiers with a backreference', '/resources/(?:(a+)+\\1)+'],
    [
      'what must not match, at great length',
      '(?!(?:/resources/(?:a|aa)+)*!)/resources/(?=(a+)+b)?(?:a|aa)+c?\\1',
    ],
    ['recursion without end', '(?R)|/resources/a'],
  ])('%s neither stalls nor admits', async (_, path) => {
    const key = await client.withPermissions([{ path, methods: ['get'] }]);
    const [reply, other] = await Promise.all([
      key.get(`/resources/${'a'.repeat(100)}-`),
      client.get('/resources/things'),
    ]);
    expect(other.status).toBe(200);
    expect(faultsOf(reply)).toEqual(['403 forbidden api-key:']);
  });
});

describe('in schemas', () => {
  beforeAll(async () => {
    const patterns = {
      quoted: { pattern: '^(["\']).*\\1$' },
      priced: { pattern: '(?<=\\$)\\d+(?:\\.\\d\\d)?$' },
      slow: { pattern: '^(?:(a+)+\\1)+$' },
    };
    const made = await client.post('/schemas/core.schema', {
      data: {
        type: 'core.schema',
        attributes: { target: 'priced', content: { properties: { attributes: { properties: patterns } } } },
      },
    });
    expect(made.status).toBe(201);
  });

  const write = (attributes: Readonly<Record<string, string>>) =>
    client.post('/resources/priced', { data: { type: 'priced', attributes } });

  test.each([
    [{ quoted: '"a"' }, 201],
    [{ quoted: '"a\'' }, 422],
    [{ priced: 'now $12.50' }, 201],
    [{ priced: 'now 12.50' }, 422],
    [{ slow: 'aa' }, 201],
    [{ slow: `${'a'.repeat(100)}!` }, 422],
  ])('%j is %i', async (attributes, status) => {
    expect((await write(attributes)).status).toBe(status);
  });
});
