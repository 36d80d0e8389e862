/**
 * PCRE2 itself, by its program pcre2test (Debian's package pcre2-utils): what it says of patterns and subjects. The
 * program prints texts, not positions; those follow from the text that it prints after each match.
 */
import { spawnSync } from 'node:child_process';
import { isSameMatch, type PatternMatch } from './match.ts';

export interface Asked {
  readonly pattern: string;
  /** Any of i, m, s and x, as our options. */
  readonly options: string;
  readonly subjects: readonly string[];
}

export type Pcre2Answer =
  | { readonly kind: 'match'; readonly match: PatternMatch }
  | { readonly kind: 'none' }
  /** The match ended in an error: of its limits, or of a recursion without end. */
  | { readonly kind: 'error'; readonly message: string };

export type Pcre2Reply =
  /** For each subject what the interpreter says and what compiled code (JIT) says: they differ at times. */
  | { readonly ok: true; readonly answers: readonly (readonly Pcre2Answer[])[] }
  | { readonly ok: false; readonly message: string };

const PROGRAM = process.env['PCRE2TEST'] ?? 'pcre2test';

/** The version of the PCRE2 that is there, or `undefined`. */
export function pcre2Version(): string | undefined {
  const { stdout, error } = spawnSync(PROGRAM, ['-C'], { encoding: 'utf8' });
  return error === undefined ? /PCRE2 version (\S+)/.exec(stdout)?.[1] : undefined;
}

/**
 * PCRE2's optimizations are off: a few of them change answers. Where a pattern begins with COMMIT they skip starts, and
 * `.*\R` does not match a lone CR, because they take the dot to stop before every line break.
 */
const OPTIMIZATIONS = ['no_start_optimize', 'no_auto_possess'];
const OUTPUT_LIMIT = 1024 * 1024 * 1024;

export function askPcre2(asked: readonly Asked[]): readonly Pcre2Reply[] {
  const compiled = run(asked, 'jit');
  return run(asked).map((reply, index) => {
    const other = compiled[index];
    if (!reply.ok || other?.ok !== true) return reply;
    return { ok: true, answers: reply.answers.map((each, at) => [...each, ...(other.answers[at] ?? [])]) };
  });
}

