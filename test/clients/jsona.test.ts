/** jsona and jsonapi-serializer, unmodified: they read and write documents, and fetch carries them. */
import { Jsona, ModelPropertiesMapper } from 'jsona';
import serializers from 'jsonapi-serializer';
import { describe, expect, test } from 'vitest';
import { openLibrary } from './library.ts';

const library = await openLibrary();

const LIST = '/resources/articles?filter[title]=Dracula&include=author&fields[people]=name';

/** jsona keeps links among the attributes of what it reads, and would send them back as such. */
class WithoutLinks extends ModelPropertiesMapper {
  override getAttributes(model: Parameters<ModelPropertiesMapper['getAttributes']>[0]) {
    const attributes = Object.entries(super.getAttributes(model));
    return Object.fromEntries(attributes.filter(([name]) => name !== 'links'));
  }
}

describe('jsona', () => {
  const jsona = new Jsona({ modelPropertiesMapper: new WithoutLinks() });

  test('reads a list with what it includes', async () => {
    const { text } = await library.client.get(LIST);
    expect(jsona.deserialize(text)).toMatchObject([
      { type: 'articles', title: 'Dracula', words: 300, author: { type: 'people', name: 'Ada' } },
    ]);
  });

  test('writes a new document, a change, and what has come back', async () => {
    const { client, bob } = library;
    const model = { type: 'articles', title: 'J', author: bob, relationshipNames: ['author'] };
    const made = await client.post('/resources/articles', jsona.serialize({ stuff: model }));
    expect(made.status, made.text).toBe(201);
    const read = await client.get(`/resources/articles/${made.body.data.id}?include=author`);
    const shown = jsona.deserialize(read.text) as Record<string, unknown>;
    expect(shown).toMatchObject({ title: 'J', author: { name: 'Bob' } });
    const body = jsona.serialize({ stuff: { ...shown, title: 'K' }, includeNames: [] });
    const changed = await client.patch(`/resources/articles/${made.body.data.id}`, body);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body.data.attributes).toEqual({ title: 'K' });
  });
});

describe('jsonapi-serializer', () => {
  const { Serializer, Deserializer } = serializers;

  test('reads a list with what it includes', async () => {
    const { text } = await library.client.get(LIST);
    const read = await new Deserializer({ keyForAttribute: 'camelCase' }).deserialize(JSON.parse(text));
    expect(read).toMatchObject([{ title: 'Dracula', words: 300, author: { name: 'Ada' } }]);
  });

  test('writes a new document, and a change', async () => {
    const { client, ada } = library;
    const options = {
      attributes: ['title', 'author'],
      author: { ref: 'id', included: false },
      pluralizeType: false,
      typeForAttribute: (name: string) => (name === 'author' ? 'people' : name),
    };
    const articles = new Serializer('articles', options);
    const made = await client.post(
      '/resources/articles',
      articles.serialize({ title: 'S', author: { id: ada.id } }),
    );
    expect(made.status, made.text).toBe(201);
    const { id } = made.body.data;
    const changed = await client.patch(`/resources/articles/${id}`, articles.serialize({ id, title: 'T' }));
    expect(changed.body.data).toMatchObject({
      attributes: { title: 'T' },
      relationships: { author: { data: ada } },
    });
  });
});
