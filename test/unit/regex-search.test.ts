// The ways to use a compiled pattern: matches with their groups, whole-subject matches, prefixes and budgets.
import { describe, expect, it } from 'vitest';
import {
  compileFullMatch,
  compilePattern,
  literalPrefix,
  type Search,
} from '../../src/query/regex/pattern.ts';
import { WorkBudget } from '../../src/domain/work/work.ts';

function compiled(pattern: string, options = ''): Search {
  const result = compilePattern(pattern, options);
  if (!result.ok) throw new Error(result.reason);
  return result.pattern;
}

describe('a subject without the texts that a match needs, in their order, is hardly looked at', () => {
  it.each([
    ['lorem.*amet', 'amet and lorem ', false],
    ['(?:ab)+ab', 'abab', true],
    ['(?:ab)+ab', 'ab', false],
    ['(?:ab){2,}c(?=d)', 'ababcd', true],
    ['(?<=x)a.?b|c', 'c', true],
    ['a(?:b.c)+d', 'abxcbxcd', true],
    ['a(?:b.c)+d', 'abxdc', false],
    ['a++.?b', 'aab', true],
    ['e.*t.*z', 'z and t and e ', false],
  ])('%s in %s: %s', (pattern, text, matches) => {
    const search = compiled(pattern);
    expect(search.test(text)).toBe(matches);
    expect(search.find(text) !== undefined).toBe(matches);
  });

  it('and takes no step', () => {
    const search = compiled('lorem.*amet');
    const budget = new WorkBudget(1_000);
    search.test(`amet ${'lorem '.repeat(1_000)}`, budget);
    expect(budget.exceeded).toBe(false);
  });
});

describe('find gives the leftmost match and its groups', () => {
  it.each([
    ['b+', '', 'abbc', 0, { index: 1, end: 3, captures: [] }],
    ['b+', '', 'abbc', 2, { index: 2, end: 3, captures: [] }],
    ['b+', '', 'abbc', 3, undefined],
    ['(a)|(b)', '', 'b', 0, { index: 0, end: 1, captures: [undefined, 'b'] }],
    [
      '(?<year>\\d{4})-(?<month>\\d\\d)',
      '',
      'on 2024-05.',
      0,
      { index: 3, end: 10, captures: ['2024', '05'] },
    ],
    ['(a|ab)(c|bcd)(d*)', '', 'abcd', 0, { index: 0, end: 4, captures: ['a', 'bcd', ''] }],
    ['a+?', '', 'aaa', 0, { index: 0, end: 1, captures: [] }],
    ['(?U)a+', '', 'aaa', 0, { index: 0, end: 1, captures: [] }],
    ['(?n)(a)(?<b>b)', '', 'ab', 0, { index: 0, end: 2, captures: ['b'] }],
    ['(?:a)(b)', '', 'ab', 0, { index: 0, end: 2, captures: ['b'] }],
    ['.', '', '😀b', 0, { index: 0, end: 2, captures: [] }],
    ['b', '', '😀b', 0, { index: 2, end: 3, captures: [] }],
    ['^b', '', 'ab', 1, undefined],
    ['^(b)\\1', '', 'abb', 1, undefined],
    ['^(b)\\1', 'm', 'a\nbb', 1, { index: 2, end: 4, captures: ['b'] }],
    ['(?:^|,)(b)\\1', '', 'a,bb', 1, { index: 1, end: 4, captures: ['b'] }],
    ['\\bb', '', 'ab', 1, undefined],
    ['$', '', 'ab', 0, { index: 2, end: 2, captures: [] }],
    ['b$', '', 'ab\n', 0, { index: 1, end: 2, captures: [] }],
    ['$', '', 'ab\n', 0, { index: 2, end: 2, captures: [] }],
    ['$', '', 'ab\n', 3, { index: 3, end: 3, captures: [] }],
    ['(\\s*)$', '', 'ab \n', 0, { index: 2, end: 4, captures: [' \n'] }],
    ['^', 'm', 'a\n', 1, undefined],
    ['^(.*)$', 'm', 'a\nbc\n', 1, { index: 2, end: 4, captures: ['bc'] }],
    ['', '', '', 0, { index: 0, end: 0, captures: [] }],
  ])('/%s/%s in %j from %i', (pattern, options, subject, from, expected) => {
    expect(compiled(pattern, options).find(subject, from)).toEqual(expected);
  });

  it('finds nothing outside of the subject', () => {
    expect(compiled('').find('ab', 3)).toBeUndefined();
    expect(compiled('').find('ab', -1)).toBeUndefined();
  });
});

