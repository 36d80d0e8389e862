/** `include`: related documents beside the primary ones (spec, Query parameters; decisions, section 3). */
import { describe, expect, test } from 'vitest';
import { Client, NO_ID, type Link, type Reply } from '../support/client.ts';
import { crowd } from '../support/crowd.ts';
import { faultsOf } from '../support/faults.ts';
import { may } from '../support/people.ts';

const documents: Record<string, Link> = {};

/** Makes a document that is known by its name, with relationships to documents known by theirs. */
async function make(type: string, name: string, relationships: Record<string, string | string[]> = {}) {
  const linkage = Object.entries(relationships).map(([relationship, to]) => [
    relationship,
    { data: Array.isArray(to) ? to.map((each) => documents[each]) : documents[to] },
  ]);
  const { id } = await client.make(type, { name }, Object.fromEntries(linkage));
  documents[name] = { type, id };
}

const pathOf = (name: string) => `/resources/${documents[name]?.type ?? ''}/${documents[name]?.id ?? ''}`;
const included = ({ body }: Reply) => body.included.map(({ attributes }) => attributes?.['name']);

const client = await Client.create();
await make('countries', 'NL');
await make('cities', 'Delft', { country: 'NL' });
await make('cities', 'Breda', { country: 'NL' });
await make('people', 'Jan', { born: 'Delft', lives: 'Breda' });
await make('people', 'Ada', { born: 'Breda', friends: ['Jan'] });
await make('articles', 'One', { author: 'Jan', readers: ['Jan', 'Ada'] });
await make('articles', 'Two', { author: 'Ada', about: 'One' });
await make('articles', 'Bare');

describe('a read', () => {
  test.each([
    ['a to-many relationship', 'One', 'readers', ['Ada', 'Jan']],
    ['no document twice, whatever leads to it', 'One', 'author,readers', ['Ada', 'Jan']],
    ['every step of a path', 'One', 'author.born.country', ['Delft', 'Jan', 'NL']],
    ['paths through to-many', 'One', 'readers.born', ['Ada', 'Breda', 'Delft', 'Jan']],
    [
      'each step once, in paths that meet',
      'Two',
      'author.friends.lives.country,author.born.country',
      ['Ada', 'Breda', 'Jan', 'NL'],
    ],
    ['nothing by a name that the document lacks', 'One', 'nothing', []],
    ['what other paths lead to beside it', 'One', 'nothing,author.nothing.x,readers', ['Ada', 'Jan']],
    ['nothing by the name of an attribute', 'One', 'name', []],
    ['nothing by a name every object inherits', 'One', 'constructor,toString.x', []],
  ])('includes %s', async (_, name, include, expected) => {
    const read = await client.get(`${pathOf(name)}?include=${include}`);
    expect(read.status).toBe(200);
    expect(included(read).sort()).toEqual(expected);
  });

  test('includes documents in the order of their creation, whatever the order of the links', async () => {
    await make('articles', 'Last first', { readers: ['Ada', 'Jan'] });
    const read = await client.get(`${pathOf('Last first')}?include=readers`);
    expect(included(read)).toEqual(['Jan', 'Ada']);
  });

  test('shows included documents as their own addresses do', async () => {
    const read = await client.get(`${pathOf('One')}?include=author.born`);
    for (const each of read.body.included) {
      expect(each).toEqual((await client.get(each.links.self)).body.data);
    }
  });

  test('does not repeat the primary document, and follows what leads through it', async () => {
    const one = await client.make('loops');
    const other = await client.make('loops', undefined, { to: { data: { type: 'loops', id: one.id } } });
    const back = { to: { data: { type: 'loops', id: other.id } } };
    await client.update(`/resources/loops/${one.id}`, { relationships: back });
    for (const include of ['to', 'to.to', 'to.to.to.to.to']) {
      const read = await client.get(`/resources/loops/${one.id}?include=${include}`);
      expect(read.body.included.map(({ id }) => id)).toEqual([other.id]);
    }
  });

  test('passes over deleted documents, and over what only they lead to', async () => {
    const target = await client.make('countries');
    const between = await client.make('cities', undefined, {
      country: { data: { type: 'countries', id: target.id } },
    });
    const { id } = await client.make('people', undefined, {
      born: { data: { type: 'cities', id: between.id } },
    });
    const path = `/resources/people/${id}?include=born.country`;
    expect((await client.get(path)).body.included).toHaveLength(2);
    await client.delete(`/resources/cities/${between.id}`);
    expect((await client.get(path)).body.included).toEqual([]);
  });
});

