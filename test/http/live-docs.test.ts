/** docs/live.md: every command as it is printed, with the mark of the answer before. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/live.md'), 'utf8');

/** What a command prints, up to what it is to say; one that ends before has printed that. */
function printed(script: string, expected: string): Promise<string> {
  const bash = spawn('bash', ['-c', script], { detached: true });
  return new Promise((resolve) => {
    let said = '';
    const listen = (part: Buffer) => {
      said += String(part);
      // The shell and what it has begun.
      if (said.includes(expected) && bash.pid !== undefined) process.kill(-bash.pid);
    };
    bash.stdout.on('data', listen);
    bash.stderr.on('data', listen);
    bash.on('close', () => {
      resolve(said);
    });
  });
}

test('the commands of the page print what it says', async () => {
  const client = await Client.create();
  await client.make('articles', { title: 'Dracula' });
  const given = [`application-id: ${client.application}`, `api-key: ${client.key}`];
  const variables = `URL=${client.url}\nFOREDGE=(-sSg ${given.map((each) => `-H '${each}'`).join(' ')})\n`;
  const commands = Array.from(page.matchAll(/^```sh\n(.*?)^```/gms), ([, text = '']) => text);
  expect(commands.length).toBe(3);
  const [all = '', since = '', events = ''] = commands;
  const first = await printed(variables + all, '"version":"1.1"');
  const [, mark = ''] = /"mark":"([^"]+)"/.exec(first) ?? [];
  expect([first.includes('Dracula'), mark]).toEqual([true, expect.stringMatching(/./)]);
  expect(since).toContain('kq0Tz…');
  const then = await printed(variables + since.replace('kq0Tz…', mark), '"version":"1.1"');
  expect(then).toContain('"data":[]');
  expect(await printed(variables + events, 'event: ready')).toMatch(/^event: add\ndata: .*Dracula/m);
});
