/** The client (src/client) as scripts, for pages that need no build: they import `/client.js`, and its companions. */
import { basename, join } from 'node:path';
import { bundled, type AssetGroup } from './group.ts';

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
  const [file] = await bundled({
    entryPoints: [join(import.meta.dirname, '../..', SOURCE, `${name}.ts`)],
    minify,
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
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