describe('a list', () => {
  test('includes what all its documents lead to, each once', async () => {
    const list = await client.get('/resources/articles?include=author.born.country');
    expect(included(list).sort()).toEqual(['Ada', 'Breda', 'Delft', 'Jan', 'NL']);
  });

  test('includes for the documents of its page only', async () => {
    const list = await client.get('/resources/articles?include=author&page[limit]=1');
    expect(included(list)).toEqual(['Jan']);
  });

  test('does not repeat its primary documents', async () => {
    const list = await client.get('/resources/articles?include=about.author,author');
    expect(included(list).sort()).toEqual(['Ada', 'Jan']);
  });

  test('has an empty included member where nothing is reached', async () => {
    expect((await client.get('/resources/countries?include=x')).body.included).toEqual([]);
    expect((await client.get('/resources/nobody?include=x')).body.included).toEqual([]);
  });
});

describe('a document is included only if the key may GET it at its own address', () => {
  const get = (path: string) => may('get', path);
  const jan = () => pathOf('Jan').replaceAll('.', '\\.');

  test.each([
    ['every type', () => [get('/resources/.*')], ['Ada', 'Breda', 'Delft', 'Jan']],
    ['the primary type alone', () => [get('/resources/articles/[0-9a-f]+')], []],
    [
      'the collection, but not its documents',
      () => [get('/resources/articles/.*'), get('/resources/people')],
      [],
    ],
    ['one document of the type', () => [get('/resources/articles/.*'), get(jan())], ['Jan']],
    [
      'what is beyond a hidden document, to be changed and not read',
      () => [get('/resources/(articles|cities)/.*'), may('patch delete', '/resources/people/.*')],
      [],
    ],
  ])('permitted: %s', async (_, permissions, expected) => {
    const other = await client.withPermissions(permissions());
    const read = await other.get(`${pathOf('One')}?include=readers.born`);
    expect(read.status).toBe(200);
    expect(included(read).sort()).toEqual(expected);
  });

  test('in related reads, for data and for included', async () => {
    const one = await client.withPermissions([get('/resources/articles/.*'), get(jan())]);
    const related = await one.get(`${pathOf('One')}/readers?include=born`);
    expect(related.body.data.map(({ id }) => id)).toEqual([documents['Jan']?.id]);
    expect(related.body.included).toEqual([]);
  });

  test('the relationships of the primary document stay as they are', async () => {
    const other = await client.withPermissions([get('/resources/articles/.*')]);
    const read = await other.get(`${pathOf('One')}?include=author`);
    expect(read.body.data.relationships?.['author']?.data).toEqual(documents['Jan']);
  });
});

describe('limits', () => {
  test('a path has at most five levels', async () => {
    expect((await client.get(`${pathOf('One')}?include=a.b.c.d.e`)).status).toBe(200);
    const refused = await client.get(`${pathOf('One')}?include=author,a.b.c.d.e.f`);
    expect(faultsOf(refused)).toEqual(['400 invalid-parameter ?include']);
  });

  test.each(['.', 'a.', '.a', 'a..b', 'a,,b', ','])('the path %s is no path', async (include) => {
    const refused = await client.get(`${pathOf('One')}?include=${include}`);
    expect(faultsOf(refused)).toEqual(['400 invalid-parameter ?include']);
  });

  test('1,000 documents are included, 1,001 are not', async () => {
    const links = (await crowd(client, 'crowd', 1001)).map((id) => ({ type: 'crowd', id }));
    const { id } = await client.make('owners', undefined, {
      many: { data: links.slice(0, 1000) },
      last: { data: links.slice(1000) },
    });
    const most = await client.get(`/resources/owners/${id}?include=many&fields[owners]=`);
    expect(most.body.included).toHaveLength(1000);
    // Nothing lies beyond the thousand, so a longer path is fine.
    expect((await client.get(`/resources/owners/${id}?include=many.next`)).status).toBe(200);
    const tooMany = await client.get(`/resources/owners/${id}?include=many,last`);
    expect(faultsOf(tooMany)).toEqual(['400 include-too-large ?include']);
    const list = await client.get('/resources/owners?include=many,last');
    expect(faultsOf(list)).toEqual(['400 include-too-large ?include']);
    // One that is gone, or already primary, is not counted.
    await client.delete(`/resources/crowd/${links[0]?.id ?? NO_ID}`);
    const again = await client.get(`/resources/owners/${id}?include=many,last`);
    expect(again.body.included).toHaveLength(1000);
  });
});
