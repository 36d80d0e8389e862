/**
 * `npm run check`: runs its parts side by side, as many as there are cores, and shows what each said: whole, and in the
 * order below. Ends with 1 when a part fails; the others are run all the same.
 */
import { exec } from 'node:child_process';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/** Scripts of package.json, the slowest first. */
const PARTS = ['format', 'lint', 'types', 'unused'];

const run = (part: string) =>
  new Promise<{ readonly passed: boolean; readonly said: string }>((resolve) => {
    exec(`npm run --silent ${part}`, { maxBuffer: Infinity }, (error, out, err) => {
      resolve({ passed: error === null, said: out + err });
    });
  });

const limit = pLimit(availableParallelism());
const verdicts = PARTS.map((part) => [part, limit(run, part)] as const);
for (const [part, verdict] of verdicts) {
  const { passed, said } = await verdict;
  process.stdout.write(`${said}${part}: ${passed ? 'passed' : 'FAILED'}\n`);
  if (!passed) process.exitCode = 1;
}
