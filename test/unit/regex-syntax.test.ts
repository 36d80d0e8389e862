// What patterns mean: each of PCRE's constructs, with subjects that match and subjects that do not.
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../src/query/regex/pattern.ts';

type Row = readonly [
  pattern: string,
  options: string,
  matching: readonly string[],
  others: readonly string[],
];

function behaves(rows: readonly Row[]): void {
  for (const [pattern, options, matching, others] of rows) {
    it(`/${pattern}/${options}`, () => {
      const compiled = compilePattern(pattern, options);
      if (!compiled.ok) throw new Error(compiled.reason);
      const search = compiled.pattern;
      expect(matching.filter((subject) => !search.test(subject))).toEqual([]);
      expect(others.filter((subject) => search.test(subject))).toEqual([]);
      // Both ways of searching agree.
      expect(matching.filter((subject) => !search.find(subject))).toEqual([]);
      expect(others.filter((subject) => search.find(subject))).toEqual([]);
    });
  }
}

describe('a pattern is found anywhere in a subject', () => {
  behaves([
    ['', '', ['', 'a', '\n'], []],
    ['b', '', ['abc', 'b'], ['B', 'ac']],
    ['a.c', '', ['xabcx', 'a\rc', 'a😀c'], ['a\nc', 'ac']],
    ['a|bc', '', ['xa', 'bc'], ['b', 'c']],
    ['a||b', '', ['', 'x'], []],
    ['(ab)+c', '', ['ababc'], ['ac']],
    ['^.$', '', ['😀', 'é'], ['ab']],
    ['^😀{2}$', '', ['😀😀'], ['😀']],
  ]);
});

describe('quantifiers', () => {
  behaves([
    ['ab?c{2,3}d*e+', '', ['acce', 'abcccdee'], ['ace', 'acc']],
    ['^a{2}$', '', ['aa'], ['a', 'aaa']],
    ['^a{01}$', '', ['a'], ['', 'aa']],
    ['^a{0}b$', '', ['b'], ['ab']],
    ['^a.{2,}?$', '', ['abc', 'abcd'], ['ab']],
    ['^(?U)a+$', '', ['aaa'], ['b']],
    ['^(?:a*)*b$', '', ['b', 'aaab'], ['a']],
    ['^a(?#comment)+$', '', ['aaa'], ['b']],
  ]);
});

describe('a brace that begins no quantifier is a brace', () => {
  behaves([
    ['a{', '', ['a{'], ['a']],
    ['a{1', '', ['a{1'], ['a']],
    ['a{1,', '', ['a{1,'], ['a']],
    ['a{,3}', '', ['a{,3}'], ['aaa']],
    ['a{b}', '', ['a{b}'], ['ab']],
    ['{}', '', ['{}'], ['{']],
    ['a{2 }', '', ['a{2 }'], ['aa']],
    [']}', '', [']}'], [']']],
  ]);
});

describe('anchors', () => {
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
    ['^|a\\Z', 'm', ['b\n'], []],
    ['(foo|bar$)', '', ['foox', 'bar\n', 'bar'], ['barx']],
    ['(/|$)(.*)', '', ['a/b', 'a\n', ''], []],
    ['a$|a\\zb', '', ['a\n', 'a'], ['ab']],
    ['^\\n$', '', ['\n', '\n\n'], ['']],
    ['\\bfoo\\b', '', ['a foo.', 'foo'], ['afoo', 'foo_', 'foo1']],
    ['\\Bo', '', ['foo'], ['o']],
    ['a\\bé', '', ['aé'], ['ab']],
  ]);
});

