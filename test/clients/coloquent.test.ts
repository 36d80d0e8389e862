/** coloquent, unmodified. Settings: the headers of its HTTP client (axios), a base class and a model of each type. */
import coloquent from 'coloquent';
import { expect, test } from 'vitest';
import { NO_ID } from '../support/client.ts';
import { openLibrary } from './library.ts';

const { Model, PaginationStrategy, PluralResponse, SortDirection } = coloquent;

abstract class Document extends Model {
  static override paginationStrategy = PaginationStrategy.PageBased;
  static override pageSize = 2;
  override getJsonApiBaseUrl() {
    return library.base;
  }
}

class Person extends Document {
  override jsonApiType = 'people';
  setName(name: string) {
    this.setAttribute('name', name);
  }
  articles() {
    return this.hasMany(Article);
  }
}

class Article extends Document {
  override jsonApiType = 'articles';
  setTitle(title: string) {
    this.setAttribute('title', title);
  }
  author() {
    return this.hasOne(Person);
  }
  getAuthor(): unknown {
    return this.getRelation('author');
  }
  readers() {
    return this.hasMany(Person);
  }
}

const library = await openLibrary();
// The first model makes it.
new Article();
const http = Model.getHttpClient();
const axios = http.getImplementingClient() as { defaults: { headers: { common: object } } };
Object.assign(axios.defaults.headers.common, library.headers);

/** The documents of a list. */
function listed(response: unknown): readonly coloquent.Model[] {
  if (!(response instanceof PluralResponse)) throw new Error('The response is no list.');
  return response.getData();
}

async function personOf(name: string): Promise<Person> {
  const person = new Person();
  person.setName(name);
  await person.save();
  return person;
}

test('lists with filter, sort, page and include', async () => {
  const found = await Article.where('title', 'Dracula')
    .where('words', '300')
    .orderBy('words', SortDirection.DESC)
    .with('author')
    .get(1);
  const [article] = listed(found);
  if (!(article instanceof Article)) throw new Error('It is no article.');
  expect((article.getAuthor() as Person).getAttributes()).toMatchObject({ name: 'Ada' });
  expect(article.getAttributes()).toMatchObject({ title: 'Dracula', words: 300 });
});

test('creates, reads, changes and deletes', async () => {
  const person = await personOf('Eve');
  const article = new Article();
  article.setTitle('T');
  article.setRelation('author', person);
  await article.save();
  const id = article.getApiId() ?? '';
  expect(id).toMatch(/^[0-9a-f]{24}$/);
  const read = await Article.with('author').find(id);
  expect(read.getData()?.getAttributes()).toMatchObject({ title: 'T' });
  article.setTitle('U');
  await article.save();
  const { body } = await library.client.get(`/resources/articles/${id}`);
  expect(body.data).toMatchObject({
    attributes: { title: 'U' },
    relationships: { author: { data: { type: 'people', id: person.getApiId() } } },
  });
  await article.delete();
  expect((await library.client.get(`/resources/articles/${id}`)).body.data).toBeNull();
});

test('reads related documents, filtered and sorted', async () => {
  const article = new Article();
  article.setRelation('readers', [await personOf('One'), await personOf('Two')]);
  await article.save();
  const related = await article.readers().where('name', 'Two').orderBy('name').get();
  expect(listed(related).map((person) => person.getAttributes()['name'] as unknown)).toEqual(['Two']);
});

test('reads the inverse of a relationship that the settings of the type declare', async () => {
  await library.client.create('/schemas/core.type', {
    attributes: { name: 'people', inverses: { articles: { type: 'articles', through: 'author' } } },
  });
  const ada = (await Person.find(library.ada.id)).getData();
  if (!(ada instanceof Person)) throw new Error('She is no person.');
  const articles = listed(await ada.articles().orderBy('title').get());
  expect(articles.map((article) => article.getAttributes()['title'] as unknown)).toEqual(['Dracula', 'Emil']);
});

test('shows errors by their status', async () => {
  await expect(Article.find(NO_ID)).rejects.toThrow('status code 404');
});
