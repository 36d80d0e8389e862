/** Files of other services that come in as documents of a type: mongoexport, JSON arrays, CSV. */
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ImportOptions } from '../../../scripts/transfer/import.ts';
import { Client } from '../../support/client.ts';
import { exported } from '../../support/transfer.ts';
import { fileOf, importOf } from '../../support/transfer-files.ts';

describe('documents of other services', () => {
  const oid = '5f5e100f0f0f0f0f0f0f0f0f';
  const canonical = {
    _id: { $oid: oid },
    int: { $numberInt: '5' },
    long: { $numberLong: '5' },
    double: { $numberDouble: '2.0' },
    decimal: { $numberDecimal: '1.10' },
    date: { $date: { $numberLong: '1600000000001' } },
    deep: [{ when: { $date: { $numberLong: '-1' } } }],
  };
  const relaxed = `{"_id":{"$oid":"${oid}"},"int":5,"long":{"$numberLong":"5"},"double":2.0,
    "decimal":{"$numberDecimal":"1.10"},"date":{"$date":"2020-09-13T12:26:40.001Z"},
    "deep":[{"when":{"$date":{"$numberLong":"-1"}}}]}`;
  const csv =
    'name,age,zip,address.city,address.street,member,big\nAda,36,01099,Łódź,"A, B",true,12345678901234567\n,,,,,,\n';

  let client: Client;
  beforeAll(async () => {
    client = await Client.create();
  });
  const shown = async (type: string) => {
    const lines = (await exported(client.application, type)).split('\n').slice(0, -1);
    return lines.map((each) => {
      const { id } = JSON.parse(each) as { id: string };
      return { id, attributes: /"attributes":(.*),"meta"/.exec(each)?.[1] };
    });
  };
  const taken = async (
    content: string | Uint8Array,
    name: string,
    type: string,
    more: Partial<ImportOptions> = {},
  ) => importOf(fileOf(content, name), { into: client.application, type, ...more });

  test.each([
    ['canonical', 'lines', `${JSON.stringify(canonical)}\n`],
    ['relaxed', 'lines', `${relaxed.replaceAll('\n', ' ')}\n`],
    ['canonical', 'array', `[${JSON.stringify(canonical)}]\n`],
    ['relaxed', 'array', `\ufeff [\n${relaxed}\n]`],
  ])('of mongoexport, %s, as %s, keep ids and kinds', async (form, way, text) => {
    const type = `${form}-${way}`;
    expect(await taken(text, 'x.json', type)).toMatchObject({ stored: 1, whole: true, told: [] });
    const [{ id, attributes } = { id: '', attributes: undefined }] = await shown(type);
    expect(id).toBe(oid);
    expect(JSON.parse(attributes ?? '')).toEqual({
      int: 5,
      long: { $numberLong: '5' },
      double: 2,
      decimal: { $numberDecimal: '1.10' },
      date: { $date: '2020-09-13T12:26:40.001Z' },
      deep: [{ when: { $date: '1969-12-31T23:59:59.999Z' } }],
    });
    expect(attributes).toContain('"double":2.0,');
  });

  test('in CSV have numbers, texts and objects', async () => {
    expect(await taken(csv, 'x.csv', 'csv')).toMatchObject({ stored: 2, told: [] });
    expect((await shown('csv')).map(({ attributes }) => attributes)).toEqual([
      '{"name":"Ada","age":36,"zip":"01099","address":{"city":"Łódź","street":"A, B"},' +
        '"member":true,"big":{"$numberLong":"12345678901234567"}}',
      undefined,
    ]);
    const zipped = await taken(gzipSync(csv), 'y.csv.gz', 'zipped');
    expect(zipped).toMatchObject({ stored: 2, told: [] });
  });

  test('that have no ids of their own get the same ones again', async () => {
    const file = fileOf('[{"n":1},{"n":2,"_id":7}]', 'x.json');
    const options = { into: client.application, type: 'again' };
    expect(await importOf(file, options)).toMatchObject({ stored: 2, unchanged: 0 });
    expect(await importOf(file, options)).toMatchObject({ stored: 0, unchanged: 2 });
    expect((await shown('again')).map(({ attributes }) => attributes)).toEqual([
      '{"n":1}',
      '{"n":2,"_id":7}',
    ]);
  });

  test('may need other names', async () => {
    const text = '{"id":"x","type":"y","n":1}\n';
    expect((await taken(text, 'x.json', 'named')).told).toHaveLength(2);
    const names = new Map([
      ['id', 'number'],
      ['type', 'kind'],
    ]);
    expect(await taken(text, 'x.json', 'named', { names })).toMatchObject({ stored: 1, told: [] });
    expect((await taken(text, 'x.json', 'named', { names: new Map([['id', 'n']]) })).told).toEqual([
      '1: Two fields would have the same name.',
    ]);
  });

  test.each([
    [
      '{"a":{"$binary":{"base64":"","subType":"00"}}}',
      '1: The value is not valid: There is no wrapper $binary',
    ],
    ['{"a":{"$numberDouble":"NaN"}}', '1: The value is not valid: There is no wrapper $numberDouble'],
    ['{"a":1e999}', '1: The value is not valid: The number 1e999 fits no kind of number.'],
    ['{"a":', '1: '],
    ['5', '1: This is no object.'],
  ])('are refused with a reason: %s', async (text, reason) => {
    const { told, stored } = await taken(text, 'x.json', 'refused');
    expect([stored, told.length]).toEqual([0, 1]);
    expect(told[0]).toContain(reason);
  });

  test.each([
    ['[{"a":1},5]', 'The file must be an array of objects.'],
    ['[{"a":1}', 'has no end'],
  ])('are no array of objects: %s', async (text, reason) => {
    await expect(taken(text, 'x.json', 'array')).rejects.toThrow(reason);
  });
});

