/** Our own server as `npm start` starts it, on a folder of its own. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { start, temporaryFolder } from '../processes.ts';
import type { Credentials } from './api.ts';

export interface ForedgeServer {
  readonly credentials: Credentials;
  /** Where its data are. */
  readonly folder: string;
}

export async function startForedge(
  environment: Readonly<Record<string, string>> = {},
): Promise<ForedgeServer> {
  const folder = temporaryFolder();
  await start({
    command: process.execPath,
    args: [join(import.meta.dirname, '../../serve.ts')],
    environment: { ...environment, DATA_DIR: folder, PORT: '0' },
    ready: /Ctrl-C stops/,
  });
  const first = read(join(folder, 'credentials.json'));
  const credentials = {
    url: first['base_url'] ?? '',
    application: first['application_id'] ?? '',
    key: first['api_key'] ?? '',
    operator: read(join(folder, 'secrets.json'))['OPERATOR_SECRET'] ?? '',
  };
  return { credentials, folder };
}

/** The process id of the runtime of a server. NaN where there is no such file: without a shell nothing writes it. */
export function processOf(folder: string): number {
  const file = join(folder, 'workerd.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : NaN;
}

function read(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
}
