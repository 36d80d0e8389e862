/** `parameters[name]=<JSON>`: what a request gives in the place of a definition's defaults. */
import { describe, expect, test } from 'vitest';
import { defined, outputPath, outputsPath, valuesOf } from '../support/aggregates.ts';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

let ids: readonly string[];
const client = await Client.create();
ids = [];
for (const [n, day, price] of [
  [1, '2026-01-01', '0.1'],
  [2, '2026-02-01', '0.2'],
  [3, '2026-03-01', '0.3'],
]) {
  const attributes = { n, at: { $date: day }, price: { $numberDecimal: price } };
  const link = { data: ids.length === 0 ? null : { type: 'sales', id: ids[0] } };
  ids = [...ids, (await client.make('sales', attributes, { first: link })).id];
}
const pipeline = [
  { filter: { at: { $gte: '$$parameters.since' }, price: { $in: '$$parameters.prices' } } },
  { sort: 'n' },
  { limit: '$$parameters.most' },
  { project: { n: { $multiply: ['$n', '$$parameters.factor.by'] }, word: '$$parameters.word', first: 1 } },
  { output: { attributes: ['n', 'word'], relationships: ['first'] } },
];
await defined(client, 'sale', 'sales', pipeline, {
  since: { $date: '2026-01-15' },
  prices: [{ $numberDecimal: '0.1' }, { $numberDecimal: '0.2' }, { $numberDecimal: '0.3' }],
  most: 10,
  factor: { by: 1 },
  word: null,
});

describe('a parameter', () => {
  test.each([
    ['has its default when the request gives none', {}, [2, 3]],
    ['takes a date in its wrapper', { since: { $date: '2026-01-01' } }, [1, 2, 3]],
    ['takes decimals in a list', { prices: [{ $numberDecimal: '0.30' }] }, [3]],
    ['takes a long', { most: { $numberLong: '1' } }, [2]],
    ['takes an object', { factor: { by: 10 } }, [20, 30]],
    ['that is a date is no string', { since: '2026-01-01' }, []],
    ['goes with others', { since: { $date: 0 }, most: 2, factor: { by: -1 } }, [-1, -2]],
  ])('%s', async (_, given, expected) => {
    const query = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [`parameters[${name}]`, JSON.stringify(value)]),
    );
    const reply = await client.get(outputsPath('sale', query));
    expect(valuesOf(reply, 'n'), reply.text).toEqual(expected);
  });

  test.each(['"$n"', '"$$NOW"', '"$$parameters.most"', '"{$add: [1, 2]}"'])(
    'is a value, never a part of the pipeline: %s',
    async (text) => {
      const reply = await client.get(outputsPath('sale', { 'parameters[word]': text }));
      expect(valuesOf(reply, 'word')).toEqual([JSON.parse(text), JSON.parse(text)]);
    },
  );

  test('counts for single reads, relationships and related documents', async () => {
    const path = outputPath('sale', ids[1] ?? '');
    const one = await client.get(`${path}?parameters[factor]={"by":5}`);
    expect(one.body.data.attributes?.['n']).toBe(10);
    const past = `parameters[since]=${encodeURIComponent('{"$date":"2027-01-01"}')}`;
    for (const rest of ['', '/relationships/first', '/first']) {
      expect((await client.get(path + rest)).status).toBe(200);
      expect(faultsOf(await client.get(`${path}${rest}?${past}`))).toEqual(['404 document-not-found']);
    }
  });

  test('stays in the links of a page', async () => {
    const query = { 'parameters[since]': { $date: 0 }, 'page[limit]': '2' };
    const first = await client.get(outputsPath('sale', query));
    expect(valuesOf(await client.get(first.body.links.next ?? ''), 'n')).toEqual([3]);
  });
});

describe('a parameter is refused', () => {
  test.each([
    ['that the definition has not', 'parameters[least]=1', 'parameters[least]'],
    ['that is no JSON', 'parameters[most]=ten', 'parameters[most]'],
    ['that is empty', 'parameters[most]=', 'parameters[most]'],
    ['that holds a malformed wrapper', 'parameters[since]={"$date":"never"}', 'parameters[since]'],
    ['that holds an operator', 'parameters[since]={"$gt":1}', 'parameters[since]'],
    ['that does not fit its stage', 'parameters[most]=-1', 'parameters[most]'],
    ['that does not fit its filter', 'parameters[prices]=1', 'parameters[prices]'],
    ['that is given twice', 'parameters[most]=1&parameters[most]=2', 'parameters[most]'],
    ['that has a name twice', 'parameters[since]={"a":1,"a":2}', 'parameters[since]'],
    ['of the name of a prototype', 'parameters[constructor]=1', 'parameters[constructor]'],
    ['that is too deep', `parameters[word]=${'['.repeat(99)}${']'.repeat(99)}`, 'parameters[word]'],
  ])('%s', async (_, query, parameter) => {
    for (const path of ['/aggregates/agt.sale', `/aggregates/agt.sale/${ids[1]}`]) {
      expect(faultsOf(await client.get(`${path}?${query}`))).toEqual([`400 invalid-parameter ?${parameter}`]);
    }
  });

  test('a parameter says what is wrong with it', async () => {
    const detailOf = async (text: string) =>
      (await client.get(outputsPath('sale', { 'parameters[since]': text }))).body.errors[0]?.detail;
    expect(await detailOf('{"a":1,"a":2}')).toBe('The name is given twice in one object.');
    expect(await detailOf('{"$date":"never"}')).toContain('$date');
    expect(await detailOf('ten')).toBe('The parameter is no JSON value.');
  });

  test.each(['parameters', 'parameters[]', 'parameter[most]'])('without a name: %s', async (name) => {
    const reply = await client.get(`/aggregates/agt.sale?${name}=1`);
    expect(faultsOf(reply)).toEqual([`400 unknown-parameter ?${name}`]);
  });

  test('where there is no aggregate', async () => {
    const reply = await client.get('/resources/sales?parameters[most]=1');
    expect(faultsOf(reply)).toEqual(['400 unknown-parameter ?parameters[most]']);
  });
});

test('requests that differ in a parameter have different tags', async () => {
  const path = outputPath('sale', ids[1] ?? '');
  const [plain, doubled] = [await client.get(path), await client.get(`${path}?parameters[factor]={"by":2}`)];
  expect(doubled.etag).not.toBe(plain.etag);
  const other = { 'if-none-match': doubled.etag };
  expect((await client.get(path, other)).status).toBe(200);
  expect((await client.get(`${path}?parameters[factor]={"by":2}`, other)).status).toBe(304);
});
