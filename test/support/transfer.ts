/** Exports and imports of applications, over the operator's endpoints. */
import { inject } from 'vitest';
import { asOperator, Client, type Reply } from './client.ts';

const LINES = 'application/x-ndjson';

const APPLICATIONS = '/applications/core.application';

/** Calls as the operator does, at an address below that of applications. A text is lines of JSON. */
export function callOperator(method: string, path = '', body?: unknown, url?: string): Promise<Reply> {
  const headers = { ...asOperator(), ...(typeof body === 'string' && { 'content-type': LINES }) };
  const address = /^(\?|$)/.test(path) ? path : `/${path}`;
  return new Client(url ?? inject('url'), '', '').send(method, APPLICATIONS + address, { headers, body });
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
