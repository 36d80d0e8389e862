/** Entity tags as texts, and what they say: the version vector behind every conditional request. */
import fc from '../support/fast-check.ts';
import { describe, expect, test } from 'vitest';
import { holds } from '../../src/collection/rpc/writes/operations.ts';
import { digest64 } from '../../src/domain/digest.ts';
import { ifMatchOf, unchangedSince, type Composition } from '../../src/modules/documents/tags/conditions.ts';
import {
  formatTag,
  parseTag,
  subjectOf,
  tagOf,
  typeKey,
  type Digests,
  type EntityTag,
  parseTagList,
} from '../../src/modules/documents/tags/etag.ts';
import { APPLICATION, TAG_SEAL } from '../support/exchange.ts';
import { applicationId } from '../support/names.ts';

/** A tag of the one application. */
const tagFor = (counters: ReadonlyMap<string, number>, digests?: Partial<Digests>) =>
  tagOf(TAG_SEAL, APPLICATION, counters, digests);

const ONE = { type: 'a', id: 'a'.repeat(24) };
const OTHER = { type: 'a', id: 'b'.repeat(24) };

const digest = fc.option(fc.string().map(digest64));
const tag: fc.Arbitrary<EntityTag> = fc
  .record({
    counters: fc.array(fc.tuple(fc.string(), fc.maxSafeNat()), { maxLength: 20 }),
    view: digest,
    set: digest,
    subject: digest,
    wrapped: fc.boolean(),
    csv: fc.boolean(),
    shared: fc.boolean(),
  })
  .map(({ counters, ...digests }) => tagFor(new Map(counters), digests));

const isUnchanged = (list: readonly EntityTag[], composition: Composition) =>
  unchangedSince(list, composition).length > 0;

const opaque = (formatted: string) => formatted.slice(1, -1);

