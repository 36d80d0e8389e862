/** docs/operations.md, pasted as printed for an application of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client, MEDIA_TYPE } from '../support/client.ts';
import { pasteAll } from '../support/pasted.ts';

test('the blocks of the page print what it says', async () => {
  const client = await Client.create();
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const headers = { 'application-id': client.application, 'api-key': client.key, 'Content-Type': MEDIA_TYPE };
  const given = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  // The shell variables of the first five minutes.
  const variables = [`URL=${client.url}`, `FOREDGE=(-sSg ${given.join(' ')})`].join('\n');
  expect((await pasteAll(`\`\`\`sh\n${variables}\n\`\`\`\n${page}`, {})).length).toBe(6);
});
