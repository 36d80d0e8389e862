/**
 * What `foredge dev` serves beside the Worker (the binding DEVELOPMENT), without a key: a program that asks for it gets
 * it, and no page of another origin does.
 */
import './older-node.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTarGzip } from 'nanotar';
import { typesOf } from './application-types.ts';
import { buildClient } from './build-client.ts';
import { declarationsIn } from './declarations.ts';
import { explain } from './failure.ts';
import { followed } from './project/follow.ts';
import { Remote } from './project/target.ts';

/** A name could be that of a page which has been made to lead to this machine. */
const ADDRESSES = /^(\[.*\]|[\d.]+|localhost)$/;

export async function development({ url, headers }: Pick<Request, 'url' | 'headers'>): Promise<Response> {
  const { hostname, pathname } = new URL(url);
  if (headers.has('origin') || !ADDRESSES.test(hostname)) return new Response(null, { status: 404 });
  if (pathname === '/development') return Response.json({ meta: { project: followed } });
  try {
    return new Response(await clientPackage());
  } catch (error) {
    console.error(explain(error));
    return new Response(null, { status: 500 });
  }
}

interface Manifest {
  readonly version: string;
  readonly exports: object;
}

let client: Promise<ReadonlyMap<string, Buffer>> | undefined;

/** The client as a package, with the types of the application that is served. Throws where it cannot be made. */
async function clientPackage(): Promise<Uint8Array<ArrayBuffer>> {
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
