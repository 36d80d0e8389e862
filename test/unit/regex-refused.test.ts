// What is refused, with the words that say so; and what is hostile, which must be answered, and at once.
import { describe, expect, it } from 'vitest';
import { WorkBudget } from '../../src/domain/work/work.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import {
  compileEcma,
  compileFullMatch,
  compilePattern,
  literalPrefix,
} from '../../src/query/regex/pattern.ts';

describe('what a search has no use for is refused by name', () => {
  it.each([
    ['(?C1)a', 'a callout (?C…) is not supported (at position 0)'],
    ['(?(?C1)(?=a)b)', 'a callout (?C…) is not supported (at position 0)'],
    ['\\C', 'a single code unit \\C is not supported (at position 0)'],
    ['(*sr:a)', 'a script run (*sr:…) is not supported (at position 0)'],
    ['\\p{bc=L}', 'the Unicode property \\p{bc=L} is not known (at position 0)'],
    ['\\p{=Greek}', 'the Unicode property \\p{=Greek} is not known (at position 0)'],
    ['\\p{IsGreek}', 'the Unicode property \\p{IsGreek} is not known (at position 0)'],
  ])('%s', (pattern, reason) => {
    expect(compilePattern(pattern, '')).toMatchObject({ ok: false, reason });
  });
});

it.each([
  ['a(b', 'it is no regular expression: Unterminated group'],
  ['ab(?i:c)', 'inline flags (?i:…) are not supported (at position 2)'],
])('of the pattern %s of a schema, the place is told where it is known', (pattern, reason) => {
  expect(compileEcma(pattern)).toEqual({ ok: false, reason });
});

