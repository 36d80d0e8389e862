/** The examples of docs/types.md, run as the page has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/types.md'), 'utf8');

/** The blocks of a section. */
function blocksOf(section: string): readonly string[] {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return Array.from(own.matchAll(/```json\n(.*?)```/gs), ([, block = '']) => block);
}

test('unique fields answer as the page says', async () => {
  const client = await Client.create();
  const [settings, document, answer = ''] = blocksOf('Unique fields');
  expect((await client.post('/schemas/core.type', settings)).status).toBe(201);
  expect((await client.post('/resources/reviews', document)).status).toBe(201);
  const refused = await client.post('/resources/reviews', document);
  expect(refused.status).toBe(409);
  expect(refused.body).toEqual(JSON.parse(answer));
});

test('inverses are taken as the page has them', async () => {
  const client = await Client.create();
  const [settings = ''] = blocksOf('Inverses');
  const made = await client.post('/schemas/core.type', settings);
  expect(made.status).toBe(201);
  expect(made.body.data.attributes).toEqual(
    (JSON.parse(settings) as { data: { attributes: unknown } }).data.attributes,
  );
});