describe('the text of a tag', () => {
  test('says all that the tag says', () => {
    fc.assert(
      fc.property(tag, (original) => {
        expect(parseTag(TAG_SEAL, opaque(formatTag(original)))).toEqual(original);
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
    expect(formatTag(tagFor(one))).toBe(formatTag(tagFor(other)));
  });

  test('stays below 8 KB for as many types as an include may reach', () => {
    const digests = { view: digest64('v'), set: digest64('s'), subject: digest64('d') };
    const counters = new Map(Array.from({ length: 201 }, (_, n) => [`type-${n}`, 2 ** 40 + n]));
    expect(formatTag(tagFor(counters, digests)).length).toBeLessThan(8192);
  });

  test('of a stranger means nothing, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String(), fc.stringMatching(/^[A-Za-z0-9_-]*$/)), (text) => {
        const parsed = parseTag(TAG_SEAL, text);
        if (parsed === undefined) return;
        for (const numbers of parsed.counters) expect(numbers.every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });

  test.each(['', 'A', 'AAAAA', '____', 'AA==', 'A A', 'AQ', 'Ag', 'A'.repeat(9000)])(
    '"%s" is none of ours',
    (text) => {
      expect(parseTag(TAG_SEAL, text)).toBeUndefined();
    },
  );
});

describe('a list of tags', () => {
  const mine = tagFor(new Map([['a', 1]]));
  const other = tagFor(new Map([['b', 2]]));
  const [m, o] = [formatTag(mine), formatTag(other)];

  test.each([
    ['*', '*', 'any', 'any'],
    ['* among spaces', ' * ', 'any', 'any'],
    ['one', m, [mine], [mine]],
    ['several', `${m}, ${o}`, [mine, other], [mine, other]],
    ['several without spaces', `${m},${o}`, [mine, other], [mine, other]],
    ['weak ones, which only match weakly', `W/${m}, ${o}`, [mine, other], [other]],
    ['foreign ones', `"x,y", ${m}, "", "*", "\u00e4!\\"`, [mine], [mine]],
    ['empty elements, which a sender should not send', `,, ${m} ,\t,${o},`, [mine, other], [mine, other]],
    ['nothing but empty elements', ' , ,', [], []],
    ['an empty text', '', [], []],
  ])('%s', (_, header, weakly, strongly) => {
    expect(parseTagList(TAG_SEAL, header, true)).toEqual(weakly);
    expect(parseTagList(TAG_SEAL, header, false)).toEqual(strongly);
  });
});

describe('a header that is no list of tags is malformed', () => {
  const tag = formatTag(tagFor(new Map([['a', 1]])));

  test.each([
    ['no quotes', opaque(tag)],
    ['no quote at the end', tag.slice(0, -1)],
    ['no quote at the beginning', tag.slice(1)],
    ['rubbish behind', `${tag}x`],
    ['rubbish in front', `x${tag}`],
    ['rubbish between commas', `${tag}, nonsense, ${tag}`],
    ['two without a comma', `${tag} ${tag}`],
    ['two without a blank', `${tag}${tag}`],
    ['a small w', `w/${tag}`],
    ['a blank behind the W/', `W/ ${tag}`],
    ['a W alone', 'W/'],
    ['single quotes', `'${opaque(tag)}'`],
    ['a blank inside', '"a b"'],
    ['a control inside', '"a\u007fb"'],
    ['* in a list', `*, ${tag}`],
    ['two *', '**'],
    ['semicolons', `${tag}; ${tag}`],
  ])('%s', (_, header) => {
    expect(parseTagList(TAG_SEAL, header, true)).toBeUndefined();
    expect(parseTagList(TAG_SEAL, header, false)).toBeUndefined();
  });

  // RFC 9110, 5.6.1 and 8.8.3. A comma may stand inside a tag: elements that are joined may make another one.
  const ONE = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;
  const LIST = new RegExp(`^[ \\t]*(?:${ONE.source})?(?:[ \\t]*,[ \\t]*(?:${ONE.source})?)*[ \\t]*$`);

  test('whatever stands around the commas, a list is what the grammar says', () => {
    const element = fc.constantFrom(
      '',
      ' ',
      '\t',
      tag,
      `W/${tag}`,
      '"x"',
      ` ${tag} `,
      'x',
      '"',
      '*',
      `${tag}"`,
    );
    fc.assert(
      fc.property(fc.array(element, { maxLength: 8 }), (elements) => {
        const header = elements.join(',');
        const read = parseTagList(TAG_SEAL, header, true);
        if (header.trim() === '*') expect(read).toBe('any');
        else if (!LIST.test(header)) expect(read).toBeUndefined();
        else expect(read).toHaveLength(header.match(ONE)?.filter((each) => each.endsWith(tag)).length ?? 0);
      }),
    );
  });
});

describe('an answer is unchanged since a tag', () => {
  const stamps = [
    { type: 'a', version: 5 },
    { type: 'b', version: 7 },
  ];
  const composition = {
    application: APPLICATION,
    stamps,
    view: null,
    set: null,
    subject: null,
    wrapped: false,
    csv: false,
    counted: false,
  };
  const counters = (a: number, b: number) =>
    new Map([
      ['a', a],
      ['b', b],
    ]);

  test.each([
    ['at the versions themselves', tagFor(counters(5, 7)), true],
    ['later', tagFor(counters(50, 70)), true],
    ['but not before one of them', tagFor(counters(5, 6)), false],
    ['but not where a type is unknown to it', tagFor(new Map([['a', 9]])), false],
    ['but not if it is of another representation', tagFor(counters(50, 70), { wrapped: true }), false],
    [
      'but not if it is of another application',
      tagOf(TAG_SEAL, applicationId('b'.repeat(24)), counters(50, 70)),
      false,
    ],
  ])('%s', (_, each, unchanged) => {
    expect(isUnchanged([each], composition)).toBe(unchanged);
  });

  test('if any tag of a list says so; not if there is none', () => {
    expect(isUnchanged([tagFor(counters(0, 0)), tagFor(counters(9, 9))], composition)).toBe(true);
    expect(isUnchanged([], composition)).toBe(false);
  });

  test('only for the same view, set and subject, where those matter', () => {
    const asked = { view: digest64('v'), set: digest64('s') };
    const full = tagFor(counters(9, 9), { ...asked, subject: subjectOf(APPLICATION, ONE) });
    expect(isUnchanged([full], { ...composition, ...asked, subject: { ...ONE, me: true } })).toBe(true);
    expect(isUnchanged([full], composition)).toBe(true);
    for (const name of ['view', 'set'] as const) {
      expect(isUnchanged([full], { ...composition, [name]: digest64('another') })).toBe(false);
      expect(isUnchanged([tagFor(counters(9, 9))], { ...composition, [name]: asked[name] })).toBe(false);
    }
  });

  test.each([
    ['the document', true, true, { subject: subjectOf(APPLICATION, ONE) }],
    ['another document alone', false, false, { subject: subjectOf(APPLICATION, OTHER) }],
    ['another, warned', false, false, { subject: subjectOf(APPLICATION, OTHER), set: digest64('s') }],
    ['another with others', true, false, { subject: subjectOf(APPLICATION, OTHER), shared: true }],
    ['a list', true, false, { set: digest64('s') }],
    ['operations on several', true, false, {}],
  ])('with a tag of %s: %s, and at me: %s', (_, unchanged, atMe, digests) => {
    const list = [tagFor(counters(9, 9), digests)];
    for (const [me, expected] of [
      [false, unchanged],
      [true, atMe],
    ] as const) {
      const subject = { ...ONE, me };
      expect(isUnchanged(list, { ...composition, subject })).toBe(expected);
      expect(ifMatchOf(list, APPLICATION, subject)).toEqual(expected ? [9] : []);
      expect(ifMatchOf(list, APPLICATION, subject, 'b')).toEqual(expected ? [9] : []);
      expect(ifMatchOf('any', APPLICATION, subject)).toBe('any');
    }
  });
});

describe('a tag says nothing', () => {
  const application = fc.stringMatching(/^[0-9a-f]{24}$/).map(applicationId);
  const versions = fc.dictionary(fc.stringMatching(/^[a-z.]{1,12}$/), fc.nat(), { minKeys: 1, maxKeys: 8 });
  const stampsOf = (counters: Readonly<Record<string, number>>) =>
    Object.entries(counters).map(([type, version]) => ({ type, version }));

  test('of another application, whatever its types and counters are', () => {
    fc.assert(
      fc.property(application, application, versions, (own, other, counters) => {
        fc.pre(own !== other);
        const made = [tagOf(TAG_SEAL, own, new Map(Object.entries(counters)))];
        const asked = {
          stamps: stampsOf(counters),
          view: null,
          set: null,
          subject: null,
          wrapped: false,
          csv: false,
          counted: false,
        };
        expect(isUnchanged(made, { ...asked, application: own })).toBe(true);
        expect(isUnchanged(made, { ...asked, application: other })).toBe(false);
        for (const type of Object.keys(counters)) {
          expect(ifMatchOf(made, own, { ...ONE, type })).toEqual([counters[type]]);
          expect(ifMatchOf(made, other, { ...ONE, type })).toEqual([]);
        }
      }),
    );
  });
});

describe('If-Match', () => {
  test('takes from each tag the counter of the type', () => {
    const tags = [tagFor(new Map([['a', 1]])), tagFor(new Map([['b', 2]])), tagFor(new Map([['a', 3]]))];
    expect(ifMatchOf(tags, APPLICATION, ONE)).toEqual([1, 3]);
    expect(ifMatchOf(tags, APPLICATION, { ...ONE, type: 'c' })).toEqual([]);
    expect(ifMatchOf(tags, applicationId('b'.repeat(24)), ONE)).toEqual([]);
    expect(ifMatchOf(null, APPLICATION, ONE)).toBeNull();
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
    const twin = keys.get(typeKey(APPLICATION, type));
    if (twin === undefined) keys.set(typeKey(APPLICATION, type), type);
    else pair = [twin, type];
  }
  const [one, other] = pair ?? expect.fail('no two types with one key');
  const made = tagFor(
    new Map([
      [one, 9],
      [other, 3],
    ]),
  );
  expect([...made.counters.values()]).toEqual([3]);
});
