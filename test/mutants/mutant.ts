/**
 * Deliberate breakages of the service, as somebody might commit them, and tests that should notice them. The tables
 * are the texts of this folder: a file (`= src/…`), under it each breakage as a sentence on the service, with tests
 * in brackets, a text that occurs once in the file (`- `), what replaces it (`+ `), and why no test can notice (`! `).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mutant {
  /** What is broken, as a sentence about the service. */
  readonly breaks: string;
  readonly file: string;
  /** A text that occurs once in the file, and what stands there instead. */
  readonly find: string;
  readonly put: string;
  /** Test files that notice, below `test/` and without `.test.ts`. */
  readonly tests: readonly string[];
  /** Why no test can notice, for a breakage that is known to survive. */
  readonly survives?: string;
}

/** Each line without its first two characters, if these are the prefix of such a line. */
const prefixed = (lines: readonly string[], prefix: string) =>
  lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(2));

function mutantOf(file: string, text: string): Mutant {
  const [first = '', ...lines] = text.trimEnd().split('\n');
  const [, breaks, tests] = /^(.+) \[([\w/ -]+)\]$/.exec(first) ?? [];
  const strange = lines.filter((line) => !/^[-+!]( |$)/.test(line));
  if (breaks === undefined || tests === undefined || strange.length > 0) {
    throw new Error(`No breakage of ${file}: ${text}`);
  }
  const [survives] = prefixed(lines, '!');
  return {
    breaks,
    file,
    find: prefixed(lines, '-').join('\n'),
    put: prefixed(lines, '+').join('\n'),
    tests: tests.split(' '),
    ...(survives !== undefined && { survives }),
  };
}

/** The breakages by their tables. */
export const MUTANTS: ReadonlyMap<string, readonly Mutant[]> = new Map(
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => {
      const [, ...files] = readFileSync(join(import.meta.dirname, name), 'utf8').split(/^= /m);
      return [
        name.slice(0, -'.txt'.length),
        files.flatMap((section) => {
          const [file = '', ...rest] = section.split('\n');
          // A line without a prefix begins a breakage.
          return rest
            .join('\n')
            .split(/^(?=[^-+!\n])/m)
            .filter((text) => text.trim() !== '')
            .map((text) => mutantOf(file, text));
        }),
      ];
    }),
);