describe('mistakes are told as such', () => {
  it.each([
    ['(', 'a closing parenthesis is missing'],
    ['a)', 'a closing parenthesis has no opening one'],
    ['[a', 'the closing ] of a bracket class is missing'],
    ['[]', 'the closing ] of a bracket class is missing'],
    ['[z-a]', 'the range is out of order'],
    ['[\\d-z]', 'a set cannot begin a range'],
    ['[a-\\d]', 'a set cannot end a range'],
    ['[[:foo:]]', 'the POSIX class [:foo:] is not known'],
    ['[:alpha:]', 'POSIX classes are valid only inside of a bracket class'],
    ['[[.a.]]', 'POSIX collating elements are not supported'],
    ['[\\R]', '\\R is not valid in a bracket class'],
    ['*a', 'a quantifier follows nothing that can be repeated'],
    ['a**', 'a quantifier follows nothing that can be repeated'],
    ['^*', 'a quantifier follows nothing that can be repeated'],
    ['{2}', 'a quantifier follows nothing that can be repeated'],
    ['a{3,2}', 'the numbers of a quantifier are out of order'],
    ['\\', 'a backslash ends the pattern'],
    ['\\y', 'the escape \\y is not known'],
    ['\\u0041', '\\u is not known: write \\x{…} for a code point'],
    ['\\x{zz}', '\\x{…} needs hexadecimal digits'],
    ['\\x{110000}', 'the code point is beyond Unicode'],
    ['\\x{d800}', 'a surrogate is no character'],
    ['\\N{SPACE}', 'after \\N{ only U+ and hexadecimal digits are supported'],
    ['\\c', '\\c must be followed by a printable ASCII character'],
    ['\\p{Nothing}', 'the Unicode property \\p{Nothing} is not known'],
    ['\\p{constructor}', 'the Unicode property \\p{constructor} is not known'],
    ['\\p', '\\p must be followed by a letter or a name in braces'],
    ['(?z)', 'the inline option z is not known'],
    ['(?^-i)', '(?^…) takes no hyphen'],
    ['(?#a', 'the end of a comment (?#…) is missing'],
    ['(?<1>a)', 'the group name is not valid'],
    ['(?<a>b)(?<a>c)', 'two groups have the same name'],
    ['(?|(?<a>b)|(?<c>d))', 'groups of the same number have different names'],
    ['\\8', 'there is no group 8'],
    ['(a)\\2', 'there is no group 2'],
    ['\\g{-1}(a)', 'there is no group -1'],
    ['\\k<n>', 'there is no group named n'],
    ['(?1)', 'there is no group 1'],
    ['(?&n)', 'there is no group named n'],
    ['(?(2)a|b)(c)', 'there is no group 2'],
    ['(?(1)a|b|c)(d)', 'a conditional has more than two branches'],
    ['(?(?*a)b)', 'a non-atomic lookaround is no condition'],
    ['(?(DEFINE)a|b)', 'a definition (?(DEFINE)…) has one branch'],
    ['(?(', 'the condition is not known'],
    ['(?<=a+)b', 'the length of a lookbehind has no limit'],
    ['(?<=\\X)b', 'the length of a lookbehind has no limit'],
    ['(?<!a{65535}a)b', 'a lookbehind is too long'],
    ['(?=a\\K)a', '\\K is not allowed in a lookaround'],
    ['a(*UTF)', 'the verb (*UTF) is not known here'],
    ['(*MARK)a', '(*MARK) needs a name'],
    ['(*foo:a)', 'the assertion (*foo:…) is not known'],
    ['(*UCP)\\b+', 'a quantifier follows nothing that can be repeated'],
    ['(*CR)$*', 'a quantifier follows nothing that can be repeated'],
    ['(*ANY)(?m)^?', 'a quantifier follows nothing that can be repeated'],
    ['\\b+', 'a quantifier follows nothing that can be repeated'],
    ['(*FAIL)+', 'a quantifier follows nothing that can be repeated'],
    ['\\g', '\\g must be followed by a number or a name'],
    ['\\k', '\\k must be followed by a name'],
    ['a{65536}', 'counts to more than 65535'],
    ['(?=a', 'a closing parenthesis is missing'],
    ['a\ud800', 'half a surrogate pair'],
  ])('%s', (pattern, reason) => {
    const compiled = compilePattern(pattern, '');
    expect(compiled.ok ? '' : compiled.reason).toContain(reason);
  });

  it.each(['g', 'I', 'ig', 'u', ' ', '/i'])('the options %j', (options) => {
    expect(compilePattern('x', options)).toMatchObject({
      ok: false,
      reason: 'the options may be i, m, s and x only',
    });
  });

  it('the options may come in any order and more than once', () => {
    expect(compilePattern('A', 'xsi')).toMatchObject({ ok: true });
    expect(compilePattern('A', 'ii')).toMatchObject({ ok: true });
  });
});

describe('patterns over their budget are refused before they cost anything', () => {
  it.each([
    ['too long', 'a'.repeat(LIMITS.regexPattern + 1), 'more than 1000 characters'],
    ['a count beyond all numbers', `a{${'9'.repeat(400)}}`, 'more than 65535'],
    ['parentheses 251 deep', `${'('.repeat(251)}a${')'.repeat(251)}`, 'nested more than 250'],
    ['parentheses 500 deep, never closed', '('.repeat(500), 'nested more than 250'],
  ])('%s', (_, pattern, reason) => {
    const compiled = compilePattern(pattern, '');
    expect(compiled.ok ? '' : compiled.reason).toContain(reason);
  });

  it.each([
    ['a count', 'a{1001}'],
    ['nested counts', '(a{1000}){1000}'],
    ['nested open counts', '((a{100,}){100,}){100,}'],
    ['counts three deep', '(((a{30}){30}){30})'],
    ['a long body', `(?:${'a'.repeat(900)}){900}`],
    ['classes', '(?:\\pL\\pN\\pS\\pP\\pZ){900}'],
  ])('%s that makes too many steps to note each is run by counts', (_, pattern) => {
    const compiled = compilePattern(pattern, '');
    if (!compiled.ok) throw new Error(compiled.reason);
    expect(compiled.pattern.size).toBeLessThan(1_000);
    const budget = new WorkBudget(1_000_000);
    expect(compiled.pattern.test('a'.repeat(5_000), budget)).toBe(pattern === 'a{1001}');
  });

  it('characters are counted, not UTF-16 units', () => {
    expect(compilePattern('😀'.repeat(LIMITS.regexPattern), '')).toMatchObject({ ok: true });
  });
});

