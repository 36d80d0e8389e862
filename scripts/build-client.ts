/**
 * The client as a package of its own in `dist/client`, or another folder: an ES module with types. Other programs
 * import it as `foredge/client`. It has no dependencies.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BESIDE, bundleClient, LAZY } from './assets/client.ts';

const ROOT = join(import.meta.dirname, '..');

/** Makes the package in a folder, which is emptied first, and tells where. */
export async function buildClient(folder = join(ROOT, 'dist/client')): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['index', ...BESIDE, ...LAZY]) {
    writeFileSync(join(folder, `${name}.js`), await bundleClient(false, name, (other) => `./${other}.js`));
  }
  writeTypes(folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(ROOT, 'docs/client.md'), join(folder, 'README.md'));
  return folder;
}

function writeTypes(folder: string): void {
  const options = '--noEmit false --declaration --emitDeclarationOnly --outDir'.split(' ');
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(ROOT, 'src/client'), ...options, folder], {
    stdio: 'inherit',
  });
  // The compiler keeps the names of the sources, which other programs do not have.
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of files.filter((each) => each.endsWith('.d.ts'))) {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(from '\.{1,2}\/[\w/-]+)\.ts'/g, "$1.js'"));
  }
}

/** The package has the name of the project's, of which it is a part. */
function manifest(): object {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  return {
    name,
    version,
    description: 'The client of Foredge, for browsers, Node and Workers.',
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      './client': { types: './index.d.ts', default: './index.js' },
      ...Object.fromEntries(
        BESIDE.map((name) => [`./client/${name}`, { types: `./${name}.d.ts`, default: `./${name}.js` }]),
      ),
    },
  };
}
