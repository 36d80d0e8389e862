/**
 * Values in and out: wrappers, exact numbers, GeoJSON as plain data (spec, Value types; decisions, 2). At length:
 * property/values, unit/decimals, unit/dates.
 */
import { describe, expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { faultsOf } from '../support/faults.ts';

const client = await Client.create();

/** Sends an attribute as JSON text, and gives its text in the created and in the read document. */
async function roundTrip(json: string): Promise<readonly (string | undefined)[]> {
  const made = await client.post('/resources/v', `{"data":{"type":"v","attributes":{"a":${json}}}}`);
  if (made.status !== 201) throw new Error(made.text);
  const read = await client.get(`/resources/v/${made.body.data.id}`);
  const list = await client.get(`/resources/v?page[limit]=1000`);
  const attribute = /"attributes":\{"a":(.*?)\},"links":\{"self":"[^"]*"\}/s;
  const listed = list.text.slice(list.text.indexOf(`"id":"${made.body.data.id}"`));
  return [made.text, read.text, listed].map((text) => attribute.exec(text)?.[1]);
}

/** In every answer that shows the document, the attribute has this text. */
async function shows(json: string, shown: string): Promise<void> {
  expect(await roundTrip(json)).toEqual([shown, shown, shown]);
}

async function refused(json: string): Promise<readonly string[]> {
  return faultsOf(await client.post('/resources/v', `{"data":{"type":"v","attributes":{"a":${json}}}}`));
}

/** What is sent, and what is shown. */
const VALUES: readonly (readonly [sent: string, shown: string])[] = [
  ['null', 'null'],
  ['"2024-05-06T07:08:09Z"', '"2024-05-06T07:08:09Z"'],
  ['[[],{},[null]]', '[[],{},[null]]'],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
  ['{"b":1,"10":2,"9":3}', '{"9":3,"10":2,"b":1}'],
  ['9223372036854775807', '9223372036854775807'],
  ['{"$numberLong":"9007199254740993"}', '9007199254740993'],
  ['1.0', '1.0'],
  ['1e3', '1000.0'],
  ['5e-324', '5e-324'],
  ['{"$numberDecimal":"100.00"}', '100.00'],
  [
    '{"b":{"$numberDecimal":"0.1234567890123456789012345678901234"}}',
    '{"b":0.1234567890123456789012345678901234}',
  ],
  ['{"$date":"2024-05-06T07:08:09+02:00"}', '"2024-05-06T05:08:09.000Z"'],
  ['[{"$date":{"$numberLong":"-1"}}]', '["1969-12-31T23:59:59.999Z"]'],
  ['{"$oid":"0123456789ABCDEF01234567"}', '"0123456789abcdef01234567"'],
  ['{"type":"Point","coordinates":[1.0,-0.5]}', '{"type":"Point","coordinates":[1.0,-0.5]}'],
  ['{"type":"Point","coordinates":["east",null]}', '{"type":"Point","coordinates":["east",null]}'],
];

test('values of each kind are shown exactly, at any depth: plain, in wrappers, GeoJSON, malformed or not', async () => {
  const [sent, shown] = [0, 1].map((at) => `[${VALUES.map((each) => each[at]).join(',')}]`);
  await shows(sent ?? '', shown ?? '');
});

test('a PATCH takes them too, and keeps the values it does not name', async () => {
  const data = { type: 'v', attributes: { long: { $numberLong: '9007199254740993' }, a: 1 } };
  const made = await client.post('/resources/v', { data });
  const { id } = made.body.data;
  const patched = await client.update(`/resources/v/${id}`, {
    attributes: { a: { $numberDecimal: '2.50' } },
  });
  expect(patched.text).toContain('"attributes":{"long":9007199254740993,"a":2.50}');
});

describe('what is no value, and an unknown or malformed wrapper, is 422 with a pointer', () => {
  test.each([
    ['9223372036854775808', ['422 invalid-value /data/attributes/a']],
    ['{"$numberLong":"-9223372036854775809"}', ['422 invalid-value /data/attributes/a']],
    ['{"$date":"2023-02-29"}', ['422 invalid-value /data/attributes/a']],
    ['{"$date":null}', ['422 invalid-value /data/attributes/a']],
    ['{"$numberLong":5}', ['422 invalid-value /data/attributes/a']],
    ['{"$numberLong":"1.5"}', ['422 invalid-value /data/attributes/a']],
    ['{"$numberDecimal":1.5}', ['422 invalid-value /data/attributes/a']],
    ['{"$oid":"0123456789abcdef0123456g"}', ['422 invalid-value /data/attributes/a']],
    ['{"$unknown":1}', ['422 invalid-value /data/attributes/a']],
    ['{"$date":0,"b":1}', ['422 invalid-value /data/attributes/a']],
    ['{"$date":0,"$oid":"0123456789abcdef01234567"}', ['422 invalid-value /data/attributes/a']],
    ['{"$":1}', ['422 invalid-value /data/attributes/a']],
    ['[1,{"b":{"$date":"x"}}]', ['422 invalid-value /data/attributes/a/1/b']],
    [
      '{"b":{"$x":1},"c":[{"$oid":1}],"d":1e999}',
      [
        '422 invalid-value /data/attributes/a/b',
        '422 invalid-value /data/attributes/a/c/0',
        '422 invalid-value /data/attributes/a/d',
      ],
    ],
    ['{"a/b":{"~c":{"$x":1}}}', ['422 invalid-value /data/attributes/a/a~1b/~0c']],
  ])('%s', async (json, faults) => {
    expect(await refused(json)).toEqual(faults);
  });
});
