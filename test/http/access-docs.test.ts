/** docs/access.md: the permissions of typical keys are taken as the page has them, without a warning. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { ROOT } from '../support/started.ts';

const [, block = ''] = /```json\n(.*?)```/s.exec(readFileSync(join(ROOT, 'docs/access.md'), 'utf8')) ?? [];
const KEYS = JSON.parse(block) as Readonly<Record<string, unknown>>;

test.each(Object.entries(KEYS))('%s', async (name, permissions) => {
  const client = await Client.create();
  const reply = await client.create('/api-keys/core.api-key', { attributes: { name, permissions } });
  expect([reply.status, reply.body.meta]).toEqual([201, undefined]);
});
