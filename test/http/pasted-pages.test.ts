/** Pages that are pasted as printed, each for an application of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client, MEDIA_TYPE } from '../support/client.ts';
import { pasteAll } from '../support/pasted.ts';
import { ROOT } from '../support/started.ts';

test.each([
  ['docs/aggregates.md', 5],
  ['docs/operations.md', 6],
])('the blocks of %s print what it says', async (page, blocks) => {
  const client = await Client.create();
  const headers = { 'application-id': client.application, 'api-key': client.key, 'Content-Type': MEDIA_TYPE };
  const given = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  // The shell variables of the first five minutes.
  const variables = [
    `URL=${client.url}`,
    `FOREDGE=(-sSg ${given.join(' ')})`,
    `id_of() { node -p "JSON.parse(require('fs').readFileSync(0)).data.id"; }`,
  ].join('\n');
  const text = readFileSync(join(ROOT, page), 'utf8');
  expect((await pasteAll(`\`\`\`sh\n${variables}\n\`\`\`\n${text}`, {})).length).toBe(blocks);
});
