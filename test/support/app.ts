/** The operator's command, as somebody runs it against the service under test. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { Inside } from '../../scripts/manage/inside.ts';
import { Client, operator, type Link } from './client.ts';

const SCRIPT = join(import.meta.dirname, '../../scripts/app.ts');

/** What the command says; rejects where it fails. `more` is added to its environment, `typed` is what it reads. */
export async function runApp(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  typed = '',
) {
  const running = promisify(execFile)(process.execPath, [SCRIPT, ...args], {
    env: { ...process.env, FOREDGE_URL: inject('url'), OPERATOR_SECRET: inject('operatorSecret'), ...more },
    maxBuffer: 64 * 1024 * 1024,
  });
  running.child.stdin?.end(typed);
  return running;
}

/** What it prints. */
export async function app(args: readonly string[], typed = '', more: Readonly<Record<string, string>> = {}) {
  return (await runApp(args, more, typed)).stdout;
}

/** Erases a person as the command does, without the time that a process takes. */
export async function erase({ application }: Client, { id }: Link): Promise<void> {
  const inside = new Inside(operator(), application);
  while ((await inside.erase(id)).more);
}

/** A new application with quotas. Its API key is its first document. */
export async function limited(quotas: Readonly<Record<string, number>>): Promise<Client> {
  const client = await Client.create('limited');
  await operator().change(client.application, { quotas });
  return client;
}
