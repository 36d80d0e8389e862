// What is refused, with the words that say so; and what is hostile, which must be answered, and at once.
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { compileFullMatch, compilePattern, literalPrefix } from '../../src/query/regex/pattern.ts';

describe('constructs that cannot be run in linear time are refused by name', () => {
  it.each([
    ['a(?=b)', 'lookahead (?=…) is not supported (at position 1)'],
    ['a(?!b)', 'negative lookahead (?!…) is not supported (at position 1)'],
    ['(?<=a)b', 'lookbehind (?<=…) is not supported (at position 0)'],
    ['(?<!a)b', 'negative lookbehind (?<!…) is not supported (at position 0)'],
    ['(?*a)', 'non-atomic lookaround (?*…) is not supported (at position 0)'],
    ['(?<*a)', 'non-atomic lookaround (?*…) is not supported (at position 0)'],
    ['(?>a)', 'an atomic group (?>…) is not supported (at position 0)'],
    ['(?|a|b)', 'branch reset (?|…) is not supported (at position 0)'],
    ['(a)?(?(1)b)', 'a conditional (?(…)…) is not supported (at position 4)'],
    ['(?C1)a', 'a callout (?C…) is not supported (at position 0)'],
    ['(?R)', 'recursion or a subroutine call (?R), (?1), (?&name) is not supported (at position 0)'],
    ['(a)(?1)', 'recursion or a subroutine call (?R), (?1), (?&name) is not supported (at position 3)'],
    ['(a)(?-1)', 'recursion or a subroutine call (?R), (?1), (?&name) is not supported (at position 3)'],
    ['(?<n>a)(?&n)', 'recursion or a subroutine call (?R), (?1), (?&name) is not supported (at position 7)'],
    ['(?<n>a)(?P>n)', 'recursion or a subroutine call (?R), (?1), (?&name) is not supported (at position 7)'],
    ['(?P<n>a)(?P=n)', 'a named backreference (?P=name) is not supported (at position 8)'],
    ['a(*UTF8)', 'a verb (*…) is not supported (at position 1)'],
    ['(*UCP)(*LF)a', 'a verb (*…) is not supported (at position 6)'],
    ['(*UCP)a\\b', 'the boundary \\b is not supported under (*UCP) (at position 7)'],
    ['\\p{bc=L}', 'the Unicode property \\p{bc=L} is not known (at position 0)'],
    ['\\p{IsGreek}', 'the Unicode property \\p{IsGreek} is not known (at position 0)'],
    ['a(*SKIP)(*F)', 'a verb (*…) is not supported (at position 1)'],
    ['(a)\\1', 'a backreference \\1 is not supported (at position 3)'],
    ['\\8', 'a backreference \\8 is not supported (at position 0)'],
    [`${'(a)'.repeat(11)}\\11`, 'a backreference \\11 is not supported (at position 33)'],
    ['(?<n>a)\\k<n>', 'a named backreference \\k is not supported (at position 7)'],
    ['(a)\\g1', 'a backreference or subroutine call \\g is not supported (at position 3)'],
    ['a++', 'a possessive quantifier ++ is not supported (at position 1)'],
    ['a*+', 'a possessive quantifier *+ is not supported (at position 1)'],
    ['a?+', 'a possessive quantifier ?+ is not supported (at position 1)'],
    ['a{2}+', 'a possessive quantifier {2}+ is not supported (at position 1)'],
    ['a\\Kb', 'resetting the start of the match with \\K is not supported (at position 1)'],
    ['\\Ga', 'the start-of-search anchor \\G is not supported (at position 0)'],
    ['\\X', 'an extended grapheme cluster \\X is not supported (at position 0)'],
    ['\\C', 'a single code unit \\C is not supported (at position 0)'],
    ['[[:<:]]a', '[[:<:]] and [[:>:]] are not supported (at position 0)'],
    ['(?J)a', 'duplicate group names (?J) are not supported (at position 0)'],
  ])('%s', (pattern, reason) => {
    expect(compilePattern(pattern, '')).toMatchObject({ ok: false, reason });
  });
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
    ['a count too high', 'a{1001}', 'more than 1000'],
    ['a count beyond all numbers', `a{${'9'.repeat(400)}}`, 'more than 1000'],
    ['nested counts', '(a{1000}){1000}', 'more than 1000'],
    ['nested open counts', '((a{100,}){100,}){100,}', 'more than 1000'],
    ['nested three deep', '(((a{30}){30}){30})', 'more than 1000'],
    ['a long body repeated', `(?:${'a'.repeat(900)}){900}`, 'too large'],
    ['classes repeated', '(?:\\pL\\pN\\pS\\pP\\pZ){900}', 'too large'],
    ['parentheses 251 deep', `${'('.repeat(251)}a${')'.repeat(251)}`, 'nested more than 250'],
    ['parentheses 500 deep, never closed', '('.repeat(500), 'nested more than 250'],
  ])('%s', (_, pattern, reason) => {
    const compiled = compilePattern(pattern, '');
    expect(compiled.ok ? '' : compiled.reason).toContain(reason);
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