describe('options', () => {
  behaves([
    ['a.b', 's', ['a\nb'], ['ab']],
    ['A.C', 'is', ['a\nc'], ['ab']],
    ['a . b # rest', 'x', ['a.b', 'axb'], ['a . b']],
    ['a \\  b', 'x', ['a b'], ['ab']],
    ['a\\ b[ #]', 'x', ['a b#', 'a b '], ['a b']],
    ['# one\na # two\nb', 'x', ['ab'], ['a']],
    ['^a +$', 'x', ['aaa'], ['a ']],
    ['^a + ?b {2}$', 'x', ['aabb'], ['ab']],
    ['a\u2028\u0085b', 'x', ['ab'], ['a\u2028b']],
    ['a(?i)b|c', '', ['aB', 'C'], ['AB']],
    ['(?i:a)b', '', ['Ab'], ['AB']],
    ['((?i)a)b', '', ['Ab'], ['AB']],
    ['(?-i)a', 'i', ['a'], ['A']],
    ['(?^)a', 'i', ['a'], ['A']],
    ['(?^i:a).', 's', ['A\n'], ['b']],
    ['(?i-i:a)', '', ['a'], ['A']],
    ['(?)a', '', ['a'], ['b']],
    ['(?x) a b (?-x) c', '', ['ab c'], ['abc']],
    ['(?m)^b', '', ['a\nb'], ['ab']],
    ['(?s).', '', ['\n'], ['']],
    ['(?xx)[a b]', '', ['b'], [' ']],
  ]);
});

describe('option i folds case as Unicode does, one character for one', () => {
  behaves([
    ['straße', 'i', ['STRAßE', 'straẞe'], ['strasse']],
    ['k', 'i', ['K', '\u212a'], ['x']],
    ['s', 'i', ['S', 'ſ'], ['x']],
    ['σ', 'i', ['Σ', 'ς'], ['x']],
    ['i', 'i', ['I'], ['ı', 'İ']],
    ['[^k]', 'i', ['x'], ['K', '\u212a', 'k']],
    ['[а-я]', 'i', ['Я', 'я'], ['Z']],
    ['[^é\\d]', 'i', ['k', 'S'], ['É', '1']],
    ['[^É\\p{Lu}]', 'i', ['s', 'k'], ['é', 'S']],
    ['[\\x{80}-\\x{10ffff}]', 'i', ['é', 'k', 'S'], ['a']],
    ['\\w', 'i', ['a'], ['ſ', '\u212a']],
    ['[[:upper:]]', 'i', ['a', 'A'], ['1']],
    ['\\p{Lu}', 'i', ['A'], ['a']],
  ]);
});

describe('escapes', () => {
  behaves([
    ['^\\d\\D\\w\\W$', '', ['1aa-', '2-_é'], ['aaa-', '٣aa-', '1aéa']],
    ['^\\s\\z', '', [' ', '\t', '\n', '\x0b', '\f', '\r'], ['\u00a0', '\x85', 'a']],
    ['^\\S$', '', ['\u00a0', 'a'], ['\x0b', ' ']],
    ['^\\h$', '', [' ', '\t', '\u00a0', '\u3000'], ['\n', 'a']],
    ['^\\H$', '', ['a', '\r'], [' ', '\u2003']],
    ['^\\v\\z', '', ['\n', '\x0b', '\x85', '\u2028'], [' ', 'v']],
    ['^\\V$', '', ['v', ' '], ['\r', '\u2029']],
    ['^a\\Rb$', '', ['a\nb', 'a\r\nb', 'a\rb', 'a\u2028b'], ['ab', 'a\n\rb']],
    ['^\\N{2}$', 's', ['ab', 'a\r'], ['a', 'a\na']],
    ['\\N{U+1F600}', '', ['😀'], ['U']],
    ['^\\e\\a\\f\\t\\r\\n', '', ['\x1b\x07\f\t\r\n'], ['eaf']],
    ['\\x41\\x{1F600}\\x{e9}', '', ['A😀é'], ['A😀e']],
    ['^\\x4g\\x$', '', ['\x04g\0'], ['4g']],
    ['^\\0\\01\\012\\0101$', '', ['\0\x01\n\b1'], ['0']],
    ['^\\11\\101\\18$', '', ['\tA\x018'], ['A']],
    ['\\o{101}', '', ['A'], ['o']],
    ['\\cA\\c[\\cz', '', ['\x01\x1b\x1a'], ['cA']],
    ['\\Qa.b*\\E+', '', ['a.b**'], ['axb']],
    ['\\Q\\d', '', ['\\d'], ['1']],
    ['^\\Q a#\\E$', 'x', [' a#'], ['a']],
    ['^a\\E+\\Q\\Eb$', '', ['aab'], ['b']],
    ['\\.\\*\\_\\-\\/\\é', '', ['.*_-/é'], ['a*_-/é']],
    ['^\\p{Lu}\\p{Ll}\\P{L}\\pN$', '', ['Éa-٣'], ['ea-1']],
    ['\\p{^Lu}', '', ['a'], ['A']],
    ['\\P{^Lu}', '', ['A'], ['a']],
    ['^\\p{Greek}\\p{ greek }\\p{sc:Old_Italic}$', '', ['αβ𐌀'], ['ab𐌀']],
    ['\\p{L&}', '', ['a', 'ǅ'], ['ª', '中']],
    ['^\\p{SignWriting}$', '', ['\u{1D800}'], ['a']],
    ['\\p{^ l_u }', '', ['a'], ['A']],
    ['^\\p{Any}\\p{ASCII}$', '', ['éa'], ['éé']],
  ]);
});