/** One run of the program for all of them. */
function run(asked: readonly Asked[], ...modifiers: readonly string[]): readonly Pcre2Reply[] {
  const lines = asked.flatMap((each, index) => [`# case ${index}`, ...linesOf(each, modifiers), '', '']);
  const { stdout, stderr, status, signal, error } = spawnSync(PROGRAM, ['-q'], {
    input: lines.join('\n'),
    encoding: 'utf8',
    maxBuffer: OUTPUT_LIMIT,
  });
  // Compiled code of a few patterns crashes the program: they are found by halves, and have no answer.
  if (signal !== null) {
    if (asked.length === 1) return [{ ok: false, message: signal }];
    const half = Math.ceil(asked.length / 2);
    return [asked.slice(0, half), asked.slice(half)].flatMap((each) => run(each, ...modifiers));
  }
  if (error) throw error;
  if (status !== 0) throw new Error(`pcre2test ended with ${status}: ${stderr} ${stdout.slice(-300)}`);
  const blocks = stdout.split(/^# case \d+\n/m).slice(1);
  if (blocks.length !== asked.length) throw new Error('pcre2test did not answer each case.');
  return asked.map((each, index) => replyOf(each, blocks[index] ?? ''));
}

function linesOf({ pattern, options, subjects }: Asked, modifiers: readonly string[]): string[] {
  const bytes = Array.from(new TextEncoder().encode(pattern), (byte) => byte.toString(16).padStart(2, '0'));
  // Single letters come first.
  const all = [...(options === '' ? [] : [options]), 'hex', 'utf', ...OPTIMIZATIONS, ...modifiers];
  const wanted = '\\=allcaptures,allaftertext,ovector=1000,match_limit=1000000';
  return [`/${bytes.join('')}/${all.join(',')}`, ...subjects.map((subject) => escaped(subject) + wanted)];
}

function escaped(text: string): string {
  return Array.from(text, (char) => `\\x{${(char.codePointAt(0) ?? 0).toString(16)}}`).join('');
}

/** As the program prints it. */
function shown(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return code >= 32 && code < 127 ? char : `\\x{${code.toString(16).padStart(2, '0')}}`;
}

function replyOf({ subjects }: Asked, block: string): Pcre2Reply {
  const lines = block.split('\n');
  const refused = lines.find((line, index) => index === 1 && line.startsWith('Failed: '));
  if (refused !== undefined) return { ok: false, message: refused.slice('Failed: '.length) };
  // The answer to a subject follows the line that repeats it.
  const starts = lines.flatMap((line, index) => (line.includes('\\=allcaptures') ? [index] : []));
  if (starts.length !== subjects.length) throw new Error(`pcre2test lost subjects: ${block.slice(0, 400)}`);
  const answers = subjects.map((subject, index) => [
    answerOf(subject, lines.slice((starts[index] ?? 0) + 1, starts[index + 1])),
  ]);
  return { ok: true, answers };
}

const LINE = /^ ?(\d+)(:|\+) (.*)$/;

function answerOf(subject: string, lines: readonly string[]): Pcre2Answer {
  const failure = lines.find((line) => line.startsWith('Failed: '));
  if (failure !== undefined) return { kind: 'error', message: failure.slice('Failed: '.length) };
  if (lines.some((line) => line.startsWith('No match'))) return { kind: 'none' };
  const texts: (string | undefined)[] = [];
  const afters: (string | undefined)[] = [];
  for (const line of lines) {
    const [, number = '', mark, text = ''] = LINE.exec(line) ?? [];
    if (mark === ':') texts[Number(number)] = text === '<unset>' ? undefined : text;
    if (mark === '+') afters[Number(number)] = text;
  }
  // \K in a lookahead. The text shown is that from the end to the start; here such a match is empty, at its end.
  const isTurned = lines.some((line) => line.startsWith('Start of matched string is beyond its end'));
  if (isTurned) texts[0] = '';
  const spans = texts.map((text, index) =>
    text === undefined ? undefined : spanOf(subject, text, afters[index] ?? ''),
  );
  const [whole, ...groups] = spans;
  if (!whole) throw new Error(`pcre2test said nothing of ${JSON.stringify(subject)}: ${lines.join(' / ')}`);
  const captures = groups.map((group) => group && subject.slice(group.index, group.end));
  return { kind: 'match', match: { ...whole, captures } };
}

/** Where a text lies that is shown so, with so much shown after it: found by lengths, from the end. */
function spanOf(subject: string, text: string, after: string): { index: number; end: number } {
  const chars = Array.from(subject);
  let shownLength = 0;
  let at = subject.length;
  let end = after === '' ? at : undefined;
  let index = after === '' && text === '' ? at : undefined;
  for (const char of chars.toReversed()) {
    if (index !== undefined) break;
    shownLength += shown(char).length;
    at -= char.length;
    if (end === undefined && shownLength === after.length) end = at;
    if (end !== undefined && shownLength === after.length + text.length) index = at;
  }
  if (index === undefined || end === undefined) throw new Error(`No place for ${text} before ${after}.`);
  return { index, end };
}

/** Whether PCRE2 gave up, in one of its ways. */
export function isGivenUp(answers: readonly Pcre2Answer[]): boolean {
  return answers.some(({ kind }) => kind === 'error');
}

/** Whether its two ways differ. */
export function isOfTwoMinds([one, other]: readonly Pcre2Answer[]): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

/** Whether PCRE2 finds this match, or none, in one of its ways. */
export function isAnswer(answers: readonly Pcre2Answer[], match: PatternMatch | undefined): boolean {
  return answers.some((answer) =>
    answer.kind === 'match' ? match !== undefined && isSameMatch(answer.match, match) : match === undefined,
  );
}
