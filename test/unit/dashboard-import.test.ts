/** What the dashboard guesses of the columns of a file, and what becomes of its values. */
import { describe, expect, test } from 'vitest';
import { draftsFrom, guessed, type KnownFields } from '../../src/dashboard/pages/documents/import/columns.ts';
import { readRows } from '../../src/dashboard/pages/documents/import/rows.ts';

const [A, B] = ['a'.repeat(24), 'b'.repeat(24)];

const NOTHING: KnownFields = {
  shape: { fields: new Map(), links: new Map() },
  types: ['cities', 'box'],
  hasOwnIds: false,
};

const rowsOf = (name: string, text: string) => readRows(new File([text], name));

async function outcomeOf(name: string, text: string, of = NOTHING) {
  const rows = await rowsOf(name, text);
  const { ready, faults } = draftsFrom(rows, 'notes', guessed(rows, of), new Map());
  return {
    documents: ready.map(({ draft }) => draft),
    faults,
    lines: ready.map(({ line }) => line),
    unit: rows.unit,
  };
}

describe('a cell of CSV', () => {
  test.each([
    ['36', 36],
    ['-1.50', -1.5],
    ['007', '007'],
    ['1e3', '1e3'],
    ['9007199254740993', { $numberLong: '9007199254740993' }],
    ['0.12345678901234567', '0.12345678901234567'],
    ['123456789012.3456789', '123456789012.3456789'],
    ['true', true],
    ['yes', 'yes'],
    ['2026-05-04', { $date: '2026-05-04T00:00:00.000Z' }],
    ['2026-05-04 10:00:00', { $date: '2026-05-04T10:00:00.000Z' }],
    ['2026-13-45', '2026-13-45'],
    ['Emma 5', 'Emma 5'],
    ['"{""a"":[1]}"', { a: [1] }],
    ['"[1,2]"', [1, 2]],
    ['[draft', '[draft'],
    [`"{""$numberLong"":""9""}"`, { $numberLong: '9' }],
    ["'=1+1", '=1+1'],
    [A, A],
  ])('%s', async (cell, value) => {
    const { documents } = await outcomeOf('x.csv', `v\n${cell}\n`);
    expect(documents[0]?.attributes['v']).toEqual(value);
  });

  test('has the kind that all of its column have', async () => {
    const { documents } = await outcomeOf('x.csv', 'a,b\n1,1\n2,x\n,\n');
    expect(documents.map(({ attributes }) => attributes)).toEqual([{ a: 1, b: '1' }, { a: 2, b: 'x' }, {}]);
  });

  test('has the kind that documents have, where it can say it', async () => {
    const fields = new Map([
      ['a', { kind: 'string' }],
      ['b', { kind: 'date' }],
    ] as const);
    const shape = { ...NOTHING.shape, fields };
    const { documents } = await outcomeOf('x.csv', 'a,b\n1,2\n', { ...NOTHING, shape });
    expect(documents[0]?.attributes).toEqual({ a: '1', b: 2 });
  });
});