describe('bracket classes', () => {
  behaves([
    ['^[a-c]$', '', ['a', 'c'], ['d', '-']],
    ['^[^a-c]$', '', ['d', '\u{1F600}', '\r'], ['a']],
    ['[^a]', '', ['\n'], ['a']],
    ['^[]abc]$', '', [']', 'a'], ['[']],
    ['^[^]abc]$', '', ['['], [']', 'a']],
    ['^[-a]$', '', ['-', 'a'], ['b']],
    ['^[a-]$', '', ['-', 'a'], ['b']],
    ['^[a-c-e]$', '', ['-', 'b', 'e'], ['d']],
    ['^[a\\-c]$', '', ['-', 'a'], ['b']],
    ['^[+--]$', '', ['+', ',', '-'], ['.']],
    ['^[\\d_-]$', '', ['1', '_', '-'], ['a']],
    ['^[\\D]$', '', ['a'], ['1']],
    ['^[^\\W\\d]$', '', ['a', '_'], ['1', '-', 'é']],
    ['^[\\s\\S]\\z', '', ['\n', 'a'], ['']],
    ['[^\\s\\S]', '', [], ['a', '\n', '']],
    ['^[\\b\\x41-\\x43\\n\\e]\\z', '', ['\b', 'B', '\n', '\x1b'], ['b']],
    ['^[\\1\\8\\101]$', '', ['\x01', '8', 'A'], ['1']],
    ['^[.*+?(){}|^$#[]$', '', ['.', '(', '^', '$', '['], ['a', ']']],
    ['^[[:alpha:][:digit:]]$', '', ['a', '1'], ['-', 'é']],
    ['^[[:^alpha:]]$', '', ['1', 'é'], ['a']],
    ['^[^[:space:]]$', '', ['a'], [' ', '\x0b']],
    ['^[[:punct:]]$', '', ['!', '$', '~'], ['a', ' ']],
    ['^[[:xdigit:]]+$', '', ['09afAF'], ['g']],
    ['^[[:word:]][[:blank:]][[:cntrl:]]$', '', ['_\t\x7f'], ['_\r\x7f']],
    ['^[[:graph:]][[:print:]][[:ascii:]]$', '', ['!  '], ['   ']],
    ['^[[:alpha]$', '', ['[', ':', 'p'], ['z']],
    ['^[\\p{L}\\P{Ll}]$', '', ['a', '1'], ['']],
    ['^[\\Qa]-\\E]$', '', [']', '-', 'a'], ['b']],
    ['^[a-\\Qc\\E]$', '', ['b'], ['-']],
    ['^[😀-😂]$', '', ['😁'], ['😃']],
  ]);
});

