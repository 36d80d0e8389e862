/** The client (src/client) as one script, for pages that need no build: they import `/client.js`. */
import { join } from 'node:path';
import type { AssetGroup } from './group.ts';

const SOURCE = 'src/client';

/** The client as an ES module without imports. */
export async function bundleClient(minify: boolean): Promise<Uint8Array> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../..', SOURCE, 'index.ts')],
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
  make: async () => new Map([['client.js', await bundleClient(true)]]),
};