describe('a column', () => {
  const links = new Map([
    ['author', { name: 'author', type: 'people', isMany: false }],
    ['readers', { name: 'readers', type: 'people', isMany: true }],
  ]);
  const known = { ...NOTHING, shape: { ...NOTHING.shape, links } };
  test.each([
    ['author', A, 'link', 'author', 'people', '', false],
    ['author_id', A, 'link', 'author', 'people', '', false],
    ['author', 'Ada', 'link', 'author', 'people', 'name', false],
    ['readers', `${A} ${B}`, 'link', 'readers', 'people', '', true],
    ['readers', A, 'link', 'readers', 'people', '', true],
    ['cityId', A, 'attribute', 'cityId', '', '', false],
    ['citie_id', A, 'link', 'citie', 'cities', '', false],
    ['boxIds', `${A} ${B}`, 'link', 'box', 'box', '', true],
    ['hash', A, 'attribute', 'hash', '', '', false],
    ['id', A, 'nothing', 'id', '', '', false],
    ['$created', '2026-01-01', 'nothing', '$created', '', '', false],
    ['type', 'retail', 'attribute', 'kind', '', '', false],
    ['Price [EUR]', '1', 'attribute', 'Price EUR', '', '', false],
    ['Nr.', '1', 'attribute', 'Nr', '', '', false],
    ['address.zip', '1', 'attribute', 'address.zip', '', '', false],
  ])('%s with %s becomes a %s', async (name, cell, becomes, field, type, by, isMany) => {
    const rows = await rowsOf('x.csv', `"${name}"\n"${cell}"\n`);
    const [column] = guessed(rows, known);
    expect(column).toMatchObject({ becomes, ...(becomes !== 'nothing' && { field }), type, by, isMany });
  });

  test('of ids is one where clients may choose them', async () => {
    const [column] = guessed(await rowsOf('x.csv', `id\n${A}\n`), { ...NOTHING, hasOwnIds: true });
    expect(column?.becomes).toBe('id');
  });
});

describe('a file', () => {
  test.each([
    ['x.csv', 'a;b\n1;"x, y"\n', [{ a: 1, b: 'x, y' }]],
    ['x.txt', 'a\tb\r\n1\tx\r\n', [{ a: 1, b: 'x' }]],
    ['x.csv', '\ufeffa,a,\n1,2,3\n', [{ a: 1, 'a (2)': 2, 'Column 3': 3 }]],
    ['x.csv', 'a.b.c,a.d\n1,2\n', [{ a: { b: { c: 1 }, d: 2 } }]],
    ['x.csv', '__proto__.a\n1\n', [JSON.parse('{"__proto__":{"a":1}}')]],
    ['x.json', '[{"a":1},\n{"a":"x","b":null}]', [{ a: 1 }, { a: 'x', b: null }]],
    [
      'x.json',
      '{"a": [1],\n"b": {"c": 9007199254740993}}',
      [{ a: [1], b: { c: { $numberLong: '9007199254740993' } } }],
    ],
    ['x.json', `{"meta":{},"data":[{"type":"other","id":"${A}","attributes":{"a":1}}]}`, [{ a: 1 }]],
    ['x.ndjson', '{"a":1}\n\n{"a":2}', [{ a: 1 }, { a: 2 }]],
  ])('%s %j', async (name, text, attributes) => {
    const { documents, faults } = await outcomeOf(name, text);
    expect([documents.map((each) => each.attributes), faults]).toEqual([attributes, []]);
  });

  test.each([
    ['x.csv', 'a,b\n\n1,"x\r\ny"\n2\n\n3,4,5\n6,7\n', [3, 8], [5, 7]],
    ['x.json', '[\n{"a":1},\n3,\n{"a":\n2}, {"a.b":1,"a":2}]', [2, 4], [3, 5]],
    ['x.ndjson', '{"a":1}\n{"a"\n"x"\n', [1], [2, 3]],
    ['x.ndjson', `{"type":"notes","attributes":{"a":1}}\n{"type":"other","attributes":{"a":1}}\n`, [1], [2]],
    [
      'x.ndjson',
      `{"type":"notes","attributes":{"a":1}}\n{"type":"x"}\n{"type":"other","attributes":{}}`,
      [1, 2],
      [3],
    ],
    ['x.csv', 'a,a.b\n1,2\n', [], [2]],
  ])('%s %j names the lines of its faults', async (name, text, lines, faulty) => {
    const { lines: found, faults } = await outcomeOf(name, text);
    expect([found, faults.map(({ line }) => line)]).toEqual([lines, faulty]);
  });

  test('of items in one line counts them', async () => {
    const { lines, faults, unit } = await outcomeOf('x.json', '[{"a":1},2,{"a":3}]');
    expect([lines, faults.map(({ line }) => line), unit]).toEqual([[1, 3], [2], 'Item']);
  });
});