describe('references', () => {
  let client: Client;
  beforeAll(async () => {
    client = await Client.create();
  });
  const take = (content: string, type: string, more: Partial<ImportOptions> = {}, name = 'x.json') =>
    importOf(fileOf(content, name), { into: client.application, type, ...more });
  const link = (id: string, type = 'authors') => ({ type, id });
  const linked = async (type: string, filter = '') => {
    const { body } = await client.get(`/resources/${type}?sort=n${filter}`);
    return body.data.map(({ relationships }) => relationships?.['author']?.data);
  };

  test('of object ids become links, also several, and none', async () => {
    const [one, two] = ['5f5e100f0f0f0f0f0f0f0f01', '5f5e100f0f0f0f0f0f0f0f02'];
    expect(await take(`[{"_id":{"$oid":"${one}"}},{"_id":"${two}"}]`, 'authors')).toMatchObject({
      stored: 2,
    });
    const books = [
      { n: 1, by: { $oid: one } },
      { n: 2, by: two.toUpperCase() },
      { n: 3, by: [{ $oid: one }, { $ref: 'authors', $id: { $oid: two } }] },
      { n: 4, by: null },
      { n: 5 },
    ];
    const options = { links: new Map([['by', 'authors']]), names: new Map([['by', 'author']]) };
    expect(await take(JSON.stringify(books), 'books', options)).toMatchObject({ stored: 5, told: [] });
    expect(await linked('books')).toEqual([link(one), link(two), [link(one), link(two)], null, undefined]);
  });

  test('by ids of another service are mapped, the same ones each time', async () => {
    const authors = 'key,name\nausten,Jane\n7,Bram\n';
    const options = { id: 'key' };
    expect(await take(authors, 'writers', options, 'x.csv')).toMatchObject({ stored: 2, told: [] });
    expect(await take(authors, 'writers', options, 'y.csv')).toMatchObject({ stored: 0, unchanged: 2 });
    const novels = 'n,author\n1,austen\n2,7\n';
    const links = new Map([['author', 'writers']]);
    expect(await take(novels, 'novels', { links }, 'n.csv')).toMatchObject({ stored: 2, told: [] });
    const found = await client.get('/resources/novels?filter[author.name]=Jane');
    expect(found.body.data.map(({ attributes }) => attributes)).toEqual([{ n: 1 }]);
  });

  test.each(['{"by":true}', '{"by":{"a":1}}', '{"by":["x",null]}', '{"by":""}'])(
    'are none: %s',
    async (text) => {
      const { told } = await take(text, 'none', { links: new Map([['by', 'authors']]) });
      expect(told).toEqual(['1: The field by holds no reference.']);
    },
  );

  test('to what is not there are refused, an id that is none too', async () => {
    const links = new Map([['by', 'authors']]);
    expect((await take('{"by":"nobody"}', 'none', { links })).told[0]).toContain('/relationships/by');
    expect((await take('{"a":1}', 'none', { id: 'key' })).told).toEqual(['1: The field key holds no id.']);
  });

  test.each(['', '\ufeff \n'])('of an export of Parse, with its dates and points', async (before) => {
    const type = `parse${before.length}`;
    const authors = { results: [{ objectId: 'xWMyZ4YEGZ', name: 'Jane' }] };
    const books = {
      results: [
        {
          objectId: 'Ed1nuqPvcm',
          n: 1,
          at: { __type: 'Date', iso: '2020-01-02T03:04:05.678Z' },
          place: { __type: 'GeoPoint', latitude: 40, longitude: -30 },
          author: { __type: 'Pointer', className: 'Author', objectId: 'xWMyZ4YEGZ' },
        },
        { objectId: 'Ed1nuqPvcn', n: 2 },
      ],
    };
    const id = 'objectId';
    expect(await take(before + JSON.stringify(authors), `${type}-authors`, { id })).toMatchObject({
      stored: 1,
    });
    const links = new Map([['author', `${type}-authors`]]);
    const text = before + JSON.stringify(books, null, 2);
    expect(await take(text, type, { id, links })).toMatchObject({ stored: 2, told: [] });
    const { body } = await client.get(`/resources/${type}?sort=n&filter[author.name]=Jane`);
    expect(body.data.map(({ attributes }) => attributes)).toEqual([
      {
        objectId: 'Ed1nuqPvcm',
        n: 1,
        at: '2020-01-02T03:04:05.678Z',
        place: { type: 'Point', coordinates: [-30, 40] },
      },
    ]);
  });

  test('a document that only begins like that export is refused', async () => {
    await expect(take('{"results":[{"n":1}],"more":2}\n', 'wrapped')).rejects.toThrow('array of objects');
  });
});