describe('a full match takes the whole subject', () => {
  it.each([
    ['a|b', ['a', 'b'], ['ab', 'xa', 'bx', '']],
    ['a|ab', ['a', 'ab'], ['abc']],
    ['a*?', ['', 'aaa'], ['b']],
    ['^a$', ['a'], ['a\n', 'ba']],
    ['^a|b$', ['a', 'b'], ['ax', 'xb']],
    ['(?:.*?a^|)', [''], ['a', 'ba']],
    ['.?a^b', [], ['ab', 'a', 'b']],
    ['(?m)a\\n^b', ['a\nb'], ['ab']],
    ['.*', ['', 'abc'], ['a\nb', 'a\n']],
    [
      '/resources/.*',
      ['/resources/a/b', '/resources/'],
      ['/resources', '/users/resources/a', '/RESOURCES/a'],
    ],
    ['/users/(me|[0-9a-f]{24})(/.*)?', ['/users/me', '/users/me/x'], ['/users/me2', '/users/men/x']],
    ['(?i)/a', ['/A'], ['/A/']],
    ['a # not a comment', ['a # not a comment'], ['a']],
    ['(?x)a # a comment', ['a'], ['a # a comment']],
    ['(?m)^a$', ['a'], ['a\na', 'b\na']],
    ['\\Qa|b\\E', ['a|b'], ['a']],
    ['a\\z|b', ['a', 'b'], ['ab']],
    ['', [''], ['a', '\n']],
  ])('%s', (pattern, matching, others) => {
    const full = compileFullMatch(pattern);
    if (!full.ok) throw new Error(full.reason);
    expect(matching.filter((subject) => !full.pattern.test(subject))).toEqual([]);
    expect(others.filter((subject) => full.pattern.test(subject))).toEqual([]);
  });

  it('does not take a parenthesis out of its own group', () => {
    expect(compileFullMatch('a)|(b')).toMatchObject({ ok: false });
  });
});

describe('the literal prefix', () => {
  it.each([
    ['^abc', '', 'abc'],
    ['\\Aabc', 'm', 'abc'],
    ['^(abc)', '', 'abc'],
    ['^a\\.\\x62\\Q*\\E', '', 'a.b*'],
    ['^ a b', 'x', 'ab'],
    ['^abc', 's', 'abc'],
    ['^abc$', '', 'abc'],
    ['^abc.*', '', 'abc'],
    ['^abc*', '', 'ab'],
    ['^abc?d', '', 'ab'],
    ['^abc{0,2}', '', 'ab'],
    ['^abc+d', '', 'abc'],
    ['^a(?:bc){2}d', '', 'abc'],
    ['^a[bc]', '', 'a'],
    ['^a\\bb', '', 'ab'],
    ['^^a', '', 'a'],
    ['^(?:abc|abd)e', '', 'ab'],
    ['^abc|^abd', '', 'ab'],
    ['(^a)b', '', 'ab'],
    ['^/\\d', 'i', '/'],
    ['^a(?i)b', '', 'a'],
    ['^(?=.*x)abc', '', 'abc'],
    ['^abc(?!d)', '', 'abc'],
    ['^(?<=a)b', '', 'b'],
    ['^(?>ab)c', '', 'abc'],
    ['^a++b', '', 'a'],
    ['^a\\Kb', '', 'ab'],
    ['^(ab)\\1c', '', 'ab'],
    ['^ab(?1)(c)', '', 'ab'],
    ['^ab(*ACCEPT)cd', '', 'ab'],
    ['^(?:ab(*ACCEPT)|abc)d', '', 'ab'],
    ['^(?:a(*ACCEPT)b|ab)c', '', 'a'],
    ['^a(?|(b)|(bc))', '', 'ab'],
    ['^(?(DEFINE)(?<x>a))b', '', undefined],
    ['^(?(?=a)ab|ac)', '', undefined],
    ['(?=^abc)', '', undefined],
    ['(?<!x)^abc', '', undefined],
    ['\\Gabc', '', undefined],
    ['(*CRLF)^abc', 'm', undefined],
    ['^é😀', '', 'é😀'],
    ['^(?:😀|😁)', '', undefined],
    ['^abc', 'i', undefined],
    ['^abc', 'm', undefined],
    ['abc', '', undefined],
    ['^abc|d', '', undefined],
    ['(?:^)?abc', '', undefined],
    ['(^a)?b', '', undefined],
    ['a^b', '', undefined],
    ['^', '', undefined],
    ['^(', '', undefined],
    ['^a', 'q', undefined],
  ])('of /%s/%s', (pattern, options, expected) => {
    expect(literalPrefix(pattern, options)).toEqual(expected);
  });
});

describe('text that every match needs', () => {
  const needs = (pattern: string) => {
    const budget = new WorkBudget(1_000_000);
    compiled(pattern).test('x'.repeat(1_000), budget);
    return 1_000_000 - budget.left;
  };

  it.each(['(.)\\1.*foo', '(?<=a)(.)\\1(?:foo)+', '(?:(.)\\1|b)(?>foo)', '(.)\\1\\Kfoo(?=b)'])(
    'is looked for before /%s/ is run',
    (pattern) => {
      expect(needs(pattern)).toBeLessThan(100);
    },
  );

  it.each([
    ['(.)\\1(?=foo)', 'aafoo'],
    ['(.)\\1(?:foo)?', 'aa'],
    ['(.)\\1(?:foo|b)', 'aab'],
    ['(.)\\1(?i:FOO)', 'aafoo'],
    ['(.)\\1(*ACCEPT)foo', 'aa'],
    ['(.)\\1(?(1)b|foo)', 'aab'],
    ['(.)\\1(?:foo){0}', 'aa'],
  ])('is not what only some matches of /%s/ have', (pattern, subject) => {
    expect(compiled(pattern).test(subject)).toBe(true);
  });
});

