/** The ready pages of accounts (src/account): their script and style. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundled, type AssetGroup } from './group.ts';

const SOURCE = 'src/account';
const FOLDER = join(import.meta.dirname, '../..', SOURCE);

export const ACCOUNT: AssetGroup = {
  name: 'account',
  inputs: [SOURCE],
  make: async () => {
    const [script] = await bundled({ entryPoints: [join(FOLDER, 'main.ts')] });
    return new Map<string, string | Uint8Array>([
      ['account.js', script?.contents ?? ''],
      ['account.css', await readFile(join(FOLDER, 'style.css'))],
    ]);
  },
};
