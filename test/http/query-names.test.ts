/** Names in the brackets of query parameters: what can be no name is 400 with a hint (decisions, section 1). */
import { beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../support/aggregates.ts';
import { Client } from '../support/client.ts';

const client = await Client.create();
await client.make('q', { title: 'x' });

describe('brackets inside a name are told the right form:', () => {
  test.each([
    ['filter[title][eq]=x', 'filter[title]={"$eq":"…"}'],
    ['filter[title][$gte]=x', 'filter[title]={"$gte":"…"}'],
    ['filter[title][]=x', 'filter[title]={"$eq":"…"}'],
    ['filter[a[b]]=x', 'filter[title]={"$eq":"…"}'],
    ['fields[q][0]=title', 'fields[articles]=title,author'],
  ])('%s', async (query, form) => {
    const [error, ...more] = (await client.get(`/resources/q?${query}`)).body.errors;
    expect([error?.status, error?.code, error?.source, more]).toEqual([
      '400',
      'unknown-parameter',
      { parameter: query.split('=')[0] },
      [],
    ]);
    expect(error?.detail).toContain(form);
  });
});

describe('what is no parameter is told which there are:', () => {
  test.each([
    'filter=1',
    'filter[title=x',
    'fields[]=title',
    'fields=title',
    'page[limit][x]=1',
    'page[]=1',
    'page=1',
    'sort[title]=1',
    'sort[]=title',
    'include[]=a',
    'order=title',
  ])('%s', async (query) => {
    const { body, status } = await client.get(`/resources/q?${query}`);
    expect([status, body.errors[0]?.code]).toEqual([400, 'unknown-parameter']);
    expect(body.errors[0]?.detail).toContain(
      'There are filter[FIELD], filter[*], sort, ' +
        'page[offset], page[limit], page[number], page[size], page[after], page[count],',
    );
  });

  test('where there are none', async () => {
    const [data] = (await client.get('/resources/q')).body.data;
    const { body } = await client.delete(`/resources/q/${data?.id ?? ''}?force=1`);
    expect(body.errors[0]?.detail).toBe('There is no parameter force here. This endpoint takes none.');
  });
});

describe('names in lists are taken exactly', () => {
  beforeAll(async () => {
    // New fields have no such names; those of pipelines, and old ones, may.
    const output = {
      project: { id: '$title', ' a': { $literal: 1 }, a: { $literal: 2 }, 'b ': { $literal: 3 } },
    };
    await defined(client, 'blanks', 'q', [output]);
  });

  test.each([
    ['%20a', [' a']],
    ['+a', [' a']],
    ['a', ['a']],
    ['a,%20a', [' a', 'a']],
    ['b%20,%20a', [' a', 'b ']],
    ['a,%20b%20', ['a']],
    ['a%20', []],
    ['b', []],
    ['%20', []],
    ['', []],
  ])('fields[t]=%s', async (names, shown) => {
    const { body } = await client.get(`/aggregates/agt.blanks?fields[agt.blanks]=${names}`);
    expect(body.data.map(({ attributes }) => Object.keys(attributes ?? {}).sort())).toEqual([shown]);
  });

  test('of relationships to include, too', async () => {
    const target = await client.make('q', { title: 'target' });
    const link = { data: { type: 'q', id: target.id } };
    await client.make('linking', {}, { to: link, other: link });
    const included = async (names: string) =>
      (await client.get(`/resources/linking?include=${names}`)).body.included.length;
    expect(await included('to')).toBe(1);
    expect(await included('other,to')).toBe(1);
    for (const names of ['%20to', 'to%20', '%20to,other%20']) expect(await included(names)).toBe(0);
  });
});
