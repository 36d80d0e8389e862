/** Patterns that need backtracking, wherever a client may send one: filters, pipelines, permissions and schemas. */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { Client } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { searchPath } from '../support/search.ts';
import { may } from '../support/people.ts';
import { makeSchema } from '../support/type-settings.ts';

const client = await Client.create();

describe('in filters', () => {
  const words = ['level', 'hello world', 'price: 12 EUR', 'price: 7 USD', '<b>bold</b>', '<b>torn</i>'];
  beforeAll(() =>
    crowd(
      client,
      'words',
      words.map((s) => ({ s })),
    ),
  );

  test.each([
    ['a lookbehind', '(?<=price: )\\d+(?= EUR)', ['price: 12 EUR']],
    ['recursion', '^(?:((.)(?1)\\2|.?))$', ['level']],
  ])('%s', async (_, pattern, found) => {
    const reply = await client.get(searchPath('words', { s: { $regex: pattern } }));
    expect(reply.status).toBe(200);
    expect(reply.body.data.map(({ attributes }) => attributes?.['s'])).toEqual(found);
  });
});

describe('in pipelines', () => {
  test('matches lie where MongoDB says, counted in code points, and unset groups are null', async () => {
    await client.make('texts', { s: '😀foo=1,bar=,foo=22' });
    await defined(client, 'found', 'texts', [
      {
        project: {
          id: { $toString: '$id' },
          all: { $regexFindAll: { input: '$s', regex: '(?<=foo)=\\K(\\d+)(x)?' } },
          first: { $regexFind: { input: '$s', regex: '(\\d)\\1' } },
          match: { $regexMatch: { input: '$s', regex: '(?!foo)bar(?==,)' } },
        },
      },
    ]);
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
});

describe('in permissions', () => {
  test('a lookahead leaves paths out', async () => {
    const key = await client.withPermissions([
      may('get', '/resources/(?!secret)[a-z]+'),
      may('get', '/resources/([a-z])\\1'),
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
    const key = await client.withPermissions([may('get', path)]);
    expect((await key.get('/resources/things')).status).toBe(403);
  });
});

describe('in schemas', () => {
  beforeAll(async () => {
    const patterns = {
      quoted: { pattern: '^(["\']).*\\1$' },
    };
    await makeSchema(client, 'priced', { attributes: { properties: patterns } });
  });

  const write = (attributes: Readonly<Record<string, string>>) =>
    client.create('/resources/priced', { attributes });

  test.each([
    [{ quoted: '"a"' }, 201],
    [{ quoted: '"a\'' }, 422],
  ])('%j is %i', async (attributes, status) => {
    expect((await write(attributes)).status).toBe(status);
  });
});
