/** kitsu, unmodified. Settings: names as they are (no plurals, no camel case), and the headers. */
import Kitsu from 'kitsu';
import { expect, test } from 'vitest';
import { NO_ID } from '../support/client.ts';
import { openLibrary } from './library.ts';

interface Shown {
  readonly id: string;
  readonly [name: string]: unknown;
}
interface Answer {
  readonly data: Shown & readonly Shown[];
  readonly meta?: unknown;
  readonly status: number;
}

const get = (path: string, params: object = {}) => api.get(path, { params }) as Promise<Answer>;
const post = (path: string, body: object) => api.post(path, body) as Promise<Answer>;
const patch = (path: string, body: object) => api.patch(path, body) as Promise<Answer>;

const library = await openLibrary();
const { base: baseURL, headers } = library;
const api = new Kitsu({ baseURL, headers, camelCaseTypes: false, pluralize: false });

test('lists with filter, sort, page, include and fields', async () => {
  const list = await get('articles', {
    filter: { words: 300, title: 'Dracula' },
    sort: '-words,title',
    page: { limit: 1, offset: 0 },
    include: 'author',
    fields: { articles: 'title,author', people: 'name' },
  });
  expect(list.meta).toEqual({ count: 1 });
  expect(list.data).toMatchObject([
    { title: 'Dracula', author: { data: { id: library.ada.id, name: 'Ada' } } },
  ]);
  expect(list.data[0]).not.toHaveProperty('words');
});

test('creates, reads, changes and deletes', async () => {
  const made = await post('articles', { title: 'T', words: 1, author: { data: library.bob } });
  expect(made).toMatchObject({ status: 201, data: { title: 'T', words: 1 } });
  const { id } = made.data;
  expect((await get(`articles/${id}`, { include: 'author' })).data).toMatchObject({
    author: { data: { name: 'Bob' } },
  });
  expect((await patch('articles', { id, title: 'U' })).data).toMatchObject({ title: 'U', words: 1 });
  expect(await api.delete('articles', id)).toMatchObject({ status: 204 });
  expect((await get(`articles/${id}`)).data).toBeNull();
});

test('reads and changes relationships', async () => {
  const { id } = (await post('articles', { title: 'R' })).data;
  const links = `articles/${id}/relationships/readers`;
  await patch('people', { id: library.ada.id, name: 'Ada' });
  await library.client.patch(`/resources/${links}`, { data: [library.ada, library.bob] });
  expect((await get(links)).data).toMatchObject([library.ada, library.bob]);
  const related = await get(`articles/${id}/readers`, { filter: { name: 'Bob' }, sort: 'name' });
  expect(related.data).toMatchObject([{ id: library.bob.id, name: 'Bob' }]);
});

test('shows errors', async () => {
  await expect(get(`articles/${NO_ID}`)).rejects.toMatchObject({
    response: { status: 404 },
    errors: [{ code: 'document-not-found', status: '404' }],
  });
});
