/** The viewer of the reference page: openapi-explorer, one file as its package has it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetGroup } from './group.ts';

const FILE = 'node_modules/openapi-explorer/dist/browser/openapi-explorer.min.js';

export const VIEWER: AssetGroup = {
  name: 'viewer',
  inputs: [FILE],
  make: async () =>
    new Map([['openapi-explorer.js', await readFile(join(import.meta.dirname, '../..', FILE))]]),
};
