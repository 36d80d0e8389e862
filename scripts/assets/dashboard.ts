/** The dashboard (src/dashboard): a page, a script that loads the rest when it is needed, and a style. */
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { bundled, type AssetGroup } from './group.ts';

const SOURCE = 'src/dashboard';
const ROOT = join(import.meta.dirname, '../..');

export const DASHBOARD: AssetGroup = {
  name: 'dashboard',
  inputs: [SOURCE, 'src/client', 'src/domain', 'src/query', 'src/schema', 'package-lock.json'],
  make: async () => {
    const files = await bundled({
      entryPoints: { dashboard: join(ROOT, SOURCE, 'main.tsx') },
      alias: { 'node:url': join(ROOT, SOURCE, 'hosts.ts') },
      splitting: true,
      target: 'es2023',
      // Names are flat: an asset has no folder.
      chunkNames: 'dashboard-[name]-[hash]',
      outdir: join(ROOT, '.assets'),
    });
    return new Map<string, string | Uint8Array>([
      ...files.map(({ path, contents }) => [basename(path), contents] as const),
      ['dashboard.html', await readFile(join(ROOT, SOURCE, 'page.html'))],
    ]);
  },
};
