// What patterns mean: PCRE's constructs, each with subjects that match and subjects that do not.
import { describe, expect, it } from 'vitest';
import { compileFullMatch, compilePattern, literalPrefix } from '../../src/query/regex/pattern.ts';
import type { Found, Search } from '../../src/query/regex/search.ts';

type Row = readonly [
  pattern: string,
  options: string,
  matching: readonly string[],
  others: readonly string[],
];

function compiled(pattern: string, options = ''): Search {
  const result = compilePattern(pattern, options);
  if (!result.ok) throw new Error(`${pattern}: ${result.reason}`);
  return result.pattern;
}

function behaves(rows: readonly Row[]): void {
  for (const [pattern, options, matching, others] of rows) {
    it(`/${pattern}/${options}`, () => {
      const search = compiled(pattern, options);
      expect(matching.filter((subject) => !search.test(subject))).toEqual([]);
      expect(others.filter((subject) => search.test(subject))).toEqual([]);
      // Both ways of searching agree.
      expect(matching.filter((subject) => !search.find(subject))).toEqual([]);
      expect(others.filter((subject) => search.find(subject))).toEqual([]);
    });
  }
}

describe('a search finds the pattern anywhere', () => {
  behaves([
    ['', '', ['', 'a', '\n'], []],
    ['b', '', ['abc', 'b'], ['B', 'ac']],
    ['a.c', '', ['xabcx', 'a\rc', 'a😀c'], ['a\nc', 'ac']],
    ['a|bc', '', ['xa', 'bc'], ['b', 'c']],
    ['(ab)+c', '', ['ababc'], ['ac']],
    ['a||b', '', ['', 'x'], []],
    ['ab?c{2,3}d*e+', '', ['acce', 'abcccdee'], ['ace', 'acc']],
    ['^a{2}$', '', ['aa'], ['a', 'aaa']],
    ['^a{01}$', '', ['a'], ['']],
    ['^a.{2,}?$', '', ['abc', 'abcd'], ['ab']],
    ['^.$', '', ['😀', 'é'], ['ab']],
    ['^😀{2}$', '', ['😀😀'], ['😀']],
  ]);
});

describe('anchors are those of PCRE', () => {
  behaves([
    ['^a', '', ['ab'], ['ba', 'b\na']],
    ['a$', '', ['ba', 'ba\n'], ['ab', 'a\nb', 'a\n\n']],
    ['a\\Z', '', ['a', 'a\n'], ['a\n\n', 'ab']],
    ['a\\z', '', ['a'], ['a\n']],
    ['\\Aa', 'm', ['a\nb'], ['b\na']],
    ['a\\Z', 'm', ['b\na\n'], ['a\nb']],
    ['^a$', 'm', ['b\na\nc', 'a', 'a\n'], ['ba', 'ab']],
    ['^$', 'm', ['', 'a\n\nb', '\n', 'a\n\n'], ['a', 'a\n']],
    ['^\\s*$', 'm', ['a\n \nb'], ['a\n']],
    ['x|^$', 'm', ['x\n'], ['a\n']],
    ['$a|^b', 'm', ['a\nb\n'], ['ab\n']],
    ['(foo|bar$)', '', ['foox', 'bar\n', 'bar'], ['barx']],
    ['(/|$)(.*)', '', ['a/b', 'a\n', ''], []],
    ['a$|a\\zb', '', ['a\n', 'a'], ['ab']],
    ['^\\n$', '', ['\n', '\n\n'], ['']],
    ['\\bfoo\\b', '', ['a foo.', 'foo'], ['afoo', 'foo_', 'foo1']],
    ['\\Bo', '', ['foo'], ['o']],
    ['\\bé', '', ['aé'], ['é', ' é']],
  ]);
});

