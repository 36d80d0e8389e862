/** Contents of files that were taken without a network: they go as uploads, each of which becomes one file. */
import { ForedgeError } from '../index.ts';
import type { Database } from '../database.ts';
import type { Files } from '../files/types.ts';
import { pathOf } from '../paths.ts';
import { dataOfChange, type Change } from './pending.ts';
import type { Storage } from './storage.ts';
import type { Answer } from '../transport.ts';

export interface Sending {
  /** Each rejects when nothing may be sent now, as the next. */
  readonly request: Database<unknown>['request'];
  readonly upload: Files<unknown>['upload'];
}

/** Makes a file as a change says: what that says beside the name comes after the content. */
export async function storeFile(
  { request, upload }: Sending,
  storage: Storage,
  { key, said, type }: Change,
  blob: Blob,
): Promise<Answer> {
  const { name, ...attributes } = said.attributes;
  const id = await sendContent(upload, storage, blob, key, typeof name === 'string' ? name : undefined);
  const more = { ...said, attributes, gone: [] };
  if (Object.keys({ ...attributes, ...said.relationships }).length > 0) {
    const body = { data: dataOfChange({ type, id, kind: 'update', said: more }) };
    return request('PATCH', pathOf(type, id), { body, headers: { prefer: 'return=representation' } });
  }
  return request('GET', pathOf(type, id)).catch((error: unknown) => {
    // Whoever may store a file and not read it is not shown it.
    if (!(error instanceof ForedgeError) || ![403, 404].includes(error.status)) throw error;
    return { body: { data: { type, id, attributes: said.attributes } }, etag: undefined, status: 201 };
  });
}

/** Sends a content, on from where its upload was cut off, and gives the id of the file. */
async function sendContent(
  upload: Sending['upload'],
  storage: Storage,
  blob: Blob,
  key: string,
  name: string | undefined,
): Promise<string> {
  const begun = await storage.read((tables) => tables.get('ids', key));
  const onBegin = (id: string) => {
    const note = storage.write((tables) => {
      tables.put('ids', { local: key, id });
      return Promise.resolve();
    });
    // Without it the content is sent from its beginning.
    note.catch(() => undefined);
  };
  const send = async (id?: string) => (await upload(blob, { id, name, onBegin, patience: 0 })).id;
  if (begun === undefined) return send();
  return send(begun.id).catch((error: unknown) => {
    // The upload has ended, as each does that has waited for a day.
    if (error instanceof ForedgeError && error.status === 404) return send();
    throw error;
  });
}
