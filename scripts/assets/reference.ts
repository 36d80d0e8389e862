/** The reference page at `/docs`, and its viewer: openapi-explorer, one file as its package has it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetGroup } from './group.ts';

const VIEWER = 'node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js';
const ROOT = join(import.meta.dirname, '../..');
const FILES = join(import.meta.dirname, 'reference');

export const REFERENCE: AssetGroup = {
  name: 'reference',
  inputs: [VIEWER],
  make: async () =>
    new Map([
      ['openapi-explorer.js', await readFile(join(ROOT, VIEWER))],
      ['reference.html', await readFile(join(FILES, 'page.html'))],
      ['reference.js', await readFile(join(FILES, 'script.js'))],
      ['reference.css', await readFile(join(FILES, 'style.css'))],
    ]),
};
