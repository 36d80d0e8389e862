/** Libraries that write bare ids into filters, taught as docs/clients.md prints: react-admin's and jsonapi-react. */
import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';
import { ApiClient } from 'jsonapi-react';
import jsonapi, { type Provider } from 'ra-jsonapi-client';
import { afterAll, expect, test, vi } from 'vitest';
import { openLibrary } from './library.ts';

const blocks = Array.from(
  readFileSync('docs/clients.md', 'utf8').matchAll(/^```js\n(.*?)^```$/gms),
  ([, code = '']) => code,
);
interface Taught {
  readonly dataProvider: Provider;
  readonly client: ApiClient;
}

const library = await openLibrary();
const { base, headers } = library;
// It looks there for a token.
vi.stubGlobal('localStorage', { getItem: () => null });
const provider = jsonapi(base, { headers, total: 'count' });
const config = {
  url: base,
  fetch: (url: string, init: RequestInit) =>
    fetch(url, { ...init, headers: { ...(init.headers as Record<string, string>), ...headers } }),
};
const untaught = new ApiClient(config);
const code = `${blocks.join('\n')}; return { dataProvider, client };`;
const run: unknown = compileFunction(code, ['provider', 'ApiClient', 'config']);
const taught = (run as (...given: readonly unknown[]) => Taught)(provider, ApiClient, config);
afterAll(() => vi.unstubAllGlobals());

const page = { pagination: { page: 1, perPage: 10 }, sort: { field: 'title', order: 'ASC' } };

test('react-admin finds many by their ids, those that link to one, and a list by an id', async () => {
  const { ada, bob } = library;
  const { dataProvider } = taught;
  const many = await dataProvider('GET_MANY', 'people', { ids: [ada.id, bob.id] });
  expect(many.data.map(({ id }) => id)).toEqual([ada.id, bob.id]);
  const reference = { target: 'author.id', id: ada.id, ...page };
  expect(await dataProvider('GET_MANY_REFERENCE', 'articles', reference)).toMatchObject({ total: 3 });
  const list = await dataProvider('GET_LIST', 'articles', {
    filter: { 'author.id': ada.id, words: 200 },
    ...page,
  });
  expect(list).toMatchObject({ data: [{ title: 'Emma' }], total: 1 });
  expect(await dataProvider('GET_ONE', 'people', { id: ada.id })).toMatchObject({ data: { name: 'Ada' } });
  // Untaught it finds none.
  expect((await provider('GET_MANY_REFERENCE', 'articles', reference)).data).toEqual([]);
});

test('jsonapi-react finds documents by ids, and by those of linked ones', async () => {
  const { ada, bob } = library;
  const found = async (client: ApiClient, type: string, filter: object) => {
    const { data = [] } = await client.fetch([type, { filter }]);
    return [data].flat().map((each) => String(each['id']));
  };
  expect(await found(taught.client, 'people', { id: bob.id })).toEqual([bob.id]);
  expect(await found(taught.client, 'people', { id: [ada.id, bob.id] })).toEqual([ada.id, bob.id]);
  expect(await found(taught.client, 'articles', { 'author.id': ada.id, words: 200 })).toHaveLength(1);
  expect(await found(untaught, 'people', { id: bob.id })).toEqual([]);
});
