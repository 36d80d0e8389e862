/** How faults of filters are told, the limits, and what the tree of a filter looks like. */
import { describe, expect, it } from 'vitest';
import { Double, Long, ObjectId, type Fields } from '../../src/domain/values/values.ts';
import { compileMatcher } from '../../src/operators/filter/matcher.ts';
import { compileDistance, nearOf } from '../../src/operators/query/near.ts';
import { parseFilter } from '../../src/operators/filter/parse.ts';
import { WorkBudget } from '../../src/domain/work/work.ts';
import type { Condition } from '../../src/operators/filter/conditions.ts';

function whole(filter: unknown): { field: null; text: string } {
  return { field: null, text: JSON.stringify(filter) };
}

function treeOf(filter: unknown): Condition {
  const parsed = parseFilter([whole(filter)]);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.detail);
  return parsed.value;
}

describe('a fault', () => {
  it('names its parameter and its place', () => {
    expect(parseFilter([whole({ a: { $gt: 1, $foo: 2 } })])).toEqual({
      ok: false,
      problems: [
        {
          code: 'invalid-filter',
          detail: 'There is no operator $foo. All are listed at /docs/search#filters.',
          source: { parameter: 'filter[*]' },
          meta: { pointer: '/a/$foo' },
        },
      ],
    });
  });

  it('of filter[FIELD] has a place inside that parameter', () => {
    const parsed = parseFilter([whole({ a: 1 }), { field: 'b.c', text: '{"$in":5}' }]);
    expect(parsed).toMatchObject({
      problems: [{ source: { parameter: 'filter[b.c]' }, meta: { pointer: '/$in' } }],
    });
  });

  it('tells how to ask for an inner field', () => {
    const parsed = parseFilter([whole({ a: { x: { $gt: 1 } } })]);
    expect(parsed).toMatchObject({
      problems: [{ detail: expect.stringContaining('dotted path') as string, meta: { pointer: '/a/x' } }],
    });
  });

  it('comes together with the others', () => {
    const parsed = parseFilter([
      whole({ a: { $size: -1 }, b: { $in: 1 }, $c: 1 }),
      { field: 'd', text: '{oops' },
    ]);
    expect(parsed.ok ? [] : parsed.problems.map((each) => each.meta?.['pointer'])).toEqual([
      '/a/$size',
      '/b/$in',
      '/$c',
      '',
    ]);
  });

  it('is told twenty times at most', () => {
    const parsed = parseFilter([whole({ $or: Array.from({ length: 100 }, () => ({ $x: 1 })) })]);
    expect(parsed.ok ? 0 : parsed.problems.length).toBe(20);
  });
});