describe('hostile patterns are answered on hostile subjects', () => {
  const subject = `${'a'.repeat(5000)}!`;

  it.each([
    ['(a+)+$', false],
    ['^(a|a)*$', false],
    ['(a|aa)+$', false],
    ['(a*)*b', false],
    ['(a*)*$', true],
    ['^(a?){500}a{500}$', false],
    ['(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)=', false],
    ['(x+x+)+y', false],
    ['((((a+)+)+)+)+b', false],
    ['(?:(?:(?:(?:a*)*)*)*)*c', false],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', false],
    ['(a{0,30}){0,30}b', false],
    ['a.{500}b', false],
    ['(?:a|b)*a(?:a|b){200}[cd]', false],
    ['(?:.?){900}!', true],
    ['(|a)+!', true],
    ['(a|b|ab)*c', false],
    ['[a-z]+[a-z]+[a-z]+[a-z]+#', false],
    [`(?:${'|'.repeat(900)})!`, true],
    [`${'a?'.repeat(400)}${'a'.repeat(199)}!`, true],
    [`(?:${Array.from({ length: 240 }, (_, index) => index).join('|')})x`, false],
    [`${'(?:'.repeat(190)}a${')*'.repeat(190)}b`, false],
    ['\\0', false],
    ['\0', false],
    ['a\0?!', true],
    ['[\\x{0}-\\x{10ffff}]*#', false],
  ])('%s', (pattern, expected) => {
    const compiled = compilePattern(pattern, '');
    if (!compiled.ok) throw new Error(compiled.reason);
    expect(compiled.pattern.test(subject)).toBe(expected);
    expect(compiled.pattern.find(subject) !== undefined).toBe(expected);
  });

  it.each(['\ud83d', '\ude00', 'a\ud83d\n', '\ude00\ud83d', '\0', '\uffff', '\u{10ffff}'])(
    'the subject %j',
    (strange) => {
      for (const pattern of ['.', '^.*$', '\\W', '[^a]', '\\p{L}|.', '(?s).+', '😀|\\n|.']) {
        const compiled = compilePattern(pattern, '');
        expect(compiled.ok && compiled.pattern.test(strange)).toBe(true);
      }
    },
  );
});

describe('no text makes the compiler throw', () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
  const places = [
    (char: string) => char,
    (char: string) => `\\${char}`,
    (char: string) => `[${char}`,
    (char: string) => `[${char}]`,
    (char: string) => `[\\${char}]`,
    (char: string) => `[a-${char}]`,
    (char: string) => `(${char}`,
    (char: string) => `(?${char}`,
    (char: string) => `(?${char})`,
    (char: string) => `(?<${char}`,
    (char: string) => `(?P${char}a)`,
    (char: string) => `(*${char}`,
    (char: string) => `a${char}${char}`,
    (char: string) => `a{${char}`,
    (char: string) => `a{1${char}}`,
    (char: string) => `\\x{${char}}`,
    (char: string) => `\\p${char}`,
    (char: string) => `\\p{${char}}`,
    (char: string) => `\\N{${char}}`,
    (char: string) => `\\c${char}`,
    (char: string) => `[[:${char}:]]`,
    (char: string) => `\\Q${char}`,
  ];

  it('every ASCII character, alone and in every place where it may mean something', () => {
    for (const char of ascii) {
      for (const pattern of places.map((place) => place(char))) {
        for (const options of ['', 'imsx']) {
          const compiled = compilePattern(pattern, options);
          if (compiled.ok) compiled.pattern.find(`a${char}\n`);
          else expect(compiled.reason).not.toBe('the pattern is too complex');
          literalPrefix(pattern, options);
        }
        compileFullMatch(pattern);
      }
    }
  });
});
