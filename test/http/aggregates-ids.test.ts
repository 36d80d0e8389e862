/** Whatever a pipeline makes can be an id, and is found at the address that its document shows. */
import { describe, expect, test } from 'vitest';
import { defined, idsOf, includedOf, outputPath, outputsPath } from '../support/aggregates.ts';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

/** A value of a document, and the id that it becomes. */
const VALUES: readonly (readonly [string, unknown, string])[] = [
  ['a word', 'plain', 'plain'],
  ['a slash', 'a/b/../c', 'a/b/../c'],
  ['spaces', ' a  b ', ' a  b '],
  ['letters of other scripts', 'Łódź 漢字 😀', 'Łódź 漢字 😀'],
  ['a percent sign', '100%', '100%'],
  ['what looks encoded', 'a%2Fb%41', 'a%2Fb%41'],
  ['upper case', 'ABC', 'ABC'],
  ['24 hexadecimal digits in upper case', 'ABCDEFABCDEFABCDEFABCDEF', 'ABCDEFABCDEFABCDEFABCDEF'],
  ['24 hexadecimal digits in lower case', 'abcdefabcdefabcdefabcdef', 'abcdefabcdefabcdefabcdef'],
  ['characters of queries', 'a?b=c&d#e+f', 'a?b=c&d#e+f'],
  ['quotes and brackets', '"a" <b> [c] {d} \\ |^`', '"a" <b> [c] {d} \\ |^`'],
  ['commas and dots', 'a,b.c', 'a,b.c'],
  ['three dots', '...', '...'],
  ['the name of a path', 'relationships', 'relationships'],
  ['the alias of users', 'me', 'me'],
  ['the name of a prototype', '__proto__', '__proto__'],
  ['line ends', 'a\nb\tc', 'a\nb\tc'],
  ['null', null, 'null'],
  ['a boolean', true, 'true'],
  ['an integer', -7, '-7'],
  ['a long', { $numberLong: '9007199254740993' }, '9007199254740993'],
  ['a decimal', { $numberDecimal: '1.50' }, '1.50'],
  ['a fraction', 0.1, '0.1'],
  ['a date', { $date: 0 }, '1970-01-01T00:00:00.000Z'],
  ['an object id', { $oid: 'ABCDEF0123456789abcdef01' }, 'abcdef0123456789abcdef01'],
  ['an array', [1, 'a', null], '[1,"a",null]'],
  ['an object', { a: 1, b: { $date: 0 } }, '{"a":1,"b":"1970-01-01T00:00:00.000Z"}'],
];

const client = await Client.create();
const { id } = await client.make('targets', { name: 'target' });
const target = { data: { type: 'targets', id } };
for (const [kind, value] of VALUES) await client.make('values', { kind, value }, { target });
await client.make('values', { kind: 'nothing' }, { target });
const link = { type: 'agt.by-value', id: '$value' };
await defined(client, 'by-value', 'values', [
  { filter: { value: { $exists: true } } },
  { project: { id: '$value', kind: 1, target: 1, itself: link } },
  { output: { attributes: ['kind'], relationships: ['target', 'itself'] } },
]);
await defined(client, 'to-value', 'values', [
  { filter: { value: { $exists: true } } },
  { project: { id: '$kind', value: link } },
  { output: { attributes: [], relationships: ['value'] } },
]);

describe.each(VALUES)('%s', (kind, value, id) => {
  test('is the id that a list shows, with its address', async () => {
    const list = await client.get(outputsPath('by-value', { 'filter[kind]': JSON.stringify(kind) }));
    expect(idsOf(list)).toEqual([id]);
    const [listed] = list.body.data;
    const one = await client.get(listed?.links.self ?? '');
    expect(one.body.data).toEqual(listed);
    const related = await client.get(listed?.relationships?.['target']?.links.related ?? '');
    expect(related.body.data.map(({ type }) => type)).toEqual(['targets']);
    const link = await client.get(listed?.relationships?.['target']?.links.self ?? '');
    expect(link.body.data.type).toBe('targets');
  });

  test('is found by a link from another aggregate, and by a filter', async () => {
    const path = `${outputPath('to-value', kind)}?include=value`;
    // A link without an id leads nowhere (decisions, section 5), though an output may have the id null.
    expect(includedOf(await client.get(path))).toEqual(value === null ? [] : [`agt.by-value ${id}`]);
    const filtered = await client.get(outputsPath('by-value', { 'filter[id]': JSON.stringify(id) }));
    expect(idsOf(filtered)).toEqual([id]);
  });
});

test.each([
  ['it', { $oid: 'ABCDEF0123456789abcdef01' }, ['an object id']],
  ['it among others', { $in: [{ $oid: 'abcdef0123456789abcdef01' }, 'abc', 1] }, ['an object id']],
  ['its negation', { $not: { $ne: { $oid: 'abcdef0123456789abcdef01' } } }, ['an object id']],
  ['another', { $oid: 'f'.repeat(24) }, []],
])('an object id compared with an id means its digits: %s', async (_, condition, kinds) => {
  const queries = [{ 'filter[id]': condition }, { 'filter[*]': { $or: [{ id: condition }] } }];
  for (const query of queries) {
    const found = await client.get(outputsPath('by-value', query));
    expect(found.body.data.map(({ attributes }) => attributes?.['kind'])).toEqual(kinds);
  }
});

test.each([
  ['id', ['a', 'b', 'c']],
  ['-id', ['c', 'b', 'a']],
  ['type,id', ['a', 'b', 'c']],
])('an order by %s is that of the ids, whatever the pipeline gives', async (sort, expected) => {
  const other = await Client.create();
  for (const name of ['b', 'c', 'a']) await other.make('names', { name });
  await defined(other, 'named', 'names', [{ project: { id: '$name' } }]);
  expect(idsOf(await other.get(outputsPath('named')))).toEqual(['b', 'c', 'a']);
  expect(idsOf(await other.get(outputsPath('named', { sort })))).toEqual(expected);
});

test('upper and lower case are two ids', async () => {
  expect(faultsOf(await client.get(outputPath('by-value', 'abc')))).toEqual(['404 document-not-found']);
});

test('links to aggregates are filtered by their ids, which are strings', async () => {
  const query = { 'filter[value.id]': '"a/b/../c"' };
  expect(idsOf(await client.get(outputsPath('to-value', query)))).toEqual(['a slash']);
});

describe('what no address can hold makes no id', () => {
  test.each([
    ['a-dot', '.'],
    ['two-dots', '..'],
    ['half-a-character', '\ud800'],
    ['a-path-too-long', '漢'.repeat(1000)],
    ['nothing', ''],
  ])('%s', async (name, text) => {
    await client.make(name, { text });
    await defined(client, name, name, [{ project: { id: '$text' } }]);
    expect(faultsOf(await client.get(outputsPath(name)))).toEqual(['422 pipeline-failed']);
  });
});