describe('the value of filter[FIELD]', () => {
  it.each<[text: string, value: unknown]>([
    ['true', true],
    ['null', null],
    ['300', 300],
    [' 5', 5],
    ['5\t', 5],
    ['-5', -5],
    ['"300"', '300'],
    ['"true"', 'true'],
    ['""', ''],
    ['9007199254740993', new Long(9_007_199_254_740_993n)],
    ['1.0', new Double(1)],
  ])('%s is JSON', (text, value) => {
    expect(parseFilter([{ field: 'a', text }])).toEqual({
      ok: true,
      value: { op: 'eq', path: ['a'], value },
    });
  });

  it.each([
    'Dracula',
    'learned',
    'two words',
    ' blank before',
    '',
    ' ',
    '-',
    '+5',
    '007',
    '1.',
    '.5',
    '1,5',
    '0x10',
    '1e',
    '5 5',
    'True',
    'NaN',
    '-Infinity',
    'nullable',
    'undefined',
    "'quoted'",
    '"half',
    'half"',
    '"one" "two"',
    '"line\nbreak"',
    '\ufeff5',
    'x{',
    '$gt',
    '2026-01-01',
    '507f1f77bcf86cd799439011',
  ])('%j is no JSON, and thus a string', (text) => {
    expect(parseFilter([{ field: 'a.b', text }])).toEqual({
      ok: true,
      value: { op: 'eq', path: ['a', 'b'], value: text },
    });
  });

  it.each([
    ['an object that is not closed', '{"$gt":1'],
    ['an object with something behind', '{"$gt":1}}'],
    ['an object in another notation', '{$gt: 1}'],
    ['the same behind blanks', ' \r\n{$gt: 1}'],
    ['an array that is not closed', '[1'],
    ['words in an array', '[Dracula]'],
    ['a name that is given twice', '{"$gt":1,"$gt":2}'],
    ['levels beyond the limit', '['.repeat(101) + ']'.repeat(101)],
    ['levels beyond the limit, without an end', '['.repeat(101)],
    ['a number beyond all doubles', '1e999'],
    ['an integer beyond 64 bits', '12345678901234567890'],
    ['the same below', '-12345678901234567890'],
  ])('is refused, and not taken for a string: %s', (_, text) => {
    expect(parseFilter([{ field: 'a', text }])).toMatchObject({
      ok: false,
      problems: [{ code: 'invalid-filter', source: { parameter: 'filter[a]' } }],
    });
  });

  it.each(['$a', 'a..b', ''])('is no string at a path that is none: %j', (field) => {
    expect(parseFilter([{ field, text: 'word' }])).toMatchObject({
      ok: false,
      problems: [{ source: { parameter: `filter[${field}]` } }],
    });
  });

  it.each(['Dracula', '', '5', '"a"', 'null', '[]', '{a: 1}'])('but filter[*]=%s is refused', (text) => {
    expect(parseFilter([{ field: null, text }])).toMatchObject({
      ok: false,
      problems: [{ source: { parameter: 'filter[*]' }, meta: { pointer: '' } }],
    });
  });
});

describe('the limits', () => {
  it('are 16 KiB for all parameters together, counted in UTF-8', () => {
    const text = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;
    expect(parseFilter([{ field: 'a', text: text(16_384) }]).ok).toBe(true);
    expect(parseFilter([{ field: 'a', text: text(16_385) }]).ok).toBe(false);
    expect(
      parseFilter([
        { field: 'a', text: text(8_192) },
        { field: 'b', text: text(8_192) },
      ]).ok,
    ).toBe(true);
    expect(
      parseFilter([
        { field: 'a', text: text(8_192) },
        { field: 'b', text: text(8_193) },
      ]).ok,
    ).toBe(false);
    expect(parseFilter([{ field: 'a', text: `"${'é'.repeat(8_191)}"` }]).ok).toBe(true);
    expect(parseFilter([{ field: 'a', text: `"${'é'.repeat(8_192)}"` }]).ok).toBe(false);
  });

  it('are 100 levels of arrays and objects', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(parseFilter([{ field: 'a', text: nested(100) }]).ok).toBe(true);
    expect(parseFilter([{ field: 'a', text: nested(101) }])).toMatchObject({
      problems: [{ detail: expect.stringContaining('100') as string, meta: { pointer: '' } }],
    });
  });
});

describe('the tree', () => {
  it('is the one condition where there is one', () => {
    expect(treeOf({ 'a.b': 1 })).toEqual({ op: 'eq', path: ['a', 'b'], value: 1 });
    expect(treeOf({ $and: [{ a: { $eq: 1 } }] })).toEqual({ op: 'eq', path: ['a'], value: 1 });
  });

  it('has everything for no filter at all', () => {
    expect(parseFilter([])).toEqual({ ok: true, value: { op: 'and', conditions: [] } });
    expect(treeOf({})).toEqual({ op: 'and', conditions: [] });
  });

  it('says negations as such', () => {
    expect(treeOf({ a: { $ne: 1 } })).toEqual({ op: 'not', condition: { op: 'eq', path: ['a'], value: 1 } });
    expect(treeOf({ a: { $nin: [] } })).toEqual({
      op: 'not',
      condition: { op: 'in', path: ['a'], values: [], patterns: [] },
    });
    expect(treeOf({ a: { $exists: false } })).toEqual({ op: 'exists', path: ['a'], exists: false });
  });

  it('has options in one order, each once', () => {
    expect(treeOf({ a: { $regex: '😀'.repeat(1_000) } })).toMatchObject({ op: 'regex' });
    expect(treeOf({ a: { $regex: 'x', $options: 'smiss' } })).toEqual({
      op: 'regex',
      path: ['a'],
      pattern: 'x',
      options: 'ims',
    });
  });
});

