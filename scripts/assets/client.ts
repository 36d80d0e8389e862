/** The client (src/client) as scripts, for pages that need no build: they import `/client.js`, and its companions. */
import { basename, join } from 'node:path';
import type { AssetGroup } from './group.ts';

const SOURCE = 'src/client';

/** Modules that go with the client, by the names of their scripts; and those that it loads itself. */
export const BESIDE = ['account', 'live', 'offline'] as const;
export const LAZY = ['files'] as const;

const scriptOf = (name: string) => (name === 'index' ? './client.js' : `./client-${name}.js`);

/**
 * A part of the client as an ES module. Its companions import the client, and all import what is loaded later, so that
 * a page has each class once.
 */
export async function bundleClient(
  minify: boolean,
  name = 'index',
  addressOf = scriptOf,
): Promise<Uint8Array> {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(import.meta.dirname, '../..', SOURCE, `${name}.ts`)],
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
        name: 'apart',
        setup: (build) => {
          build.onResolve({ filter: /^\.{1,2}\/(index|files)\.ts$/ }, ({ kind, path }) =>
            kind === 'entry-point' ? null : { path: addressOf(basename(path, '.ts')), external: true },
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
        [...BESIDE, ...LAZY].map(
          async (name) => [`client-${name}.js`, await bundleClient(true, name)] as const,
        ),
      )),
    ]),
};
