/** The client (src/client) as two scripts, for pages that need no build: they import `/client.js`, and `/client-live.js`. */
import { join } from 'node:path';
import type { AssetGroup } from './group.ts';

const SOURCE = 'src/client';

/** The client as an ES module without imports. */
export async function bundleClient(minify: boolean, entry = 'index.ts'): Promise<Uint8Array> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../..', SOURCE, entry)],
    bundle: true,
    minify,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    write: false,
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('The client gave no bundle.');
  return file.contents;
}

export const CLIENT: AssetGroup = {
  name: 'client',
  inputs: [SOURCE],
  make: async () =>
    new Map([
      ['client.js', await bundleClient(true)],
      ['client-live.js', await bundleClient(true, 'live.ts')],
    ]),
};
