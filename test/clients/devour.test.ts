/** devour-client, unmodified. Settings: no plurals, the headers, and a model of each type. */
import JsonApi from 'devour-client';
import { expect, test } from 'vitest';
import { NO_ID } from '../support/client.ts';
import { openLibrary } from './library.ts';

const library = await openLibrary();
const api = new JsonApi({ apiUrl: library.base, pluralize: false, logger: false });
api.headers = library.headers;
api.define('people', { name: '' });
api.define('articles', {
  title: '',
  words: '',
  author: { jsonApi: 'hasOne', type: 'people' },
  readers: { jsonApi: 'hasMany', type: 'people' },
});

test('lists with filter, sort, page, include and fields', async () => {
  const { data, meta } = await api.findAll('articles', {
    filter: { title: 'Dracula', words: 300 },
    sort: '-words',
    page: { number: 1, size: 2 },
    include: 'author',
    fields: { articles: 'title,author' },
  });
  expect([data.length, meta]).toEqual([1, { count: 1 }]);
  expect(data[0]).toMatchObject({ title: 'Dracula', author: { name: 'Ada' } });
  expect(data[0]).not.toHaveProperty('words');
});

test('creates, reads, changes and deletes', async () => {
  const { bob } = library;
  const made = await api.create('articles', {
    title: 'T',
    words: 1,
    author: { id: bob.id },
    readers: [{ id: bob.id }],
  });
  const id = String(made.data['id']);
  expect((await api.find('articles', id, { include: 'author' })).data).toMatchObject({
    author: { name: 'Bob' },
  });
  expect((await api.update('articles', { id, title: 'U' })).data).toMatchObject({ title: 'U', words: 1 });
  await api.destroy('articles', id);
  expect((await api.find('articles', id)).data).toBeNull();
});

test('reads and changes relationships', async () => {
  const { ada, bob } = library;
  const made = await api.create('articles', { title: 'R', readers: [{ id: ada.id }] });
  const article = () => api.one('articles', String(made.data['id']));
  await article().relationships('readers').post([bob]);
  expect((await article().relationships('readers').get()).data).toMatchObject([ada, bob]);
  const related = await article()
    .all('readers')
    .get({ filter: { name: 'Bob' }, sort: 'name' });
  expect(related.data).toMatchObject([{ name: 'Bob' }]);
  await article().relationships('readers').patch([bob]);
  expect((await article().relationships('readers').get()).data).toMatchObject([bob]);
});

test('shows errors, by the last name of what they point to', async () => {
  await expect(api.find('articles', NO_ID)).rejects.toMatchObject({
    0: { title: 'The document does not exist' },
  });
  const nobody = api.create('articles', { title: 'x', author: { id: NO_ID } });
  await expect(nobody).rejects.toMatchObject({ data: { title: 'The linked document does not exist' } });
});
