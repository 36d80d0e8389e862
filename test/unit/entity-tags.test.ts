/** Entity tags as texts, and what they say: the version vector behind every conditional request. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { holds } from '../../src/collection/precondition.ts';
import { digest64 } from '../../src/domain/digest.ts';
import { ifMatchOf, isUnchanged, parseTagList } from '../../src/modules/documents/conditions.ts';
import { formatTag, parseTag, tagOf, typeKey, type EntityTag } from '../../src/modules/documents/etag.ts';

const digest = fc.option(fc.string().map(digest64));
const tag: fc.Arbitrary<EntityTag> = fc
  .record({
    counters: fc.array(fc.tuple(fc.string(), fc.maxSafeNat()), { maxLength: 20 }),
    view: digest,
    set: digest,
  })
  .map(({ counters, view, set }) => tagOf(new Map(counters), view, set));

const opaque = (formatted: string) => formatted.slice(1, -1);

describe('the text of a tag', () => {
  test('says all that the tag says', () => {
    fc.assert(
      fc.property(tag, (original) => {
        expect(parseTag(opaque(formatTag(original)))).toEqual(original);
      }),
    );
  });

  test('is a quoted string of letters that no header has to escape', () => {
    fc.assert(
      fc.property(tag, (original) => {
        expect(formatTag(original)).toMatch(/^"[A-Za-z0-9_-]+"$/);
      }),
    );
  });

  test('is the same whatever the order of the types', () => {
    const [one, other] = [
      new Map([
        ['a', 1],
        ['b', 2],
      ]),
      new Map([
        ['b', 2],
        ['a', 1],
      ]),
    ];
    expect(formatTag(tagOf(one))).toBe(formatTag(tagOf(other)));
  });

  test('stays below 8 KB for as many types as an include may reach', () => {
    const counters = new Map(Array.from({ length: 201 }, (_, n) => [`type-${n}`, 2 ** 40 + n]));
    expect(formatTag(tagOf(counters, digest64('v'), digest64('s'))).length).toBeLessThan(8192);
  });

  test('of a stranger means nothing, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^[A-Za-z0-9_-]*$/)), (text) => {
        const parsed = parseTag(text);
        if (parsed === undefined) return;
        for (const numbers of parsed.counters) expect(numbers.every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });

  test.each(['', 'A', 'AAAAA', '____', 'AA==', 'A A', 'AQ', 'Ag', 'A'.repeat(9000)])(
    '"%s" is none of ours',
    (text) => {
      expect(parseTag(text)).toBeUndefined();
    },
  );
});

describe('a list of tags', () => {
  const mine = tagOf(new Map([['a', 1]]));
  const other = tagOf(new Map([['b', 2]]));
  const [m, o] = [formatTag(mine), formatTag(other)];

  test.each([
    ['nothing', null, null, null],
    ['*', '*', 'any', 'any'],
    ['* among spaces', ' * ', 'any', 'any'],
    ['one', m, [mine], [mine]],
    ['several', `${m}, ${o}`, [mine, other], [mine, other]],
    ['several without spaces', `${m},${o}`, [mine, other], [mine, other]],
    ['weak ones, which only match weakly', `W/${m}, ${o}`, [mine, other], [other]],
    ['foreign ones', `"x y", ${m}, "", "*"`, [mine], [mine]],
    ['one without quotes', opaque(m), [], []],
    ['an empty text', '', [], []],
  ])('%s', (_, header, weakly, strongly) => {
    expect(parseTagList(header, true)).toEqual(weakly);
    expect(parseTagList(header, false)).toEqual(strongly);
  });
});

describe('an answer is unchanged since a tag', () => {
  const stamps = [
    { type: 'a', version: 5 },
    { type: 'b', version: 7 },
  ];
  const counters = (a: number, b: number) =>
    new Map([
      ['a', a],
      ['b', b],
    ]);

  test.each([
    ['at the versions themselves', tagOf(counters(5, 7)), true],
    ['later', tagOf(counters(50, 70)), true],
    ['but not before one of them', tagOf(counters(5, 6)), false],
    ['but not where a type is unknown to it', tagOf(new Map([['a', 9]])), false],
  ])('%s', (_, each, unchanged) => {
    expect(isUnchanged([each], { stamps, view: null, set: null })).toBe(unchanged);
  });

  test('if any tag of a list says so, or *; not if there is none', () => {
    const composition = { stamps, view: null, set: null };
    expect(isUnchanged([tagOf(counters(0, 0)), tagOf(counters(9, 9))], composition)).toBe(true);
    expect(isUnchanged('any', composition)).toBe(true);
    expect(isUnchanged([], composition)).toBe(false);
    expect(isUnchanged(null, composition)).toBe(false);
  });

  test('only for the same view and the same set, where those matter', () => {
    const [v, s] = [digest64('v'), digest64('s')];
    const full = tagOf(counters(9, 9), v, s);
    const plain = tagOf(counters(9, 9));
    expect(isUnchanged([full], { stamps, view: v, set: s })).toBe(true);
    expect(isUnchanged([full], { stamps, view: null, set: null })).toBe(true);
    expect(isUnchanged([full], { stamps, view: digest64('w'), set: s })).toBe(false);
    expect(isUnchanged([full], { stamps, view: v, set: digest64('t') })).toBe(false);
    expect(isUnchanged([plain], { stamps, view: v, set: null })).toBe(false);
    expect(isUnchanged([plain], { stamps, view: null, set: s })).toBe(false);
  });
});

describe('If-Match', () => {
  test('takes from each tag the counter of the type', () => {
    const tags = [tagOf(new Map([['a', 1]])), tagOf(new Map([['b', 2]])), tagOf(new Map([['a', 3]]))];
    expect(ifMatchOf(tags, 'a')).toEqual([1, 3]);
    expect(ifMatchOf(tags, 'c')).toEqual([]);
    expect(ifMatchOf('any', 'a')).toBe('any');
    expect(ifMatchOf(null, 'a')).toBeNull();
  });

  test.each([
    ['no header', null, 5, true],
    ['no header, no document', null, undefined, true],
    ['*', 'any', 5, true],
    ['*, no document', 'any', undefined, false],
    ['the version', [5], 5, true],
    ['a later read', [9], 5, true],
    ['an earlier read', [4], 5, false],
    ['one of several', [4, 5], 5, true],
    ['foreign tags only', [], 5, false],
    ['a tag, no document', [9], undefined, false],
  ] as const)('%s', (_, ifMatch, version, expected) => {
    expect(holds(ifMatch, version)).toBe(expected);
  });
});

test('two types whose keys are alike share the older counter: a tag may forget, never invent', () => {
  const keys = new Map<number, string>();
  let pair: readonly [string, string] | undefined;
  for (let n = 0; pair === undefined && n < 500_000; n += 1) {
    const type = `type-${(n * 48_271) % 2_147_483_647}`;
    const twin = keys.get(typeKey(type));
    if (twin === undefined) keys.set(typeKey(type), type);
    else pair = [twin, type];
  }
  const [one, other] = pair ?? expect.fail('no two types with one key');
  const made = tagOf(
    new Map([
      [one, 9],
      [other, 3],
    ]),
  );
  expect([...made.counters.values()]).toEqual([3]);
});
