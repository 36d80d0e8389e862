/** The guides (docs/guides), each pasted as printed after the README's first block, in an application of its own. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { pasteAll } from '../support/pasted.ts';
import { ROOT, temporaryFolder } from '../support/started.ts';

const GUIDES = join(ROOT, 'docs/guides');
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');
/** The headers that every example uses: the first block of the README. */
const VARIABLES = /^```sh\n.*?^```$/ms.exec(README)?.[0] ?? '';

test.each(readdirSync(GUIDES))('the blocks of %s print what it says', async (name) => {
  const client = await Client.create();
  const folder = temporaryFolder();
  try {
    const credentials = { base_url: client.url, application_id: client.application, api_key: client.key };
    writeFileSync(join(folder.path, 'credentials.json'), JSON.stringify(credentials));
    const guide = readFileSync(join(GUIDES, name), 'utf8');
    expect(await pasteAll(`${VARIABLES}\n\n${guide}`, { DATA_DIR: folder.path })).toBeGreaterThan(5);
  } finally {
    folder.remove();
  }
});
