/** Values in and out: wrappers, exact numbers, GeoJSON as plain data (spec, Value types; decisions, section 2). */
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

describe('plain JSON comes back as it was sent', () => {
  test.each([
    'null',
    'true',
    'false',
    '""',
    '"text"',
    '[]',
    '{}',
    '[[],{},[null]]',
    '{"b":{"c":[{"d":1}]}}',
    '"2024-05-06T07:08:09Z"',
    '"\\u0000"',
    '"\\ud800 lone"',
    '"😀 Ünïcödé \\u2028 \\" \\\\ /"',
    '{"__proto__":{"x":1}}',
    '{"2":1,"1":2}',
  ])('%s', async (json) => {
    const shown = (await roundTrip(json)).map((text) => JSON.parse(text ?? '') as unknown);
    const sent = JSON.parse(json) as unknown;
    expect(shown).toEqual([sent, sent, sent]);
  });
});

describe('integers are exact', () => {
  test.each([
    '0',
    '1',
    '-1',
    '2147483647',
    '-2147483648',
    '2147483648',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1234567890123456789',
    '9223372036854775807',
    '-9223372036854775808',
  ])('%s', async (integer) => {
    await shows(integer, integer);
    await shows(`{"$numberLong":"${integer}"}`, integer);
    await shows(`[{"b":${integer}}]`, `[{"b":${integer}}]`);
  });

  test.each(['9223372036854775808', '-9223372036854775809', '1'.repeat(400)])(
    '%s is beyond 64 bits: 422',
    async (integer) => {
      expect(await refused(integer)).toEqual(['422 invalid-value /data/attributes/a']);
      expect(await refused(`{"$numberLong":"${integer}"}`)).toEqual(['422 invalid-value /data/attributes/a']);
    },
  );
});

