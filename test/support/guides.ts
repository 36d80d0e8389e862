/** The guides (docs/guides), pasted as printed after the README's first block, each in an application of its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { Client } from './client.ts';
import { pasteAll } from './pasted.ts';
import { ROOT, temporaryFolder } from './started.ts';

export const GUIDES = join(ROOT, 'docs/guides');

export interface Pasted {
  /** With a key that permits everything. */
  readonly client: Client;
  /** What each block has printed. */
  readonly outputs: readonly string[];
}

/** Pastes the blocks of a guide, and compares what they print with what it says. */
export async function pasteGuide(name: string): Promise<Pasted> {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  // The headers that every example uses: the first block of the README.
  const [variables = ''] = /^```sh\n.*?^```$/ms.exec(readme) ?? [];
  const client = await Client.create();
  const folder = temporaryFolder();
  try {
    const credentials = { base_url: client.url, application_id: client.application, api_key: client.key };
    writeFileSync(join(folder.path, 'credentials.json'), JSON.stringify(credentials));
    const guide = readFileSync(join(GUIDES, name), 'utf8');
    const outputs = await pasteAll(`${variables}\n\n${guide}`, {
      DATA_DIR: folder.path,
      FOREDGE_URL: client.url,
      OPERATOR_SECRET: inject('operatorSecret'),
    });
    return { client, outputs };
  } finally {
    folder.remove();
  }
}
