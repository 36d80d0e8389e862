/**
 * A hundred patterns made to take time, memory or depth without end, by the construct that they misuse. Each must be
 * refused, or answered within its budget, wherever patterns are taken. Plain data.
 */

export type HostilePattern = readonly [name: string, pattern: string];

const nested = (open: string, inside: string, close: string, levels: number): string =>
  open.repeat(levels) + inside + close.repeat(levels);
const list = (length: number, item: (index: number) => string, between = ''): string =>
  Array.from({ length }, (_, index) => item(index)).join(between);

const quantifiers: readonly HostilePattern[] = [
  ['a plus in a plus, then what is not there', '^(a+)+$'],
  ['the same with a reference', '^(a+)+\\1$'],
  ['three levels of plus', '^(((a+)+)+)+$'],
  ['alternatives that overlap', '^(a|aa)+\\b!x'],
  ['alternatives that are equal', '(?:a|a|a|a|a)*(?=b)c'],
  [
    'letters that may be absent, then as many that must be there',
    `(?=x?)${'a?'.repeat(200)}${'a'.repeat(200)}c`,
  ],
  ['stars in a row', `(?=.)${'a*'.repeat(100)}c`],
  ['lazy stars in a row', `(?=.)${'.*?'.repeat(100)}c\\1()`],
  ['turns that take nothing', '(?=)(?:a?|b?|)*c'],
  ['turns that take nothing, nested', `(?!c)${nested('(?:', 'a?', ')*', 80)}c`],
  ['counts in counts', '(?=a)(?:(?:(?:a{1,9}){1,9}){1,9}){1,9}c'],
  ['a count of a thousand, with a reference', '(a)(?:\\1{1,2}){1,500}c'],
  ['the greatest count', '(?=a)a{65535}'],
  ['the greatest counts, nested', '(?=a)(?:(?:a{65535}){65535}){65535}'],
  ['a count of turns that take nothing', '(?=a)(?:){65535}(?:(?:){60000}){60000}c'],
  ['counts of a group that is called', '((?:a?){1,30}){1,30}(?1){1,30}c'],
  ['possessive around what goes back', '(?:(?:a|aa)+b)*+c'],
  ['optional groups, each with a reference', `${'(a?)'.repeat(60)}${list(60, (n) => `\\g{${n + 1}}`)}c`],
];

const references: readonly HostilePattern[] = [
  ['a repeated half', '^(.+)\\1+$'],
  ['two repeated halves', '^(.+)(.+)\\1\\2$'],
  ['three that overlap', '(.*)(.*)(.*)\\1\\2\\3c'],
  ['a reference in its own group', '(a|\\1a)+c'],
  ['references in a loop', '(?:(a*)\\1?)*c'],
  ['a long reference over and over', '(a{100,})(?:\\1|a)*c'],
  ['a chain that doubles', `(a)${list(24, (n) => `(\\${n + 1}\\${n + 1})`)}c`],
  ['references to nothing', `(x)?${'\\1*'.repeat(100)}(?:\\1|a)*c`],
  ['references in either case', '(?i)^(.+?)(?:\\1)+\\1c'],
  ['names that stand twice', '(?J)(?:(?<n>a+)|(?<n>b+))*\\k<n>+c'],
  ['the primes', '^(?!(aa+)\\1+$)aa+$'],
  ['a sum of squares', '^(a*)(a*)(a*)(a*)\\1\\2\\3\\4\\1\\2\\3\\4c'],
  ['a knapsack', '^(?:(a{3})|(a{5})|(a{7}))*(?:\\1\\2\\3)*c'],
  ['three colours of a graph', `^(?:(r)|(g)|(b)|a)+${list(12, (n) => `(?:\\${1 + (n % 3)}|a)`)}c`],
];

const lookarounds: readonly HostilePattern[] = [
  ['a lookahead to the end at each place', '(?=(.*)c)a'],
  ['lookaheads in a row', `^${'(?=.*a.*a)'.repeat(60)}.*c`],
  ['lookaheads in one another', `${nested('(?=a', '', '.*)', 100)}c`],
  ['negative ones in one another', nested('(?!a*', 'c', ')', 120)],
  ['a lookahead in a loop', '(?:(?=(a*))a)*c'],
  ['a negative one in a loop', '(?:(?!a*c)a)+c'],
  ['loops in lookaheads in loops', '^(?:(?=(?:(?=(?:a|aa)*c)a|a)*c)a|a)*c'],
  ['exponential inside', '(?=(a+)+c)a'],
  ['exponential inside of a negative one', '(?!(a+)+\\1c)b'],
  ['a lookbehind at each place', '(?<=a{200})(?<!b)c'],
  ['a long lookbehind', '(?<=a{60000})c'],
  ['a lookbehind without end', '(?<=a*a*a*a*b)c'],
  ['a lookbehind of many lengths', `(?<=${list(80, (n) => 'a'.repeat(1 + (n % 12)), '|')})c`],
  ['lookbehinds in one another', `${nested('(?<=a', '', ')', 150)}c`],
  ['ahead and behind in turn', nested('(?=a(?<=', 'a', '))', 80)],
  ['lookarounds that are repeated', '(?:(?=a){1000}(?!b){1000}){1000}c'],
  ['not atomic, all ways', '(?*(a*)(a*))(?*(a*)(a*))\\1\\2\\3\\4c'],
];

