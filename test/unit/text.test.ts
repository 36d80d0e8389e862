/** Full-text search as it is told in the rules: words, phrases, exclusions, folding. The matcher without an index. */
import { describe, expect, test, vi } from 'vitest';
import fc from '../support/fast-check.ts';
import { phraseFinder } from '../../src/query/text/phrases.ts';
import { indexSearch, textMatcher } from '../../src/query/text/search.ts';
import { wordsOf } from '../../src/query/text/words.ts';
import { ObjectId } from '../../src/domain/values/values.ts';

describe('words', () => {
  test.each(['', ' ', 'a', 'A_b__9 x X', '--q--"7-up"\t(z)\n\0end', `${'Ab'.repeat(49)} ${'Ab'.repeat(80)}`])(
    'of a text of ASCII alone are those that it has among others: %j',
    (text) => {
      expect([...wordsOf(text), 'ete']).toEqual(wordsOf(`${text} été`));
      expect(
        indexSearch(`"${text.replaceAll('"', '')} été"`)?.expression.replace(/ ?ete"$/, '"') ?? '""',
      ).toBe(indexSearch(`"${text.replaceAll('"', '')}"`)?.expression ?? '""');
    },
  );

  test.each([
    ['Coffee, shop!', ['coffee', 'shop']],
    ['Ärger im CAFÉ', ['arger', 'im', 'cafe']],
    ['STRASSE straße', ['strasse', 'strasse']],
    ['Σίσυφος ΣΊΣΥΦΟΣ', ['σισυφοσ', 'σισυφοσ']],
    ['pre-market 3.14', ['pre', 'market', '3', '14']],
    ['snake_case', ['snake_case']],
    ['東京 タワー', ['東京', 'タワー'.normalize('NFKD').replace(/\p{M}/gu, '')]],
    // Parted before they are decomposed.
    ['Foredge™ ℗2024', ['foredge', '2024']],
    ['5㎏ 20℃', ['5', '20']],
    ['x² ﬁne Ｆｏｏ', ['x2', 'fine', 'foo']],
    ['e\u0301t\u00e9 E\u0301T\u00c9', ['ete', 'ete']],
    ['a \u0301 b', ['a', 'b']],
    // Vowel signs are no diacritics, tone marks, nuktas and viramas are.
    ['की का', ['की', 'का']],
    ['கா கி', ['கா', 'கி']],
    ['ที่ ที', ['ที', 'ที']],
    ['ดี ดา', ['ดี', 'ดา']],
    ['क़', ['क']],
    ['Việt Nam', ['viet', 'nam']],
    ['…', []],
  ])('%s', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('a very long word equals itself and no other', () => {
    const [one] = wordsOf('a'.repeat(5000));
    expect(wordsOf('A'.repeat(5000))).toEqual([one]);
    expect(wordsOf('a'.repeat(5001))).not.toEqual([one]);
  });
});

describe('a search', () => {
  const documents = {
    shop: { title: 'Coffee shop', tags: ['espresso', 'milk'] },
    tea: { title: 'Tea house', menu: [{ name: 'Green tea' }, { name: 'Cafe au lait' }] },
    split: { first: 'coffee', second: 'shop' },
    linked: { author: { type: 'coffee', id: new ObjectId('0'.repeat(24)) } },
  };
  const found = (search: string) =>
    Object.entries(documents)
      .filter(([, document]) => textMatcher(search)(document))
      .map(([name]) => name);

  test.each([
    ['one word in any string field', 'coffee', ['shop', 'split']],
    ['several words are OR-ed', 'milk green', ['shop', 'tea']],
    ['words, not substrings', 'coff', []],
    ['at any depth', 'lait', ['tea']],
    ['case and diacritics do not matter', 'CAFÉ', ['tea']],
    ['a quoted phrase must be present', '"coffee shop"', ['shop']],
    ['a phrase is not satisfied across fields', '"coffee shop"', ['shop']],
    ['a phrase beside words must still be present', '"coffee shop" tea', ['shop']],
    ['every phrase must be present', '"coffee shop" "espresso"', ['shop']],
    ['a leading minus excludes', 'coffee -espresso', ['split']],
    ['an excluded phrase', 'coffee -"coffee shop"', ['split']],
    ['a minus inside a word does not exclude', 'coffee-tea', ['shop', 'tea', 'split']],
    ['a minus excludes each word up to a blank', 'coffee tea -milk-house', ['split']],
    ['a minus excludes each phrase up to a blank', 'coffee tea -"coffee shop"-"au lait"', ['split']],
    ['a minus excludes words and phrases that are joined', 'coffee tea -espresso"tea house"', ['split']],
    ['only exclusions match nothing', '-coffee', []],
    ['nothing matches nothing', '', []],
    ['punctuation matches nothing', '"..." !', []],
    ['a quote that does not end is no quote', '"coffee', ['shop', 'split']],
    ['links are no text', 'people', []],
  ])('%s: %s', (_, search, names) => {
    expect(found(search)).toEqual(names);
  });

  test('an expression for the index holds nothing that it could misread', () => {
    expect(indexSearch('x OR "é NEAR" -(AND')?.expression).toBe('("e near") NOT ("and")');
    expect(indexSearch('x')?.expression).toBe('"x78x"');
    expect(indexSearch('日')?.expression).toBe('"x65e5x"');
    expect(indexSearch('-x')).toBeNull();
  });

  test('the index is asked for each word once where phrases are many, and the matcher decides', () => {
    const phrases = Array.from({ length: 60 }, (_, n) => `"a b ${n}"`);
    expect(indexSearch(`${phrases.join(' ')} -c -"d e"`)).toEqual({
      expression: `(${['a', 'b', ...phrases.keys()].map((word) => `"${word}"`).join(' AND ')}) NOT ("c")`,
      exact: false,
    });
    expect(indexSearch('"a b" '.repeat(60))).toEqual({ expression: '"a b"', exact: true });
  });
});

describe('phrases', () => {
  test('are found in one reading of each word, however many there are and however they begin', () => {
    let read = 0;
    function* words() {
      for (; read < 1_000; read += 1) yield 'w';
    }
    const phrases = Array.from({ length: 200 }, (_, n) => [...Array<string>(50).fill('w'), `z${n}`]);
    const get = vi.spyOn(Map.prototype, 'get');
    const find = phraseFinder([['w', 'w'], ...phrases]);
    get.mockClear();
    expect(find([words()])).toEqual([true, ...phrases.map(() => false)]);
    const lookedUp = get.mock.calls.length;
    get.mockRestore();
    expect(read).toBe(1_000);
    expect(lookedUp).toBeLessThanOrEqual(2_000);
  });

  test('are found wherever they stand in a string', () => {
    const word = fc.constantFrom('a', 'b');
    const phrase = fc.array(word, { minLength: 1, maxLength: 5 });
    const strings = fc.array(fc.array(word, { maxLength: 12 }), { maxLength: 3 });
    fc.assert(
      fc.property(fc.array(phrase, { maxLength: 6 }), strings, (phrases, texts) => {
        const joined = texts.map((words) => words.join(''));
        expect(phraseFinder(phrases)(texts)).toEqual(
          phrases.map((each) => joined.some((text) => text.includes(each.join('')))),
        );
      }),
    );
  });
});
