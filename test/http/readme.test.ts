/** The README's first five minutes, pasted as printed against a server that was just started as it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pasteAll } from '../support/pasted.ts';
import { freePort, ROOT, start, temporaryFolder } from '../support/started.ts';

const folder = temporaryFolder();
const server = await start(folder.path, await freePort());
afterAll(async () => {
  await server.killAll();
  folder.remove();
});

test('the blocks of the README print what it says', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  expect((await pasteAll(readme, { DATA_DIR: folder.path })).length).toBeGreaterThan(5);
});
