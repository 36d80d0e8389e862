/** `fields[<type>]`: only the listed attributes and relationships are shown (spec, Query parameters). */
import { describe, expect, test } from 'vitest';
import { Client, type Resource } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();
const author = await client.make('people', { name: 'Ada', age: 36 });
const link = { type: 'people', id: author.id };
const attributes = { title: 'T', pages: 3, 'a b': 1, constructor: 'c' };
const made = await client.make('articles', attributes, {
  author: { data: link },
  editors: { data: [link] },
});
const path = `/resources/articles/${made.id}`;

/** The names of the shown members and fields. */
function shape(document: Resource): readonly string[] {
  return [
    ...Object.keys(document),
    ...Object.keys(document.attributes ?? {}),
    ...Object.keys(document.relationships ?? {}),
  ].filter((name) => !['type', 'id', 'links'].includes(name));
}

const everything = [
  'attributes',
  'relationships',
  'title',
  'pages',
  'a b',
  'constructor',
  'author',
  'editors',
];

describe('a read shows', () => {
  test.each([
    ['one attribute', 'fields[articles]=title', ['attributes', 'title']],
    ['several', 'fields[articles]=pages,title', ['attributes', 'title', 'pages']],
    ['a relationship, which is a field too', 'fields[articles]=author', ['relationships', 'author']],
    [
      'attributes and relationships',
      'fields[articles]=title,editors',
      ['attributes', 'relationships', 'title', 'editors'],
    ],
    ['nothing but type and id for an empty list', 'fields[articles]=', []],
    ['nothing for names the document lacks', 'fields[articles]=nothing,toString', []],
    [
      'names that need encoding',
      'fields%5Barticles%5D=a%20b,constructor',
      ['attributes', 'a b', 'constructor'],
    ],
    ['a plus as a space', 'fields[articles]=a+b', ['attributes', 'a b']],
    ['everything where only other types are named', 'fields[people]=name', everything],
    ['everything without fields', '', everything],
  ])('%s', async (_, query, expected) => {
    const read = await client.get(`${path}?${query}`);
    expect(read.status).toBe(200);
    expect(shape(read.body.data)).toEqual(expected);
    expect(read.body.data).toMatchObject({ type: 'articles', links: { self: `${client.url}${path}` } });
    const list = await client.get(`/resources/articles?${query}`);
    expect(list.body.data.map(shape)).toEqual([expected]);
  });

  test('each type as its own list says, included documents too', async () => {
    const read = await client.get(`${path}?include=author&fields[articles]=title&fields[people]=age`);
    expect(shape(read.body.data)).toEqual(['attributes', 'title']);
    expect(read.body.included.map(shape)).toEqual([['attributes', 'age']]);
  });

  test('included documents whose relationship is not shown', async () => {
    const read = await client.get(`${path}?include=author&fields[articles]=title`);
    expect(read.body.included).toHaveLength(1);
  });

  test('the same fields in the answers to POST and PATCH', async () => {
    const data = { type: 'articles', attributes: { title: 'X', pages: 1 } };
    const made = await client.post('/resources/articles?fields[articles]=title', { data });
    expect(shape(made.body.data)).toEqual(['attributes', 'title']);
    const { id } = made.body.data;
    const patched = await client.patch(`/resources/articles/${id}?fields[articles]=pages`, {
      data: { type: 'articles', id, attributes: { title: 'Y' } },
    });
    expect(shape(patched.body.data)).toEqual(['attributes', 'pages']);
    expect((await client.get(`/resources/articles/${id}`)).body.data.attributes).toEqual({
      title: 'Y',
      pages: 1,
    });
    await client.delete(`/resources/articles/${id}`);
  });
});

describe('is refused:', () => {
  test.each([
    ['fields without a type', 'fields=title', '400 unknown-parameter ?fields'],
    ['fields of an empty type', 'fields[]=title', '400 unknown-parameter ?fields[]'],
    [
      'the same type twice',
      'fields[articles]=title&fields[articles]=pages',
      '400 invalid-parameter ?fields[articles]',
    ],
    [
      'an empty name among others',
      'fields[articles]=title,,pages',
      '400 invalid-parameter ?fields[articles]',
    ],
    ['an empty name at an end', 'fields[people]=name,', '400 invalid-parameter ?fields[people]'],
  ])('%s', async (_, query, fault) => {
    expect(faultsOf(await client.get(`${path}?${query}`))).toEqual([fault]);
  });
});
