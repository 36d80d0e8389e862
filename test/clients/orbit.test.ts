/**
 * @orbit/jsonapi, unmodified. Settings: no plurals, the headers, and a key (`remoteId`) for the ids of the service,
 * because the ids of Orbit's records are its own.
 */
import type { FullResponse } from '@orbit/data';
import { JSONAPISource, type JSONAPIResponse } from '@orbit/jsonapi';
import { RecordKeyMap, RecordSchema, type InitializedRecord, type RecordOperation } from '@orbit/records';
import { buildSerializerSettingsFor } from '@orbit/serializers';
import { expect, test } from 'vitest';
import { NO_ID } from '../support/client.ts';
import { openLibrary, type Library } from './library.ts';

const KEY = 'remoteId';

function schemaOf(): RecordSchema {
  const keys = { [KEY]: {} };
  return new RecordSchema({
    models: {
      people: { keys, attributes: { name: { type: 'string' } } },
      articles: {
        keys,
        attributes: { title: { type: 'string' }, words: { type: 'number' } },
        relationships: {
          author: { kind: 'hasOne', type: 'people' },
          readers: { kind: 'hasMany', type: 'people' },
        },
      },
    },
  });
}

function open({ client, headers }: Library, keyMap: RecordKeyMap) {
  const asItIs = (word: string) => word;
  return new JSONAPISource({
    schema: schemaOf(),
    keyMap,
    host: client.url,
    namespace: 'resources',
    defaultFetchSettings: { headers },
    serializerSettingsFor: buildSerializerSettingsFor({
      sharedSettings: { inflectors: { pluralize: asItIs, singularize: asItIs } },
    }),
  });
}

const library = await openLibrary();
const keyMap = new RecordKeyMap();
const source = open(library, keyMap);
await source.activated;

async function addPerson(name: string) {
  return source.update<InitializedRecord>((t) => t.addRecord({ type: 'people', attributes: { name } }));
}

async function addArticle(title: string, readers: readonly InitializedRecord[] = []) {
  const data = readers.map(({ type, id }) => ({ type, id }));
  return source.update<InitializedRecord>((t) =>
    t.addRecord({ type: 'articles', attributes: { title, words: 1 }, relationships: { readers: { data } } }),
  );
}

const idOf = ({ keys }: InitializedRecord) => keys?.[KEY] ?? '';

test('lists with filter, sort, page and include', async () => {
  const found = await source.query<InitializedRecord[]>(
    (q) =>
      q
        .findRecords('articles')
        .filter({ attribute: 'title', value: 'Dracula' })
        .filter({ attribute: 'words', value: 300 })
        .sort({ attribute: 'words', order: 'descending' })
        .page({ offset: 0, limit: 2 }),
    { include: ['author'] },
  );
  expect(found.map(({ attributes }) => attributes)).toEqual([{ title: 'Dracula', words: 300 }]);
  const author = keyMap.keyToId('people', KEY, library.ada.id);
  expect(found[0]?.relationships?.['author']?.data).toEqual({ type: 'people', id: author });
});

test('shows the count of a list with its full response', async () => {
  const options = { fullResponse: true } as const;
  const response: FullResponse<InitializedRecord[], JSONAPIResponse[], RecordOperation> = await source.query(
    (q) => q.findRecords('people').page({ offset: 0, limit: 1 }),
    options,
  );
  const [details] = [response.details].flat();
  expect([response.data?.length, details?.document?.meta]).toEqual([
    1,
    { count: expect.any(Number) as number },
  ]);
});

test('creates, reads, changes and deletes', async () => {
  const { type, id, keys } = await addArticle('T');
  const article = { type, id };
  expect(keys?.[KEY]).toMatch(/^[0-9a-f]{24}$/);
  await source.update((t) => t.replaceAttribute(article, 'title', 'U'));
  const read = await source.query<InitializedRecord>((q) => q.findRecord(article));
  expect(read.attributes).toEqual({ title: 'U', words: 1 });
  await source.update((t) => t.removeRecord(article));
  const gone = await library.client.get(`/resources/articles/${keys?.[KEY] ?? ''}`);
  expect(gone.body.data).toBeNull();
});

test('reads and changes relationships', async () => {
  const [one, two] = [await addPerson('One'), await addPerson('Two')];
  const article = await addArticle('R', [one]);
  const links = async () => {
    const address = `/resources/articles/${idOf(article)}/relationships/readers`;
    return (await library.client.get(address)).body.data.map(({ id }) => id);
  };
  await source.update((t) => t.addToRelatedRecords(article, 'readers', two));
  expect(await links()).toEqual([idOf(one), idOf(two)]);
  const related = await source.query<InitializedRecord[]>((q) =>
    q
      .findRelatedRecords(article, 'readers')
      .filter({ attribute: 'name', value: 'Two' })
      .sort('name')
      .page({ offset: 0, limit: 1 }),
  );
  expect(related.map(({ attributes }) => attributes)).toEqual([{ name: 'Two' }]);
  await source.update((t) => t.removeFromRelatedRecords(article, 'readers', one));
  expect(await links()).toEqual([idOf(two)]);
  await source.update((t) => t.replaceRelatedRecords(article, 'readers', [one]));
  expect(await links()).toEqual([idOf(one)]);
  await source.update((t) => t.replaceRelatedRecord(article, 'author', two));
  await source.update((t) => t.replaceRelatedRecord(article, 'author', null));
});

test('shows errors', async () => {
  const own = open(library, new RecordKeyMap());
  await own.activated;
  const nobody = own.query((q) => q.findRecords('articles').sort('$distance'));
  await expect(nobody).rejects.toMatchObject({
    response: { status: 400 },
    data: { errors: [{ code: 'invalid-parameter', source: { parameter: 'sort' } }] },
  });
});

test('takes a document that is not there for undefined', async () => {
  const own = open(library, keyMap);
  await own.activated;
  keyMap.pushRecord({ type: 'articles', id: 'nobody', keys: { [KEY]: NO_ID } });
  expect(await own.query((q) => q.findRecord({ type: 'articles', id: 'nobody' }))).toBeUndefined();
});

test('sends its own ids without that key, and is told what to do instead', async () => {
  const { client, headers } = library;
  const own = new JSONAPISource({
    schema: new RecordSchema({ models: { people: { attributes: { name: { type: 'string' } } } } }),
    host: client.url,
    namespace: 'resources',
    defaultFetchSettings: { headers },
    serializerSettingsFor: buildSerializerSettingsFor({
      sharedSettings: {
        inflectors: { pluralize: (word: string) => word, singularize: (word: string) => word },
      },
    }),
  });
  await own.activated;
  const added = own.update((t) => t.addRecord({ type: 'people', attributes: { name: 'x' } }));
  await expect(added).rejects.toMatchObject({ data: { errors: [{ code: 'client-id' }] } });
});
