/** The client (src/client) as scripts, for pages that need no build: they import `/client.js`, and its companions. */
import { join } from 'node:path';
import type { AssetGroup } from './group.ts';

const SOURCE = 'src/client';

/** Modules that go with the client, by the names of their scripts. */
export const BESIDE = ['account', 'live', 'offline', 'files'] as const;

/**
 * A part of the client as an ES module. The client itself has no imports; its companions import it from `client`, so
 * that a page has its classes once.
 */
export async function bundleClient(
  minify: boolean,
  entry = 'index.ts',
  client = './client.js',
): Promise<Uint8Array> {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(import.meta.dirname, '../..', SOURCE, entry)],
    bundle: true,
    minify,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    write: false,
    plugins: [
      {
        name: 'client',
        setup: (build) => {
          build.onResolve({ filter: /^\.{1,2}\/index\.ts$/ }, ({ kind }) =>
            kind === 'entry-point' ? null : { path: client, external: true },
          );
        },
      },
    ],
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
      ...(await Promise.all(
        BESIDE.map(async (name) => [`client-${name}.js`, await bundleClient(true, `${name}.ts`)] as const),
      )),
    ]),
};