describe('floating point numbers are doubles', () => {
  test.each([
    ['0.1', '0.1'],
    ['-2.5', '-2.5'],
    ['3.141592653589793', '3.141592653589793'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['5e-324', '5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['1.0', '1.0'],
    ['1e3', '1000.0'],
  ])('%s', async (sent, shown) => {
    await shows(sent, shown);
  });

  test.each(['1e400', '-1e400'])('%s is infinite: 422', async (number) => {
    expect(await refused(number)).toEqual(['422 invalid-value /data/attributes/a']);
  });
});

describe('$numberDecimal keeps every digit', () => {
  test.each([
    ['0', '0'],
    ['1.10', '1.10'],
    ['100.00', '100.00'],
    ['-0.50', '-0.50'],
    ['0.1', '0.1'],
    ['1234567890123456789012345678901234', '1234567890123456789012345678901234'],
    ['0.1234567890123456789012345678901234', '0.1234567890123456789012345678901234'],
    ['1.000000000000000000000000000000000', '1.000000000000000000000000000000000'],
    ['-9999999999999999.999999999999999990', '-9999999999999999.999999999999999990'],
    ['1E+6144', '1E+6144'],
    ['9.999999999999999999999999999999999E+6144', '9.999999999999999999999999999999999E+6144'],
    ['1E-6176', '1E-6176'],
  ])('%s', async (decimal, shown) => {
    const [made = '', ...others] = await roundTrip(`{"$numberDecimal":"${decimal}"}`);
    // The text is a JSON number, whatever a client's parser makes of so many digits.
    expect(() => JSON.parse(made) as unknown).not.toThrow();
    if (decimal === '1E+6144') expect(made).toMatch(/^1(\.0+)?E\+6144$/);
    else expect(made).toBe(shown);
    expect(others).toEqual([made, made]);
  });

  test.each([
    'NaN',
    'Infinity',
    '-Infinity',
    'sNaN',
    '12345678901234567890123456789012345',
    '0.12345678901234567890123456789012345',
    '1E+6145',
    '1E-6177',
    '',
    '.',
    'e5',
    '1,5',
    ' 1',
    '0x10',
  ])('"%s" is 422, never rounded', async (decimal) => {
    expect(await refused(`{"$numberDecimal":"${decimal}"}`)).toEqual([
      '422 invalid-value /data/attributes/a',
    ]);
  });
});

describe('$date is shown as ISO 8601 with milliseconds and Z', () => {
  test.each([
    ['"2024-05-06T07:08:09.123Z"', '"2024-05-06T07:08:09.123Z"'],
    ['"2024-05-06T07:08:09Z"', '"2024-05-06T07:08:09.000Z"'],
    ['"2024-05-06T07:08:09+02:00"', '"2024-05-06T05:08:09.000Z"'],
    ['"2024-05-06T07:08:09"', '"2024-05-06T07:08:09.000Z"'],
    ['"2024-05-06"', '"2024-05-06T00:00:00.000Z"'],
    ['"2024-02-29"', '"2024-02-29T00:00:00.000Z"'],
    ['0', '"1970-01-01T00:00:00.000Z"'],
    ['1714979289123', '"2024-05-06T07:08:09.123Z"'],
    ['-1', '"1969-12-31T23:59:59.999Z"'],
    ['{"$numberLong":"1714979289123"}', '"2024-05-06T07:08:09.123Z"'],
  ])('%s', async (content, shown) => {
    await shows(`{"$date":${content}}`, shown);
  });

  test.each(['"2024-13-01"', '"2023-02-29"', '"yesterday"', '""', '1.5', 'true', 'null', '9e15', '[]'])(
    '%s is 422',
    async (content) => {
      expect(await refused(`{"$date":${content}}`)).toEqual(['422 invalid-value /data/attributes/a']);
    },
  );
});

describe('$oid is shown as its hexadecimal string', () => {
  test.each([
    ['0123456789abcdef01234567', '"0123456789abcdef01234567"'],
    ['0123456789ABCDEF01234567', '"0123456789abcdef01234567"'],
  ])('%s', async (hex, shown) => {
    await shows(`{"$oid":"${hex}"}`, shown);
  });

  test.each(['"0123"', '"0123456789abcdef0123456g"', '7', 'null'])('%s is 422', async (content) => {
    expect(await refused(`{"$oid":${content}}`)).toEqual(['422 invalid-value /data/attributes/a']);
  });
});

describe('wrappers work at any depth and in arrays', () => {
  test.each([
    ['[{"$date":0}]', '["1970-01-01T00:00:00.000Z"]'],
    ['{"b":{"c":{"$numberDecimal":"1.50"}}}', '{"b":{"c":1.50}}'],
    [
      '[[{"b":{"$numberLong":"9223372036854775807"}}],{"$oid":"0123456789abcdef01234567"}]',
      '[[{"b":9223372036854775807}],"0123456789abcdef01234567"]',
    ],
  ])('%s', async (sent, shown) => {
    await shows(sent, shown);
  });

  test('a PATCH takes them too, and keeps the values it does not name', async () => {
    const data = { type: 'v', attributes: { long: { $numberLong: '9007199254740993' }, a: 1 } };
    const made = await client.post('/resources/v', { data });
    const { id } = made.body.data;
    const patched = await client.patch(`/resources/v/${id}`, {
      data: { type: 'v', id, attributes: { a: { $numberDecimal: '2.50' } } },
    });
    expect(patched.text).toContain('"attributes":{"long":9007199254740993,"a":2.50}');
  });
});

describe('an unknown or malformed wrapper is 422 with a pointer', () => {
  test.each([
    ['{"$unknown":1}', ['422 invalid-value /data/attributes/a']],
    ['{"$date":0,"b":1}', ['422 invalid-value /data/attributes/a']],
    ['{"$date":0,"$oid":"0123456789abcdef01234567"}', ['422 invalid-value /data/attributes/a']],
    ['{"$numberLong":5}', ['422 invalid-value /data/attributes/a']],
    ['{"$numberLong":"1.5"}', ['422 invalid-value /data/attributes/a']],
    ['{"$numberDecimal":1.5}', ['422 invalid-value /data/attributes/a']],
    ['{"$numberDouble":"NaN"}', ['422 invalid-value /data/attributes/a']],
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

describe('GeoJSON is stored as it came, malformed or not', () => {
  test.each([
    '{"type":"Point","coordinates":[4.9,52.4]}',
    '{"type":"Point","coordinates":[1.0,-0.5]}',
    '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]],[[0.1,0.1],[0.2,0.1],[0.2,0.2],[0.1,0.1]]]}',
    '{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}',
    '{"type":"Point","coordinates":["east",null]}',
    '{"type":"Point","coordinates":[1000,2000,3000]}',
    '{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}',
    '{"type":"Blob","coordinates":{}}',
  ])('%s', async (json) => {
    await shows(json, json);
  });
});
