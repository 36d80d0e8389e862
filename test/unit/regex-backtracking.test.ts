// What needs backtracking, as PCRE2 10.42 answers it: where the match lies, and what its groups hold.
import { describe, expect, it } from 'vitest';
import { WorkBudget } from '../../src/domain/work/work.ts';
import { compilePattern } from '../../src/query/regex/pattern.ts';

/** The match and its groups, `-` for one that is not set; null for no match. */
type Answer = readonly [match: string, ...groups: readonly string[]] | null;
type Row = readonly [pattern: string, subject: string, answer: Answer, options?: string];

function answers(rows: readonly Row[]): void {
  it.each(rows.map((row) => [row[0], row[1], row] as const))('%s on %j', (pattern, subject, row) => {
    const [, , answer, options = ''] = row;
    const compiled = compilePattern(pattern, options);
    if (!compiled.ok) throw new Error(compiled.reason);
    const found = compiled.pattern.find(subject);
    const shown = found && [
      subject.slice(found.index, found.end),
      ...found.captures.map((capture) => capture ?? '-'),
    ];
    expect(shown ?? null).toEqual(answer);
    expect(compiled.pattern.test(subject)).toBe(answer !== null);
  });
}

describe('lookarounds', () => {
  answers([
    ['foo(?=bar)', 'foobaz foobar', ['foo']],
    ['foo(?!bar)', 'foobar foobaz', ['foo']],
    ['(?<=a|bc)x', 'bcx', ['x']],
    ['(?<=a(?(DEFINE)(b*)))x', 'ax', ['x', '-']],
    ['(?<!a)b', 'ab', null],
    ['(?=(a+))a*b\\1', 'baaabac', ['aba', 'a']],
    ['(?!(a)b)a', 'ac', ['a', '-']],
    ['(?<=(?<=a)b)c', 'abc', ['c']],
    ['(?<=(?:a|bc){1,2}d)x', 'abcdx', ['x']],
    ['(?<=^|,)x', 'a,x', ['x']],
    ['(?<=.)b', '\nb', null],
    ['(?<=😀)b', '😀b', ['b']],
    ['(?=(a))?b\\1', 'ab', null],
    ['(?=(a))??aa', 'aa', ['aa', '-']],
    ['(*napla:.*(.))(?:\\1)', 'xyx', ['x', 'x']],
    ['(*pla:a)a(*nla:b)c(*plb:ac)d(*nlb:x)e', 'acde', ['acde']],
    ['^(?=.*\\d)(?=.*[a-z])(?!.*\\s).{4,}$', 'abc1', ['abc1']],
    ['^(?=.*\\d)(?=.*[a-z])(?!.*\\s).{4,}$', 'ab c1', null],
  ]);
});

describe('backreferences', () => {
  answers([
    ['(a)\\1', 'baa', ['aa', 'a']],
    ['(a)?\\1b', 'b', null],
    ['(a|b\\1)+', 'ababab', ['aba', 'ba']],
    ['\\2(a)(b)', 'ab', null],
    ["(?<n>a)\\k<n>\\k'n'\\k{n}\\g{n}(?P=n)", 'aaaaaa', ['aaaaaa', 'a']],
    ['(a)(b)\\g{-1}\\g-2', 'abba', ['abba', 'a', 'b']],
    ['(é)\\1', 'éÉ', ['éÉ', 'é'], 'i'],
    ['(σ)\\1', 'σς', ['σς', 'σ'], 'i'],
    ['(a)(?i:\\1)', 'aA', ['aA', 'a']],
    ['(?:(a)|(b))*', 'ab', ['ab', 'a', 'b']],
    ['(?J)(?:(?<n>a)|(?<n>b))\\k<n>', 'abb', ['bb', '-', 'b']],
    ['(?|(a)|(b))\\1', 'abb', ['bb', 'b']],
    ['(?|(a)(b)|(c))(d)', 'cd', ['cd', 'c', '-', 'd']],
    ['(\\w)(?<x>\\w)\\k<x>\\1', 'xabba', ['abba', 'a', 'b']],
  ]);
});

describe('atomic groups and possessive quantifiers', () => {
  answers([
    ['a++a', 'aaa', null],
    ['(?>a|ab)c', 'abc', null],
    ['(?>a*?)b', 'aab', ['b']],
    ['(?>(a+))b', 'aaab', ['aaab', 'aaa']],
    ['((a)|b)*+', 'ab', ['ab', 'b', 'a']],
    ['(*atomic:a|ab)c', 'abc', null],
    ['"[^"]*+"', 'x"ab"', ['"ab"']],
    ['\\R\\n', '\r\n', null],
    ['\\X\\x{301}', 'a\u0301', null],
    ['^\\X$', '👨\u200d👩', ['👨\u200d👩']],
  ]);
});