describe('groups', () => {
  behaves([
    ['(?:a|b)c', '', ['bc'], ['c']],
    ["(?'n'a)(?<m>b)(?P<é_1>c)", '', ['abc'], ['ab']],
    ['()', '', [''], []],
    ['(?n)(a)', '', ['a'], ['b']],
    ['a(?#(comment)b', '', ['ab'], ['a(']],
    ['(a)(b)(c)(d)(e)(f)(g)(h)(i)\\11', '', ['abcdefghi\t'], ['abcdefghi']],
    [`${'('.repeat(250)}a${')'.repeat(250)}`, '', ['a'], ['b']],
  ]);
});

describe('names of properties', () => {
  behaves([
    // What is in no set is in none, whatever follows it.
    ['\\P{Any}', '', [], ['', 'a']],
    ['\\P{Any}a]', '', [], ['a]', 'a', ']']],
    ['^(?:\\P{Any}|a)$', '', ['a'], ['', 'b']],
    ['^[\\P{Any}a]$', '', ['a'], ['b', '']],
    ['^[^\\P{Any}]$', '', ['a', '\n'], ['', 'ab']],
    ['^a\\P{Any}*b$', '', ['ab'], ['acb']],
    // Scripts are asked for with their extensions; sc leaves these out.
    ['^\\p{Katakana}+$', '', ['カー', '・'], ['あ']],
    ['^\\p{sc:Katakana}+$', '', ['カ'], ['ー', '・']],
    ['^\\p{scx=Kana}\\p{Script_Extensions:Katakana}$', '', ['ーー'], ['ああ']],
    ['^\\P{Katakana}$', '', ['あ', 'a'], ['カ', 'ー']],
    ['^[^\\p{Katakana}]$', '', ['a'], ['ー']],
    ['^\\p{Grek}\\p{greek}\\p{ G R E E K }$', '', ['αβγ'], ['abc']],
    ['^\\p{olditalic}\\p{sc=Qaai}$', '', ['𐌀\u0301'], ['a\u0301']],
    // Categories by their long names, PCRE's own sets, and properties of yes and no.
    ['^\\p{Letter}\\p{Uppercase_Letter}\\p{decimal number}$', '', ['aB1'], ['abc']],
    ['^\\p{Cn}$', '', ['\u0378'], ['a']],
    ['^\\p{Xan}+$', '', ['aé٣'], ['_', ' ']],
    ['^\\P{Xan}+$', '', ['_ -'], ['a']],
    ['^\\p{Xwd}+$', '', ['aé٣_'], ['-']],
    ['^\\p{Xps}\\p{Xsp}$', '', ['\u2003\v', '\x85\t'], ['ab']],
    ['^\\p{Xuc}$', '', ['$', '@', '`', '\xa0', '😀'], ['a', '\x9f']],
    ['^\\p{Alphabetic}\\p{lower}\\p{White_Space}$', '', ['中a '], ['1a ']],
    ['^\\p{L &}$', '', ['a'], ['中']],
  ]);
});

describe('what a pattern says of itself first', () => {
  behaves([
    ['(*UTF8)^é.$', '', ['é😀'], ['é']],
    ['(*UTF)a', '', ['xa'], ['b']],
    ['(*UCP)^\\w\\d\\s$', '', ['é٣\u2003'], ['-٣\u2003', 'é٣a']],
    ['(*UTF)(*UCP)^\\W\\D\\S$', '', ['-aé'], ['éaa']],
    ['(*UCP)^(?^:\\w)$', '', ['é'], ['-']],
    ['(*UCP)^[\\d_[:upper:]]$', '', ['٣', '_', 'É'], ['é']],
    ['(*UCP)^[[:upper:]]$', 'i', ['é'], ['1']],
    ['(*UCP)^[[:punct:]]$', '', ['!', '$', '«'], ['€', 'a']],
    ['(*UCP)^[[:graph:]][[:print:]]$', '', ['é\u2003'], ['\u2003é', '\u061ca']],
    ['(*UCP)^[[:^alpha:]][[:xdigit:]]$', '', ['1f'], ['é1', '1é']],
    ['^\\w$', '', ['a'], ['é']],
  ]);
});
