/**
 * `npm run check`: runs its parts side by side, as many as there are cores, and shows what each of them said: whole, and
 * in the order below. Ends with 1 when a part fails; the others are run all the same.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';

/** Scripts of package.json, the slowest first. */
const PARTS = ['format', 'lint', 'types', 'unused'];

interface Verdict {
  readonly passed: boolean;
  readonly seconds: string;
  readonly said: string;
}

const running = new Set<ChildProcess>();

function run(part: string): Promise<Verdict> {
  const start = performance.now();
  const child = spawn('npm', ['run', '--silent', part], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  running.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      resolve({ passed: code === 0, seconds, said });
    });
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });
}

const limit = pLimit(availableParallelism());
const verdicts = PARTS.map((part) => [part, limit(run, part)] as const);
for (const [part, verdict] of verdicts) {
  const { passed, seconds, said } = await verdict;
  process.stdout.write(`${said}${part}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  if (!passed) process.exitCode = 1;
}
