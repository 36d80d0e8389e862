/** The guides (docs/guides): their blocks run, and print what they say. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUIDES, pasteGuide } from '../support/guides.ts';

test.each(readdirSync(GUIDES))('the blocks of %s print what it says', async (name) => {
  // One is the README's.
  expect((await pasteGuide(name)).outputs.length).toBeGreaterThan(1);
});