describe('ids and relationships', () => {
  const id = 'aaaaaaaaaaaaaaaaaaaaaaaa';
  const other = 'bbbbbbbbbbbbbbbbbbbbbbbb';
  const document: Fields = {
    id: new ObjectId(id),
    type: 'books',
    author: { type: 'people', id: new ObjectId(other) },
    tags: [
      { type: 'tags', id: new ObjectId(id) },
      { type: 'tags', id: new ObjectId(other) },
    ],
  };

  it.each([
    ['the id is an object id', { id: { $oid: id } }, true],
    ['in any case of its digits', { id: { $in: [{ $oid: id.toUpperCase() }] } }, true],
    ['and no string', { id }, false],
    ['not even in a list', { id: { $in: [id] } }, false],
    ['ids have an order', { id: { $lt: { $oid: other } } }, true],
    ['the type is a string', { type: 'books' }, true],
    ['a link has an id', { 'author.id': { $oid: other } }, true],
    ['a link has a type', { 'author.type': 'people' }, true],
    ['the id of a link is no string', { 'author.id': other }, false],
    ['links of many are each looked at', { 'tags.id': { $all: [{ $oid: id }, { $oid: other }] } }, true],
    ['$elemMatch finds one link', { tags: { $elemMatch: { type: 'tags', id: { $oid: other } } } }, true],
    ['a link is an object of type and id', { author: { type: 'people', id: { $oid: other } } }, true],
    ['in that order', { author: { id: { $oid: other }, type: 'people' } }, false],
  ])('%s', (_behaviour, filter, expected) => {
    expect(compileMatcher(treeOf(filter))(document)).toBe(expected);
  });
});

describe('the budget of patterns', () => {
  const documents = Array.from({ length: 1_000 }, (): Fields => ({ s: `${'ab'.repeat(100)}c` }));

  it('is spent over documents, and says when it is gone', () => {
    const tree = treeOf({ s: { $regex: '^(a|b)*d' } });
    const plenty = new WorkBudget(1e9);
    documents.filter(compileMatcher(tree, { budget: plenty }));
    expect(plenty.exceeded).toBe(false);
    expect(plenty.left).toBeLessThan(1e9);
    const little = new WorkBudget(1_000);
    documents.filter(compileMatcher(tree, { budget: little }));
    expect(little.exceeded).toBe(true);
  });
});

describe('$near', () => {
  const at = (longitude: number): unknown => ({ type: 'Point', coordinates: [longitude, 0] });
  const degree = (6_378_100 * Math.PI) / 180;

  it('gives the distance to the nearest geometry on its path', () => {
    const near = nearOf(treeOf({ x: 1, place: { $near: { $geometry: at(0), $maxDistance: 3 * degree } } }));
    expect(near).toMatchObject({ op: 'near', path: ['place'] });
    if (near === undefined) return;
    const distance = compileDistance(near);
    const document = (place: unknown): Fields => ({ place }) as Fields;
    expect(distance(document(at(2)))).toBeCloseTo(2 * degree, 3);
    expect(distance(document([at(2), at(-1)]))).toBeCloseTo(degree, 3);
    expect(distance(document(at(4)))).toBe(Infinity);
    expect(distance(document('nowhere'))).toBe(Infinity);
    expect(distance({})).toBe(Infinity);
  });

  it('is not there where it was not asked for', () => {
    expect(nearOf(treeOf({ a: 1, b: 2 }))).toBeUndefined();
  });
});

describe('$text', () => {
  it('is decided by the words of the document, unless the caller says how', () => {
    const tree = treeOf({ $text: { $search: 'x y' } });
    const seen: string[] = [];
    const text = (search: string) => {
      seen.push(search);
      return (document: Fields) => document['s'] === search;
    };
    expect(compileMatcher(tree, { text })({ s: 'x y' })).toBe(true);
    expect(seen).toEqual(['x y']);
    expect(compileMatcher(tree)({ s: 'y z' })).toBe(true);
    expect(compileMatcher(tree)({ s: 'z' })).toBe(false);
  });
});