describe('conditionals', () => {
  answers([
    ['^(a)?(?(1)b|c)$', 'ab', ['ab', 'a']],
    ['^(a)?(?(1)b|c)$', 'b', null],
    ["^(?<n>a)?(?(<n>)b|c)(?('n')d|e)$", 'ce', ['ce', '-']],
    ['(?(abc)x|y)(?<abc>z)', 'yz', ['yz', 'z']],
    ['^(?(?=(a))ab|cd)', 'ab', ['ab', 'a']],
    ['^(?(?!(a))cd|ab\\1)', 'aba', ['aba', 'a']],
    ['(?(?<=x)y|z)', 'xyz', ['y']],
    ['^(?<n>(?(R&n)b|a(?&n)c))$', 'abc', ['abc', 'abc']],
    ['(?(DEFINE)(?<x>q))(?&x)', 'aq', ['q', '-']],
    ['(?(VERSION>=10.4)yes|no)', 'yes no', ['yes']],
    ['(?(VERSION=8)yes|no)', 'no', ['no']],
  ]);
});

describe('subroutine calls and recursion', () => {
  answers([
    ['^(.|(.)(?1)\\2)$', 'abcba', ['abcba', 'abcba', 'a']],
    ['^(.|(.)(?1)\\2)$', 'abab', null],
    ['(a(b)?)(?1)', 'abab', ['abab', 'ab', 'b']],
    ['^(a|ab)(?1)c$', 'ababc', ['ababc', 'ab']],
    ['\\((?:[^()]++|(?R))*+\\)', 'x(a(b)c)y', ['(a(b)c)']],
    ['a(?R)?b', 'aaabbb', ['aaabbb']],
    ['(a)(?-1)(?+1)(c)', 'aacc', ['aacc', 'a', 'c']],
    ['(?P>n)(?<n>a)\\g<n>\\g<1>', 'aaaa', ['aaaa', 'a']],
    ['((?i)a)(?1)', 'aA', ['aA', 'a']],
    ['(a)(?i)(?1)', 'aA', null],
    ['(a){0}(?1)', 'a', ['a', '-']],
    ['-(?R)d|d+', '-dd', ['dd']],
    ['(-(?1)d|d+)', '-dd', ['-dd', '-dd']],
    ['(?(DEFINE)(?<byte>25[0-5]|\\d{1,2}))^(?&byte)(?:\\.(?&byte)){3}$', '1.22.255.9', ['1.22.255.9', '-']],
  ]);
});

describe('where a match begins', () => {
  answers([
    ['foo\\Kbar', 'foobar', ['bar']],
    ['(foo)\\Kbar', 'foobar', ['bar', 'foo']],
    ['(?>a\\Kb)c|ab.', 'abd', ['abd']],
    ['(?:a\\Kb)*', 'ababab', ['b']],
    ['\\Gb', 'ab', null],
    ['[[:<:]]a[[:>:]]', 'ba a', ['a']],
  ]);

  it('\\G is where the search began', () => {
    const compiled = compilePattern('\\Gb', '');
    expect(compiled.ok && compiled.pattern.find('ab', 1)).toMatchObject({ index: 1 });
  });
});

describe('turns of a loop that take nothing', () => {
  answers([
    ['(a*)*', 'aa', ['aa', '']],
    ['(|a)+', 'aaa', ['', '']],
    ['(a*?)*?b', 'aab', ['aab', 'a']],
    ['(a{0,1}){3}', 'a', ['a', '']],
    ['((a)?)*b', 'aab', ['aab', '', 'a']],
    ['(?:()|a)*', 'a', ['', '']],
  ]);
});

describe('ends of lines', () => {
  answers([
    ['a$\\n', 'a\n', ['a\n']],
    ['a\\n^', 'a\n', null, 'm'],
    ['(?:$|\\n)', '\n', ['']],
    ['(*CRLF)a$', 'a\r\n', ['a']],
    ['(*CRLF)a.b', 'a\r\nb', null],
    ['(*CRLF)a.b', 'a\rb', ['a\rb']],
    ['(*CR)^b', 'a\rb', ['b'], 'm'],
    ['(*ANYCRLF)a.b', 'a\nb', null],
    ['(*ANY)a$', 'a\u2029', ['a']],
    ['(*NUL)a.b', 'a\0b', null],
    ['(*BSR_ANYCRLF)a\\Rb', 'a\x85b', null],
    ['(*CRLF)\\N+', '\r\n\r', ['\r']],
    // No match begins between CR and LF, by either engine, unless the pattern names one of them.
    ['(*CRLF)[^a]b', '\r\nb', null],
    ['(*CRLF)[^a]b', '\r\r\nb\nb', ['\nb']],
    ['(*ANYCRLF)(?:[^a])b', 'x\r\nb', null],
    ['(*ANY)[^a](?=b)', '\r\nb', null],
    ['(*CRLF)[\\x01-\\x0b]b', '\r\nb', null],
    ['(*CRLF)[\\x01-\\x0b]b', '\nb', ['\nb']],
    ['(*CRLF)\\nb', '\r\nb', ['\nb']],
    ['(*LF)[^a]b', '\r\nb', ['\nb']],
    ['(*NOTEMPTY)K\\K', 'K', null],
    ['(*NOTEMPTY)K\\K|a', 'Ka', ['a']],
    ['(*NOTEMPTY_ATSTART)K\\K', 'K', ['']],
    ['(*NOTEMPTY_ATSTART)K?\\K', 'a', ['']],
    ['(*NOTEMPTY)(*NOTEMPTY_ATSTART)(.^)|(?m:^)', '\n\na', null],
    ['(*NOTEMPTY)a*', 'b', null],
    ['(*NOTEMPTY)', 'b', null],
    ['(*NOTEMPTY)^', 'b', null],
    ['(*NOTEMPTY_ATSTART)a*', 'baa', ['aa']],
    ['(*UCP)\\bé', 'é', ['é']],
  ]);
});

