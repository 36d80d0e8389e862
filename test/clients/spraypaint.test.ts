/** spraypaint, unmodified. Settings: the address in two parts, and a filter that sets the headers. */
import spraypaint from 'spraypaint';
import { expect, test } from 'vitest';
import { NO_ID } from '../support/client.ts';
import { openLibrary, type Library } from './library.ts';

const { attr, belongsTo, hasMany, SpraypaintBase } = spraypaint;

function modelsOf({ client, headers }: Library) {
  const Base = SpraypaintBase.extend({
    static: { baseUrl: client.url, apiNamespace: '/resources', jwtStorage: false },
  });
  Base.middlewareStack.beforeFilters.push((_, options) => {
    Object.assign(options.headers ?? {}, headers);
  });
  const Person = Base.extend({ static: { jsonapiType: 'people' }, attrs: { name: attr({ type: String }) } });
  const Article = Base.extend({
    static: { jsonapiType: 'articles' },
    attrs: {
      title: attr({ type: String }),
      words: attr({ type: Number }),
      author: belongsTo({ type: Person }),
      readers: hasMany({ type: Person }),
    },
  });
  return { Person, Article };
}

const library = await openLibrary();
const models = modelsOf(library);

test('lists with filter, sort, page, include and fields', async () => {
  const { data, meta } = await models.Article.where({ title: 'Dracula', words: 300 })
    .order({ words: 'desc' })
    .per(2)
    .page(1)
    .includes('author')
    .select({ articles: ['title', 'author'] })
    .all();
  expect(meta).toEqual({ count: 1 });
  expect(data).toMatchObject([{ title: 'Dracula', author: { name: 'Ada' } }]);
  expect(data[0]?.words).toBeUndefined();
});

test('creates, reads, changes and deletes', async () => {
  const { Article, Person } = models;
  const person = new Person({ name: 'Eve' });
  expect(await person.save()).toBe(true);
  const article = new Article({ title: 'T', words: 1, author: person, readers: [person] });
  expect(await article.save({ with: ['author.id', 'readers.id'] })).toBe(true);
  const read = await Article.includes(['author', 'readers']).find(article.id ?? '');
  expect(read.data).toMatchObject({ title: 'T', author: { name: 'Eve' }, readers: [{ name: 'Eve' }] });
  article.title = 'U';
  expect(await article.save()).toBe(true);
  expect((await library.client.get(`/resources/articles/${article.id ?? ''}`)).body.data.attributes).toEqual({
    title: 'U',
    words: 1,
  });
  expect(await article.destroy()).toBe(true);
});

test('shows errors', async () => {
  await expect(models.Article.find(NO_ID)).rejects.toMatchObject({
    message: 'record not found',
    response: { status: 404 },
  });
});

test('saves a linked document first: what is sent along with another is no JSON:API', async () => {
  const { Article, Person } = models;
  const both = new Article({ title: 'N', author: new Person({ name: 'New' }) });
  await expect(both.save({ with: 'author' })).rejects.toThrow();
  const author = new Person({ name: 'New' });
  await author.save();
  const article = new Article({ title: 'N', author });
  expect(await article.save({ with: 'author.id' })).toBe(true);
});
