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
      '{"name":"Ada","age":36,"zip":"01099","address":{"city":"Łódź","street":"A, B"},"member":true,"big":{"$numberLong":"12345678901234567"}}',
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