describe('options', () => {
  behaves([
    ['straße', 'i', ['STRAßE', 'straẞe'], ['strasse']],
    ['k', 'i', ['K', '\u212a'], ['x']],
    ['s', 'i', ['S', 'ſ'], []],
    ['σ', 'i', ['Σ', 'ς'], []],
    ['[^k]', 'i', ['x'], ['K', '\u212a', 'k']],
    ['[а-я]', 'i', ['Я'], ['Z']],
    ['[^é\\d]', 'i', ['k', 'S'], ['É', '1']],
    ['[^É\\p{Lu}]', 'i', ['s', 'k'], ['é', 'S']],
    ['\\w', 'i', ['a'], ['ſ', '\u212a']],
    ['[[:upper:]]', 'i', ['a', 'A'], ['1']],
    ['\\p{Lu}', 'i', ['A'], ['a']],
    ['a.b', 's', ['a\nb'], ['ab']],
    ['a . b # rest', 'x', ['a.b', 'axb'], ['a . b']],
    ['a \\  b', 'x', ['a b'], ['ab']],
    ['a\\ b[ #]', 'x', ['a b#', 'a b '], ['a b']],
    ['# one\na # two\nb', 'x', ['ab'], ['a']],
    ['^a +$', 'x', ['aaa'], ['a ']],
    ['^a + ?b {2}$', 'x', ['aabb'], ['ab']],
    ['A.C', 'is', ['a\nc'], ['ab']],
    ['a(?i)b|c', '', ['aB', 'C'], ['AB']],
    ['(?i:a)b', '', ['Ab'], ['AB']],
    ['((?i)a)b', '', ['Ab'], ['AB']],
    ['(?-i)a', 'i', ['a'], ['A']],
    ['(?^)a', 'i', ['a'], ['A']],
    ['(?^i:a).', 's', ['A\n'], ['b']],
    ['(?i-i:a)', '', ['a'], ['A']],
    ['(?x) a b (?-x) c', '', ['ab c'], ['abc']],
    ['(?m)^b', '', ['a\nb'], ['ab']],
    ['(?s).', '', ['\n'], ['']],
    ['(?xx)[a b]', '', ['b'], [' ']],
  ]);
});

describe('escapes', () => {
  behaves([
    ['^\\d\\D\\w\\W$', '', ['1aa-', '2-_é'], ['aaa-', '٣aa-', '1aéa']],
    ['^\\s$', '', [' ', '\t', '\n', '\x0b', '\f', '\r'], ['\u00a0', '\x85', 'a']],
    ['^\\S$', '', ['\u00a0', 'a'], ['\x0b', ' ']],
    ['^\\h$', '', [' ', '\t', '\u00a0', '\u3000'], ['\n', 'a']],
    ['^\\H$', '', ['a', '\n\n'].slice(0, 1), [' ', '\u2003']],
    ['^\\v\\z', '', ['\n', '\x0b', '\x85', '\u2028'], [' ', 'v']],
    ['^\\V$', '', ['v', ' '], ['\r', '\u2029']],
    ['^a\\Rb$', '', ['a\nb', 'a\r\nb', 'a\rb', 'a\u2028b'], ['ab', 'a\n\rb']],
    ['^\\N$', 's', ['a', '\r'], ['\n\n']],
    ['^\\N{2}$', '', ['ab'], ['a']],
    ['\\N{U+1F600}', '', ['😀'], ['U']],
    ['^\\e\\a\\f\\t\\r\\n', '', ['\x1b\x07\f\t\r\n'], ['eaf']],
    ['\\x41\\x{1F600}\\x{e9}', '', ['A😀é'], ['A😀e']],
    ['^\\x4g\\x$', '', ['\x04g\0'], ['4g']],
    ['^\\0\\01\\012\\0101', '', ['\0\x01\n\b1'], ['0']],
    ['^\\11\\101\\18$', '', ['\tA\x018'], ['A']],
    ['\\o{101}', '', ['A'], ['o']],
    ['\\cA\\c[', '', ['\x01\x1b'], ['cA']],
    ['\\Qa.b*\\E+', '', ['a.b**'], ['axb']],
    ['\\Q\\d', '', ['\\d'], ['1']],
    ['a\\E+\\Q\\E{2}|b', '', ['b'], []].slice(0, 0) as unknown as Row,
    ['\\.\\*\\_\\-\\/\\é', '', ['.*_-/é'], ['a*_-/é']],
    ['^\\p{Lu}\\p{Ll}\\P{L}\\pN$', '', ['Éa-٣'], ['ea-1']],
    ['\\p{^Lu}', '', ['a'], ['A']],
    ['^\\p{Greek}\\p{greek}\\p{Script=Old Italic}$', '', ['αβ𐌀'], ['ab𐌀']],
    ['\\p{L&}', '', ['a', 'Ǆ'], ['ª', '中']],
    ['^\\p{Any}\\p{ASCII}$', '', ['éa'], ['éé']],
  ].filter((row) => row.length === 4) as readonly Row[]);
});
