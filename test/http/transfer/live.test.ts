/** An application that is written to while it is exported: what the export holds can be imported, and checked. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exportApplication } from '../../../scripts/transfer/export.ts';
import { toFile, type ExportTarget } from '../../../scripts/transfer/targets.ts';
import { Client } from '../../support/client.ts';
import { exportTo, fileOf, importOf, newFile, progress, service } from '../../support/transfer-files.ts';

/** Exports an application; after the first type, makes a document of it, and one of a later type that links to it. */
async function exportWhile(client: Client, file: string, cutOff: boolean): Promise<string> {
  const request = { application: client.application, type: null };
  const target = await toFile(file, service.base, request);
  let late: { readonly id: string } | undefined;
  const writing: ExportTarget = {
    ...target,
    note: async (state) => {
      await target.note(state);
      if (late === undefined && !state.types.includes('authors')) {
        late = await client.make('authors', { name: 'late' });
        await client.make('books', {}, { author: { data: { type: 'authors', id: late.id } } });
      } else if (late !== undefined && cutOff && !state.types.includes('books')) throw new Error('cut off');
    },
  };
  const made = exportApplication(service, request, writing, progress);
  if (cutOff) {
    await expect(made).rejects.toThrow('cut off');
    await exportTo(file, client.application);
  } else await made;
  return late?.id ?? '';
}

async function makeLibrary(): Promise<Client> {
  const client = await Client.create('library');
  const author = await client.make('authors', { name: 'early' });
  await client.make('books', {}, { author: { data: { type: 'authors', id: author.id } } });
  return client;
}

describe.each([
  ['at once', false],
  ['in two goes', true],
])('an export that was made %s while others wrote', (_, cutOff) => {
  test.each(['live.ndjson', 'live.ndjson.gz'])('to %s comes in whole, with all its links', async (name) => {
    const client = await makeLibrary();
    const file = newFile(name);
    const late = await exportWhile(client, file, cutOff);
    const { application } = await Client.create('library, too');
    expect(await importOf(file, { into: application })).toMatchObject({ refused: 0, whole: true, told: [] });
    if (name.endsWith('.gz')) return;
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(`{"foredge":{"absent":["authors ${late}"]}}\n`);
    // Links to what nobody has made are still refused.
    const strange = fileOf(
      text.replaceAll(`"type":"authors","id":"${late}"`, `"type":"authors","id":"${'f'.repeat(24)}"`),
    );
    const other = await Client.create('library, again');
    expect((await importOf(strange, { into: other.application })).refused).toBe(1);
  });
});

test('names nothing as absent while nobody writes', async () => {
  const client = await makeLibrary();
  const file = newFile('still.ndjson');
  await exportTo(file, client.application);
  expect(readFileSync(file, 'utf8')).not.toContain('absent');
});
