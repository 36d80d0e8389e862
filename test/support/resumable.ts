/** Uploads in several requests: by the published client of tus, and one request at a time. */
import { buffer } from 'node:stream/consumers';
import { Upload, type UploadOptions } from 'tus-js-client';
import { expect } from 'vitest';
import type { Client, Reply } from './client.ts';
import { digestOf, fetchContent } from './files.ts';

export const UPLOADS = '/files/uploads';
export const VERSION = { 'tus-resumable': '1.0.0' };
export const base64 = (text: string) => new TextEncoder().encode(text).toBase64();

/** Uploads by the published client; resolves with the id. */
export async function uploadBy(
  client: Client,
  bytes: Uint8Array,
  options: Partial<UploadOptions> = {},
): Promise<string> {
  const content = await buffer(new Blob([new Uint8Array(bytes)]).stream());
  return new Promise((resolve, reject) => {
    const upload = new Upload(content, {
      endpoint: `${client.url}${UPLOADS}`,
      headers: { 'application-id': client.application, 'api-key': client.key },
      retryDelays: null,
      onError: reject,
      onSuccess: () => {
        resolve(upload.url?.split('/').at(-1) ?? '');
      },
      ...options,
    });
    upload.start();
  });
}

export const begin = (
  client: Client,
  length: number | string,
  headers: Readonly<Record<string, string>> = {},
) => client.post(UPLOADS, undefined, { ...VERSION, 'upload-length': String(length), ...headers });

export const begun = async (
  client: Client,
  length: number,
  headers: Readonly<Record<string, string>> = {},
) => {
  const made = await begin(client, length, headers);
  expect(made.status).toBe(201);
  return made.headers.get('location')?.split('/').at(-1) ?? '';
};

export const send = (
  client: Client,
  id: string,
  offset: number | string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  client.send('PATCH', `${UPLOADS}/${id}`, {
    body,
    headers: {
      ...VERSION,
      'content-type': 'application/offset+octet-stream',
      'upload-offset': String(offset),
      ...headers,
    },
  });

export const offsetOf = async (
  client: Client,
  id: string,
  headers: Readonly<Record<string, string>> = {},
) => {
  const looked = await client.send('HEAD', `${UPLOADS}/${id}`, { headers: { ...VERSION, ...headers } });
  return looked.status === 204 ? Number(looked.headers.get('upload-offset')) : looked.status;
};

export const digestAt = async (client: Client, id: string) =>
  digestOf((await fetchContent(client, id)).bytes);
