/** The dashboard (src/dashboard): a page, a script that loads the rest when it is needed, and a style. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AssetGroup } from './group.ts';

const SOURCE = 'src/dashboard';
const ROOT = join(import.meta.dirname, '../..');

export const DASHBOARD: AssetGroup = {
  name: 'dashboard',
  inputs: [SOURCE, 'src/client', 'src/domain', 'src/query', 'src/schema', 'package-lock.json'],
  make: async () => {
    const { build } = await import('esbuild');
    const { outputFiles } = await build({
      entryPoints: { dashboard: join(ROOT, SOURCE, 'main.tsx') },
      alias: { 'node:url': join(ROOT, SOURCE, 'hosts.ts') },
      bundle: true,
      splitting: true,
      minify: true,
      format: 'esm',
      target: 'es2023',
      charset: 'utf8',
      legalComments: 'none',
      // Names are flat: an asset has no folder.
      chunkNames: 'dashboard-[name]-[hash]',
      outdir: join(ROOT, '.assets'),
      write: false,
    });
    return new Map<string, string | Uint8Array>([
      ...outputFiles.map(({ path, contents }) => [basename(path), contents] as const),
      ['dashboard.html', await readFile(join(ROOT, SOURCE, 'page.html'))],
    ]);
  },
};
