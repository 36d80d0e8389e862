/** Starts our own server as `npm start` does, on a folder of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { start, temporaryFolder } from '../processes.ts';
import type { Credentials } from './api.ts';

export async function startForedge(): Promise<Credentials> {
  const folder = temporaryFolder();
  await start({
    command: process.execPath,
    args: [join(import.meta.dirname, '../../serve.ts')],
    environment: { DATA_DIR: folder, PORT: '0' },
    ready: /Ctrl-C stops/,
  });
  const credentials = read(join(folder, 'credentials.json'));
  return {
    url: credentials['base_url'] ?? '',
    application: credentials['application_id'] ?? '',
    key: credentials['api_key'] ?? '',
    operator: read(join(folder, 'secrets.json'))['OPERATOR_SECRET'] ?? '',
  };
}

function read(file: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
}