describe('budgets', () => {
  it.each([
    ['(a|ab|b)*c', ['b']],
    ['(?:([ab])|())*c', ['b', '']],
    ['((a*)(b?))*c', ['', '', '']],
    ['(?:(a+)+?(b)??b?)*c', ['a', undefined]],
  ])('a search that notes where it was finds the first way to match: %s', (pattern, captures) => {
    const pairs = 3_000;
    const search = compiled(`^(?:${pattern.slice(0, -1)}d|${pattern})`);
    const found = search.find(`${'ab'.repeat(pairs)}c`, 0, new WorkBudget(1_000_000));
    expect(found).toMatchObject({ index: 0, end: 2 * pairs + 1 });
    expect(found?.captures.slice(-captures.length)).toEqual(captures);
  });

  it.each([
    ['(?:(?:(?:a*|b)*x?)*[cd]|(a)*b)', 'b', ['a']],
    ['(?:((a*)*)*[cd]|(a)*b)', 'b', [undefined, undefined, 'a']],
    ['(?:(?:a|aa)+d|a+(b((a?)+)+)+c)', 'bac', ['ba', '', '']],
    ['(?:(?:a|aa)+d|a+(((a?b)*)+)+c)', 'bc', ['', '', 'b']],
  ])('one of loops in loops whose turns may take nothing does: %s', (pattern, end, captures) => {
    const search = compiled(pattern);
    const found = search.find(`${'a'.repeat(1_000)}${end}`, 0, new WorkBudget(1_000_000));
    expect(found).toMatchObject({ index: 0, end: 1_000 + end.length });
    expect(found?.captures).toEqual(captures);
  });

  it.each(['^(?:[^<]|<b>)*$', '^(<b>|x|z)+$', '^(?:x+z?<?b?>?)*$'])(
    'a text of a mebibyte is tested to its end: %s',
    (pattern) => {
      expect(compiled(pattern).test('xz<b>x'.repeat(170_000))).toBe(true);
    },
  );

  it('the memory of a search is bounded', () => {
    const search = compiled(`^${'(?:'.repeat(100)}x?${')*'.repeat(100)}$`);
    const budget = new WorkBudget(100_000_000);
    expect(search.test(`${'x'.repeat(300_000)}!`, budget)).toBe(false);
    expect(budget.exceeded).toBe(true);
  });

  it('each character that is compared with the pattern costs work', () => {
    const search = compiled(`(a)\\1${'a'.repeat(900)}[bc]`);
    const budget = new WorkBudget(100_000_000);
    search.test('a'.repeat(10_000), budget);
    expect(100_000_000 - budget.left).toBeGreaterThan((9_000 * 900) / 10);
  });

  it.each([
    ['^[a-z]+$', 6],
    ['^(?:foo|bar|baz)$', 14],
    ['^.{0,200}$', 404],
  ])('the size of %s is no more than its parts', (pattern, most) => {
    expect(compiled(pattern).size).toBeLessThanOrEqual(most);
  });

  it('a text in which nearly every position is new to the pattern is answered all the same', () => {
    const search = compiled('(?:a|b)*a(?:a|b){14}[cd]');
    // A pseudo-random text in which nearly every position is in a state of its own.
    let bits = 1;
    const text = Array.from({ length: 20_000 }, () => {
      bits = (bits >> 1) ^ (-(bits & 1) & 0xb400);
      return bits & 1 ? 'a' : 'b';
    }).join('');
    for (let at = 0; at + 40 <= text.length; at += 20) {
      const subject = `${text.slice(at, at + 30)}c`;
      expect(search.test(subject)).toBe(subject.at(-16) === 'a');
    }
  });
});

describe('a compiled pattern is kept', () => {
  it('as long as it is among those used last', () => {
    const first = compiled('kept');
    expect(compiled('kept')).toBe(first);
    for (let index = 0; index < 100; index++) compiled(`other${index}`);
    expect(compiled('kept')).not.toBe(first);
  });

  it('apart from the same pattern with other options or for a full match', () => {
    expect(compiled('a', 'i').test('A')).toBe(true);
    expect(compiled('a').test('A')).toBe(false);
    expect(compileFullMatch('a')).not.toBe(compilePattern('a', ''));
    expect(compilePattern('/i/x', '').ok).toBe(true);
    expect(compilePattern('x', '/i').ok).toBe(false);
  });
});
