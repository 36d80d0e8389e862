/** Exports and imports of applications, over the operator's endpoints. */
import { inject } from 'vitest';
import { asOperator, type Body, type Reply } from './client.ts';

const LINES = 'application/x-ndjson';

/** Calls as the operator does. A body is lines of JSON. */
export async function callOperator(
  method: string,
  path: string,
  body?: string,
  url: string = inject('url'),
): Promise<Reply> {
  const response = await fetch(`${url}/applications/core.application/${path}`, {
    method,
    headers: {
      ...asOperator(),
      ...(body !== undefined && { 'content-type': LINES }),
    },
    ...(body !== undefined && { body }),
  });
  const { status, headers } = response;
  const text = await response.text();
  const isDocument = text !== '' && headers.get('content-type') !== LINES;
  return { status, headers, text, body: (isDocument ? JSON.parse(text) : {}) as Body, etag: '' };
}

/** The address of the page after one; null after the last. */
export function nextOf({ headers }: Reply): string | null {
  const [, address] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return address === undefined ? null : address.slice(address.indexOf('/core.application/') + 18);
}

export function firstPage(
  application: string,
  type: string,
  size = 1000,
  url?: string,
  more = '',
): Promise<Reply> {
  const path = `${application}/documents/${type}?page[after]=&page[size]=${size}${more}`;
  return callOperator('GET', path, undefined, url);
}

interface ExportOptions {
  readonly size?: number;
  readonly url?: string;
  readonly history?: boolean;
  /** Runs before each page but the first. */
  readonly between?: () => Promise<void>;
}

/** All lines of a type. */
export async function exported(
  application: string,
  type: string,
  { size = 1000, url, history = false, between }: ExportOptions = {},
): Promise<string> {
  let page = await firstPage(application, type, size, url, history ? '&history=true' : '');
  let text = '';
  for (;;) {
    if (page.status !== 200) throw new Error(page.text);
    text += page.text;
    const next = nextOf(page);
    if (next === null) return text;
    await between?.();
    page = await callOperator('GET', next, undefined, url);
  }
}

export function imported(
  application: string,
  type: string,
  lines: string | readonly string[],
  url?: string,
): Promise<Reply> {
  const body = typeof lines === 'string' ? lines : lines.map((line) => `${line}\n`).join('');
  return callOperator('POST', `${application}/documents/${type}`, body, url);
}

export async function typesOf(application: string, url?: string): Promise<readonly string[]> {
  const { body } = await callOperator('GET', `${application}/types`, undefined, url);
  const types = body.meta['types'] as readonly { readonly name: string; readonly exported: boolean }[];
  return types.filter((each) => each.exported).map(({ name }) => name);
}
