/** Files as clients store and read them. */
import { createHash } from 'node:crypto';
import type { Client, Reply } from './client.ts';

export const FILES = '/files/core.file';
export const contentPath = (id: string) => `${FILES}/${id}/content`;
export const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The smallest picture. */
export const PNG = Uint8Array.fromBase64(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
);

/** Bytes that nothing compresses. */
export function randomBytes(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(length, at + 65_536)));
  }
  return bytes;
}

export function upload(
  client: Client,
  body: Uint8Array | string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return client.send('POST', FILES, {
    body,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  });
}

/** The ids of the contents that an application has in the bucket. */
export async function contentsOf({ url, application }: Client): Promise<readonly string[]> {
  return (await fetch(`${url}/test/contents/${application}`)).json<string[]>();
}

export interface Content {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export async function fetchContent(
  { url, application, key }: Client,
  id: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', query = '' } = {},
): Promise<Content> {
  const response = await fetch(`${url}${contentPath(id)}${query}`, {
    method,
    headers: { 'application-id': application, 'api-key': key, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}