describe('verbs', () => {
  answers([
    ['a(*F)|b', 'ab', ['b']],
    ['x((?:E|(*ACCEPT))b)|(?1)+', 'q', ['', '-']],
    ['x((?:E|(*ACCEPT))b)|(?1)+', 'EbEb', ['EbEb', '-']],
    ['x((?:E|(*ACCEPT))b)|(?1){2,}?y', 'y', ['y', '-']],
    ['(?(DEFINE)(a(*ACCEPT)|ab))(?1)c', 'abc', null],
    ['(?(DEFINE)((?:ab|a)(*ACCEPT)))(?1)bc', 'abc', null],
    ['(?(DEFINE)(a(?1)?(*ACCEPT)))(?1)ac', 'aaac', null],
    ['(a(*ACCEPT)b)c', 'ax', ['a', 'a']],
    ['(?!a(*ACCEPT)b).', 'ab', ['b']],
    ['(?1)b(?(DEFINE)(a(*ACCEPT)x))', 'ab', ['ab', '-']],
    ['(?<=a(*ACCEPT)bc)x', 'ax', ['x']],
    ['(?<=b(*ACCEPT)c)x', 'bcx', null],
    ['(?<=a(*PRUNE)(*FAIL).|ab)x', 'abx', ['x']],
    ['a+(*COMMIT)b', 'aac aab', null],
    ['a(*PRUNE)b|.', 'aac', ['c']],
    ['a+(*SKIP)b|.', 'aaac', ['c']],
    ['a(*MARK:m)a+(*SKIP:m)(*FAIL)|.', 'aaab', ['a']],
    ['a(*SKIP:none)b|c', 'ac', ['c']],
    ['a(?:(*THEN)b)|ac', 'ac', ['ac']],
    ['(?=a(*COMMIT)b)ac|ac', 'ac', null],
    ['(?!a(*COMMIT)b)ac|ac', 'ac', ['ac']],
    ['(?1)|ac(?(DEFINE)(a(*COMMIT)b))', 'ac', ['ac', '-']],
  ]);
});

describe('every step is paid for', () => {
  it.each([
    ['in a loop', '^(?:(?=a)a|b)*$', 6],
    ['in calls', '^(?:(?1)|([ab]))*$', 6],
    ['in a run of characters', '^(?:(?=a)[ab]+|c)*+(?<=b)$', 0.4],
    ['where a match may begin', '(?<=c)(?:a|b)\\1()', 1],
  ])('%s', (_, pattern, perCharacter) => {
    const compiled = compilePattern(pattern, '');
    if (!compiled.ok) throw new Error(compiled.reason);
    const budget = new WorkBudget(1_000_000);
    compiled.pattern.test('ab'.repeat(1_000), budget);
    expect(1_000_000 - budget.left).toBeGreaterThan(2_000 * perCharacter);
  });
});

describe('work that has no end is ended', () => {
  it.each([
    ['recursion at the same place', '(?R)', 'a'],
    ['recursion of two groups', '((?2)|a)((?1)|b)', 'ab'],
    ['recursion without a bound', '(a|(?1)(?1)b)', 'c'.repeat(50)],
    ['nested quantifiers', '^(?:(a+)+\\1)+$', `${'a'.repeat(60)}!`],
    ['nested lookaheads', '^(?:(?=(a*)*b|a)a)*$(?<!a)', 'a'.repeat(40)],
    ['alternatives of a backreference', '^((a)|(a))*\\4?\\2!', 'a'.repeat(60)],
  ])('%s', (_, pattern, subject) => {
    const compiled = compilePattern(pattern, '');
    if (!compiled.ok) {
      expect(compiled.reason).toContain('there is no group');
      return;
    }
    const budget = new WorkBudget(1_000_000);
    expect(compiled.pattern.test(subject, budget)).toBe(false);
  });
});
