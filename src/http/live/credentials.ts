/**
 * Credentials of streams. A browser can send no headers with a WebSocket: they may stand in the list of its protocols.
 * An object keeps those of its streams sealed, and asks for them again whenever it has something to tell.
 */
import { signerOf } from '../../auth/credentials.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import type { ApplicationId } from '../../domain/ids.ts';
import { parse } from 'hono/utils/cookie';
import { cookieOf } from '../../domain/accounts/cookie.ts';
import { readPrefer } from '../prefer.ts';
import { fromBase64 } from '../../domain/values/base64.ts';

/** The protocol that the service speaks. */
export const PROTOCOL = 'foredge.v1';

const HEADERS = ['application-id', 'api-key', 'authorization'] as const;

export function isUpgrade(headers: Headers): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket';
}

/** The protocols that a WebSocket offers. */
export function protocolsOf(headers: Headers): readonly string[] {
  return (headers.get('sec-websocket-protocol') ?? '').split(',').map((each) => each.trim());
}

/** The headers of a request, with credentials from the protocols of a WebSocket where headers have none. */
export function withProtocols(headers: Headers): Headers {
  if (!isUpgrade(headers)) return headers;
  const given = new Headers(headers);
  for (const protocol of protocolsOf(headers)) {
    const at = protocol.indexOf('.');
    const value = protocol.slice(at + 1);
    const [name, text] = credentialOf(protocol.slice(0, at), value);
    if (name !== null && text !== undefined && !given.has(name)) setHeader(given, name, text);
  }
  return given;
}

/** The headers of a request, with what refreshes a login from the cookie, where the request asks for that. */
export function withCookie(headers: Headers): Headers {
  const cookie = headers.get('cookie');
  if (cookie === null || headers.has('authorization')) return headers;
  if (readPrefer(headers.get('prefer'), ['cookie']).cookie === null) return headers;
  const name = cookieOf(headers.get('application-id') ?? '');
  const given = new Headers(headers);
  setHeader(given, 'authorization', `Cookie ${parse(cookie, name)[name] ?? ''}`);
  return given;
}

function credentialOf(
  kind: string,
  value: string,
): readonly [(typeof HEADERS)[number] | null, string | undefined] {
  if (kind === 'application-id') return ['application-id', value];
  if (kind === 'api-key') return ['api-key', textOf(value)];
  const token = kind === 'token' ? textOf(value) : undefined;
  return token === undefined ? [null, undefined] : ['authorization', `Token ${token}`];
}

function textOf(value: string): string | undefined {
  const bytes = fromBase64(value);
  return bytes && new TextDecoder().decode(bytes);
}

/** Texts that no header may hold are no credentials. */
function setHeader(headers: Headers, name: string, text: string): void {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)?$/.test(text)) headers.set(name, text);
}

/** A token as it is kept: what is around it may be long, and an object has little room for each stream. */
const TOKEN = /^Token +(\S{1,2000})$/i;

const boundsOf = (application: ApplicationId) => ({ purpose: 'stream', application, about: [] }) as const;

export async function sealCredentials(
  environment: Environment,
  application: ApplicationId,
  headers: Headers,
): Promise<string> {
  const { sealer } = await signerOf(environment);
  const [, token] = TOKEN.exec(headers.get('authorization') ?? '') ?? [];
  const sent = [headers.get('application-id'), headers.get('api-key'), token ? `Token ${token}` : null];
  return sealer.seal(boundsOf(application), JSON.stringify(sent));
}

export async function openCredentials(
  environment: Environment,
  application: ApplicationId,
  sealed: string,
): Promise<Headers> {
  const { sealer } = await signerOf(environment);
  const text = await sealer.open(boundsOf(application), sealed);
  const values = JSON.parse(text ?? '[]') as (string | null)[];
  const headers = new Headers();
  for (const [at, name] of HEADERS.entries()) {
    const value = values[at] ?? null;
    if (value !== null) headers.set(name, value);
  }
  return headers;
}
