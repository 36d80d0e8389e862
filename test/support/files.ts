/** Files as clients store and read them. */
import { createHash } from 'node:crypto';
import { joined } from '../../src/domain/values/bytes.ts';
import type { Client, Reply } from './client.ts';

export const FILES = '/files/core.file';
export const contentPath = (id: string) => `${FILES}/${id}/content`;
export const digestOf = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

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

export interface Part {
  readonly name: string;
  readonly body: Uint8Array | string;
  /** Lines beside that of the name. */
  readonly head?: readonly string[];
  readonly filename?: string;
}

export const BOUNDARY = '----x';

/** The body of a form as the bytes that a browser sends. */
export function formOf(parts: readonly Part[], end = `\r\n--${BOUNDARY}--\r\n`): Uint8Array {
  const text = (value: string) => new TextEncoder().encode(value);
  return joined(
    ...parts.flatMap(({ name, body, head = [], filename }, at) => {
      const file = filename === undefined ? '' : `; filename="${filename}"`;
      const lines = [`Content-Disposition: form-data; name="${name}"${file}`, ...head, '', ''];
      const start = `${at === 0 ? '' : '\r\n'}--${BOUNDARY}\r\n${lines.join('\r\n')}`;
      return [text(start), typeof body === 'string' ? text(body) : body];
    }),
    text(end),
  );
}

export function uploadForm(
  client: Client,
  form: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return upload(client, form, { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers });
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
  const credentials = { 'application-id': application, 'api-key': key };
  return readAt(`${url}${contentPath(id)}${query}`, { method, headers: { ...credentials, ...headers } });
}

/** The content at an address, which may be a link that needs no credentials. */
export async function readAt(address: string, request: RequestInit = {}): Promise<Content> {
  const response = await fetch(address, request);
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  };
}

export function linkTo(
  client: Client,
  id: string,
  meta: object = { until: new Date(Date.now() + 60_000).toISOString() },
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return client.post(`${FILES}/${id}/links`, { meta }, headers);
}

/** The id of a new file. */
export async function storePicture(
  client: Client,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const made = await upload(client, bytes, headers);
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data.id;
}
