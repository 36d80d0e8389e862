/** `GET /client.tgz` of `foredge dev`: the client as a package, with the types of the application that is served. */
import './older-node.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTarGzip } from 'nanotar';
import { typesOf } from './application-types.ts';
import { buildClient } from './build-client.ts';
import { declarationsIn } from './declarations.ts';
import { Remote } from './project/target.ts';

interface Manifest {
  readonly version: string;
  readonly exports: object;
}

let client: Promise<ReadonlyMap<string, Buffer>> | undefined;

/** Throws where a package cannot be made. */
export async function clientPackage(): Promise<Uint8Array<ArrayBuffer>> {
  const types = await typesOf(await declarationsIn(Remote.here().db));
  const files = new Map<string, Buffer | string>(await (client ??= filesOfClient()));
  const manifest = JSON.parse(String(files.get('package.json'))) as Manifest;
  // npm takes an address again only where it has another version.
  const version = `${manifest.version}-h${createHash('sha256').update(types).digest('hex').slice(0, 16)}`;
  const exported = { ...manifest.exports, './types': { types: './application.d.ts' } };
  files.set('package.json', JSON.stringify({ ...manifest, version, exports: exported }, null, 2));
  files.set('application.d.ts', types);
  const entries = [...files].map(([name, data]) => ({ name: `package/${name}`, data }));
  return new Uint8Array(await createTarGzip(entries, { attrs: { mode: '644' } }));
}

async function filesOfClient(): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await buildClient();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = async (path: string) =>
    [path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path)] as const;
  return new Map(await Promise.all(paths.map(read)));
}
