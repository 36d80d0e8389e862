/** A PostgreSQL cluster of the run's own, with PostGIS: Debian's packages, in a folder that goes with the run. */
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run, start, temporaryFolder } from '../processes.ts';

const VERSIONS = '/usr/lib/postgresql';
const EXTENSIONS = '/usr/share/postgresql';
const PACKAGES = ['postgresql', 'postgresql-15-postgis-3'];
const DATABASE = 'bench';

export interface Postgres {
  readonly uri: string;
  /** Runs statements and answers what they print. */
  readonly sql: (statements: string) => Promise<string>;
}

export async function startPostgres(): Promise<Postgres> {
  const binaries = binariesFolder() ?? (await install());
  const folder = temporaryFolder();
  const data = join(folder, 'cluster');
  mkdirSync(data);
  const port = String(20_000 + Math.floor(Math.random() * 40_000));
  const as = await unprivileged([folder, data]);
  await run(
    ...as(join(binaries, 'initdb'), [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    ]),
  );
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`];
  // More than its defaults, which are for small machines, so that the peer is no straw man.
  settings.push('shared_buffers=512MB', 'work_mem=32MB', 'max_connections=200');
  const [command, args] = as(join(binaries, 'postgres'), [
    '-D',
    data,
    ...settings.flatMap((each) => ['-c', each]),
  ]);
  await start({ command, args, ready: /ready to accept connections/ });
  const psql = (database: string, statements: string) =>
    run(join(binaries, 'psql'), [
      '-h',
      '127.0.0.1',
      '-p',
      port,
      '-U',
      'postgres',
      '-qtA',
      '-v',
      'ON_ERROR_STOP=1',
      '-d',
      database,
      '-c',
      statements,
    ]);
  await psql('postgres', `CREATE DATABASE ${DATABASE}`);
  await psql(DATABASE, 'CREATE EXTENSION postgis');
  return {
    uri: `postgres://postgres@127.0.0.1:${port}/${DATABASE}`,
    sql: (statements) => psql(DATABASE, statements),
  };
}

/** The newest version that has PostGIS. */
function binariesFolder(): string | null {
  if (!existsSync(VERSIONS)) return null;
  const versions = readdirSync(VERSIONS).filter((version) =>
    existsSync(join(EXTENSIONS, version, 'extension', 'postgis.control')),
  );
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? null : join(VERSIONS, newest, 'bin');
}

async function install(): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error(`needs the packages ${PACKAGES.join(' and ')}`);
  console.error(`  Installing ${PACKAGES.join(', ')}…`);
  await run('apt-get', ['update', '-q']);
  await run('apt-get', ['install', '-qy', '--no-install-recommends', ...PACKAGES]);
  const folder = binariesFolder();
  if (folder === null) throw new Error('has no PostGIS');
  return folder;
}

type Command = [command: string, args: readonly string[]];

/** PostgreSQL refuses to run as root: then the folders and the processes are its own user's. */
async function unprivileged(
  folders: readonly string[],
): Promise<(command: string, args: readonly string[]) => Command> {
  if (process.getuid?.() !== 0) return (command, args) => [command, args];
  const idOf = async (flag: string) => Number(await run('id', [flag, 'postgres']));
  const user = await idOf('-u');
  const group = await idOf('-g');
  for (const folder of folders) {
    chownSync(folder, user, group);
    chmodSync(folder, 0o700);
  }
  // Not runuser: it would stand between us and the process that is to be ended.
  const identity = [`--reuid=${user}`, `--regid=${group}`, '--init-groups', '--pdeathsig=INT'];
  return (command, args) => ['setpriv', [...identity, command, ...args]];
}
