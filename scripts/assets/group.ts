/** What static assets are made of: one entry of the table in build-assets.ts, and how scripts are bundled. */
import type { BuildOptions, OutputFile } from 'esbuild';

/** Files that are made together from the same inputs. */
export interface AssetGroup {
  readonly name: string;
  /** Files and folders, from the top of the project: while they are the same, nothing is made again. */
  readonly inputs: readonly string[];
  /** The files by their names. It may import what is slow to load: most starts do not call it. */
  readonly make: () => Promise<ReadonlyMap<string, string | Uint8Array>>;
}

/** The scripts of a bundle, for pages. */
export async function bundled(options: BuildOptions): Promise<readonly OutputFile[]> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...{
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
    },
    ...options,
    write: false,
  });
  return outputFiles;
}
