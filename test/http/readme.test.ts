/** The README's first five minutes, pasted as printed against a server that was just started as it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pasteAll } from '../support/pasted.ts';
import { newFolder } from '../support/scope.ts';
import { freePort, ROOT, start } from '../support/started.ts';

const folder = newFolder();
const server = await start(folder, await freePort());
afterAll(() => server.killAll());

test('the blocks of the README print what it says', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  expect((await pasteAll(readme, { DATA_DIR: folder })).length).toBeGreaterThan(5);
});
