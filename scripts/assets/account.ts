/** The ready pages of accounts (src/account): their script and style. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetGroup } from './group.ts';

const SOURCE = 'src/account';
const FOLDER = join(import.meta.dirname, '../..', SOURCE);

export const ACCOUNT: AssetGroup = {
  name: 'account',
  inputs: [SOURCE],
  make: async () => {
    const { build } = await import('esbuild');
    const { outputFiles } = await build({
      entryPoints: [join(FOLDER, 'main.ts')],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
      write: false,
    });
    return new Map<string, string | Uint8Array>([
      ['account.js', outputFiles[0]?.contents ?? ''],
      ['account.css', await readFile(join(FOLDER, 'style.css'))],
    ]);
  },
};