const recursions: readonly HostilePattern[] = [
  ['the whole in itself', '(?R)'],
  ['the whole in itself, perhaps', '(?R)?a'],
  ['left recursion', '((?1)a|a)'],
  ['each calls the other', '(?:(a?(?2))|(a?(?1)))c'],
  ['as deep as the text', 'a(?R)?b'],
  ['as deep as the text, in a group', '^(a(?1)?)$c'],
  ['twice in itself', '^(a?(?1)?(?1)?)c'],
  ['twice in itself, always longer', '^(a(?1)?(?1)?|b)c'],
  ['three times in itself', '(a(?1)*(?1)*(?1)*)c'],
  ['balanced parentheses that are not', '(\\((?:[^()]|(?1))*\\))c'],
  ['the same without an atom', '^(\\((?:[^()]*|(?1))*\\))*$'],
  ['palindromes', '^((.)(?1)\\2|.?)$'],
  ['palindromes anywhere', '((.)(?:(?1)|.)\\2)c'],
  ['calls in calls in calls', `${list(40, (n) => `(?<n${n}>(?&n${n + 1})(?&n${n + 1}))`)}(?<n40>a?)c`],
  [
    'definitions that double',
    `(?(DEFINE)${list(30, (n) => `(?<n${n}>(?&n${n + 1})(?&n${n + 1}))`)}(?<n30>a))(?&n0)`,
  ],
  ['a call in its own lookahead', '(a(?=(?1)?c))'],
  ['a call in its own lookbehind', '((?<=(?1))a)'],
  ['a call in a condition', '((?(?=(?1)?c)a|a(?1)?))c'],
  ['Ackermann, nearly', '(a|(?1)(?1)b)'],
  ['a grammar of sums', '(?(DEFINE)(?<e>(?&t)(?:b(?&t))*)(?<t>(?&f)(?:b(?&f))*)(?<f>a|\\((?&e)\\)))^(?&e)c'],
  ['recursion with a possessive loop', '(?:a|(?R))*+c'],
];

const conditionals: readonly HostilePattern[] = [
  ['conditions in a loop', '(?:(a)?(?(1)a|b))*c'],
  ['conditions in conditions', `(a)?${nested('(?(1)a', 'c', '|b)', 100)}`],
  ['a condition that looks to the end', '(?:(?(?=.*c)b|a))*c'],
  ['a condition on the call under way', '((?(R)a?(?1)?|a(?1)))c'],
];

const resets: readonly HostilePattern[] = [
  ['a bomb of branch resets', `${nested('(?|(a)|(b)|', '(c)', ')', 60)}\\1`],
  ['many branches that begin anew', `(?|${list(120, () => '(a)', '|')})*\\1c`],
  ['resets in a loop', '(?:(?|(a*)|(a)(a)))*\\1c'],
];

const atomics: readonly HostilePattern[] = [
  ['atomic groups in one another', `${nested('(?>a*', '', ')', 120)}c`],
  ['atomic in a loop', '(?:(?>a|aa))*(?>a*)c'],
  ['exponential in an atomic group', '(?>(a+)+b)c'],
  ['possessive, then the same', '(?:a*+a)*c'],
];

const verbs: readonly HostilePattern[] = [
  ['failing on purpose everywhere', '(?:a*(?:a*(*FAIL))*)*'],
  ['skipping by marks', '(*MARK:m)a+(*SKIP:m)b'],
  ['many marks', `${list(60, (n) => `(*MARK:m${n})a?`)}(*SKIP:m1)c`],
  ['the next alternative, over and over', `(?:${list(80, () => 'a*(*THEN)c', '|')})`],
  ['accepting in a loop', '(?:a(?=(*ACCEPT)b))*c'],
  ['a limit of its own', '(*LIMIT_MATCH=400000000)(a+)+\\1c'],
];

const shapes: readonly HostilePattern[] = [
  ['200 groups in one another', `${nested('(', 'a', ')', 200)}\\1`],
  ['499 groups in one another', nested('(', 'a', ')', 499)],
  ['many groups over a long text', `(?=a)(?:${'(a?)'.repeat(150)})*c`],
  ['many alternatives', `(?=.)(?:${list(180, (n) => `a${n}`, '|')})*c`],
  [
    'many alternatives that are nearly the text',
    `(?!c)(?:${list(60, (n) => `${'a'.repeat(12)}${n % 10}`, '|')})+c`,
  ],
  ['line starts everywhere', '(?m)(?=.*$)(?:^.*$\\n?)*c'],
  ['a star at each start', '(?=(?<x>a)).*\\k<x>.*\\k<x>c'],
  ['what is seen as one character', '(?:\\X\\X?)*c'],
  ['line breaks', '(?:\\R|\\R\\R|\\n)*(?=c)'],
  ['sets in either case', `(?i)(?=a)(?:${'[a-zſK]'.repeat(40)}|a)*c`],
  ['properties', '(?=a)(?:\\p{L}|\\p{Ll}|\\w|.)*c'],
  ['the start of the search', '(?:\\Ga|a)*(?=c)'],
  ['resetting the start', '(?:a\\K|\\Ka)*c'],
];

export const HOSTILE_PATTERNS: readonly HostilePattern[] = [
  ...quantifiers,
  ...references,
  ...lookarounds,
  ...recursions,
  ...conditionals,
  ...resets,
  ...atomics,
  ...verbs,
  ...shapes,
];

/** Texts on which those patterns go wrong: long, of few letters, and without what the patterns end in. */
export const HOSTILE_SUBJECTS: readonly string[] = [
  'a'.repeat(1_500),
  `${'a'.repeat(30)}!`,
  'ab'.repeat(800),
  `${'a'.repeat(600)}${'b'.repeat(600)}`,
  `${'('.repeat(800)}a`,
  'a\n'.repeat(800),
];
