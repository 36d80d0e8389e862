/**
 * `npm run test:pcre2 [random patterns]`: asks PCRE2 itself (pcre2test, of Debian's package pcre2-utils, or what
 * PCRE2TEST names) and our engine the same questions: about the regular expressions in the files of node_modules, and
 * about random ones. Prints what we refuse and where answers differ; the figures go into docs/regex.md. Ends with 1
 * when anything differs, and with 2 when PCRE2 is not there.
 */
import { join } from 'node:path';
import fc from '../support/fast-check.ts';
import { writePart } from '../../scripts/generated-part.ts';
import { patternsAndSubjects } from '../support/patterns/arbitraries.ts';
import { pcre2Version, type Asked } from '../support/patterns/pcre2.ts';
import { printed } from '../support/patterns/print.ts';
import { compared, type Comparison } from './compare.ts';
import { withLeading } from './leading.ts';
import { literalsIn } from './literals.ts';
import { subjectsFor } from './subjects.ts';

const SEED = 20;
const SHOWN = 6;

const version = pcre2Version();
if (version === undefined) {
  console.error('There is no pcre2test: install pcre2-utils, or name the program in PCRE2TEST.');
  process.exit(2);
}

/** Numbers from 0 to 1, the same in each run. */
function randomNumbers(): () => number {
  let state = SEED;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

function written(): readonly Asked[] {
  const random = randomNumbers();
  return literalsIn(join(import.meta.dirname, '../../node_modules')).map((literal) => ({
    pattern: literal.pattern,
    options: literal.options,
    subjects: subjectsFor(literal, random),
  }));
}

function made(count: number): readonly Asked[] {
  const trees = patternsAndSubjects().map(([tree, subject]) => [printed(tree), subject] as const);
  // One in eight has options in front.
  const cases = fc.sample(fc.oneof({ weight: 7, arbitrary: trees }, withLeading), {
    seed: SEED,
    numRuns: count,
  });
  return cases.map(([pattern, subject]) => ({ pattern, options: '', subjects: [subject] }));
}

function show(title: string, comparison: Comparison): void {
  const { taken, refused, searches, matches, differences, open } = comparison;
  console.log(`${title}: ${taken} patterns that PCRE2 takes, ${searches} searches, ${matches} matches.`);
  for (const [reason, patterns] of refused) {
    console.log(`  refused, ${patterns.length} times: ${reason}`);
    for (const { pattern } of patterns.slice(0, SHOWN))
      console.log(`    ${JSON.stringify(pattern).slice(0, 200)}`);
  }
  for (const [cause, count] of open) console.log(`  ${cause}: ${count}`);
  console.log(`  different: ${differences.length}`);
  const shortest = differences.toSorted((one, other) => one.pattern.length - other.pattern.length);
  for (const { pattern, options, subject, ours, theirs } of shortest.slice(0, SHOWN)) {
    console.log(`    ${JSON.stringify(pattern)} ${options} ${JSON.stringify(subject)}`);
    console.log(`      ours ${JSON.stringify(ours)}\n      PCRE2 ${JSON.stringify(theirs)}`);
  }
}

function line(title: string, { taken, refused, searches, matches, open, differences }: Comparison): string {
  const refusals = [...refused.values()].reduce((sum, patterns) => sum + patterns.length, 0);
  const notCompared = [...open.values()].reduce((sum, count) => sum + count, 0);
  const told = Object.entries({
    'patterns taken by PCRE2': taken,
    'refused here': refusals,
    searches,
    matches,
    'not compared': notCompared,
    'different answers': differences.length,
  });
  return `- ${title}: ${told.map(([what, count]) => `${count.toLocaleString('en')} ${what}`).join(', ')}`;
}

const comparisons: readonly (readonly [string, Comparison])[] = [
  ['written by people (`node_modules`)', compared(written())],
  ['random', compared(made(Number(process.argv[2] ?? 20_000)))],
];
for (const [title, comparison] of comparisons) show(title, comparison);
const report = [
  `PCRE2 ${version}, ${new Date().toISOString().slice(0, 10)}:`,
  comparisons.map(([title, comparison]) => line(title, comparison)).join('\n'),
].join('\n\n');
await writePart('docs/regex.md', 'npm run test:pcre2', report);
if (comparisons.some(([, { differences }]) => differences.length > 0)) process.exitCode = 1;
