/** An upload that goes on where it was cut off, by tus 1.0 (docs/files.md, Large and shaky uploads). */
import { ForedgeError } from '../index.ts';
import { base64 } from '../session.ts';
import type { Upload } from './types.ts';
import { fault } from '../transport.ts';
import { sendBytes, type Sender } from './send.ts';

const PATH = '/files/uploads';
const VERSION = { 'tus-resumable': '1.0.0' };

/** Bytes of a request: those of one part in a bucket. */
const PIECE = 5 * 1024 * 1024;

/** Milliseconds of pauses between two attempts. */
const SHORTEST = 200;
const LONGEST = 10_000;

/**
 * Uploads, however often the connection is lost, and gives the id of the file. An aborted upload is ended in the
 * service, too: it would count in the quota for a day.
 */
export async function uploadInPieces(db: Sender, upload: Upload): Promise<string> {
  const { blob, onBegin, onProgress, patience, signal } = upload;
  let { id } = upload;
  let isKnown = id === undefined;
  let offset = 0;
  let furthest = 0;
  let since = Date.now();
  let pause = SHORTEST;
  const reach = (bytes: number) => {
    offset = bytes;
    onProgress?.(bytes, blob.size);
    if (bytes <= furthest) return;
    furthest = bytes;
    since = Date.now();
    pause = SHORTEST;
  };
  for (;;) {
    try {
      if (id === undefined) {
        id = await begin(db, upload);
        onBegin?.(id);
      }
      if (!isKnown) reach(await look(db, id, upload));
      isKnown = true;
      while (offset < blob.size) reach(await sendPiece(db, id, offset, upload));
      return id;
    } catch (error) {
      if (signal?.aborted === true && id !== undefined) end(db, id);
      if (!isPassing(error) || Date.now() - since > patience) throw error;
    }
    isKnown = false;
    await waited(pause, signal);
    pause = Math.min(pause * 2, LONGEST);
  }
}

/** What may be otherwise a moment later. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ForedgeError)) return false;
  const { code, status } = error;
  return [0, 429, 503].includes(status) || code === 'unexpected-answer' || code === 'offset-conflict';
}

const waited = (milliseconds: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      resolve();
    });
  });

async function begin(db: Sender, { blob: { size, type }, name, signal }: Upload): Promise<string> {
  const said = Object.entries({ filename: name, filetype: type });
  const metadata = said.flatMap(([key, value]) => (value ? `${key} ${base64(value)}` : []));
  const headers = { ...VERSION, 'upload-length': String(size), 'upload-metadata': metadata.join() };
  const { response } = await sendBytes(db, 'POST', PATH, { headers, signal });
  return response.headers.get('location')?.split('/').at(-1) ?? '';
}

/** Where an upload is. */
async function look(db: Sender, id: string, { blob, signal }: Upload): Promise<number> {
  const { headers } = (await sendBytes(db, 'GET', `${PATH}/${id}`, { signal })).response;
  if (Number(headers.get('upload-length')) === blob.size) return Number(headers.get('upload-offset'));
  throw new TypeError('The upload was begun with another content.');
}

/** Sends the next bytes, and tells how far the upload is by then. */
async function sendPiece(db: Sender, id: string, offset: number, upload: Upload): Promise<number> {
  const { blob, onProgress, signal } = upload;
  const { response } = await sendBytes(db, 'PATCH', `${PATH}/${id}`, {
    headers: {
      ...VERSION,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
    },
    body: blob.slice(offset, offset + PIECE),
    signal,
    onSent: (bytes) => onProgress?.(offset + bytes, blob.size),
  });
  const next = Number(response.headers.get('upload-offset'));
  if (next > offset) return next;
  throw new ForedgeError(0, [fault('unreachable', 'Nothing of the content comes through')]);
}

function end(db: Sender, id: string): void {
  db.request('DELETE', `${PATH}/${id}`, { headers: VERSION }).catch(() => undefined);
}
