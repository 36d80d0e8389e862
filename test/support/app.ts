/** The operator's command, as somebody runs it against the service under test. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../scripts/app.ts');

/** What the command prints; rejects where it fails. `typed` is what it reads, `more` is added to its environment. */
export async function app(
  args: readonly string[],
  typed = '',
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const running = promisify(execFile)(process.execPath, [SCRIPT, ...args], {
    env: { ...process.env, FOREDGE_URL: inject('url'), OPERATOR_SECRET: inject('operatorSecret'), ...more },
  });
  running.child.stdin?.end(typed);
  return (await running).stdout;
}
