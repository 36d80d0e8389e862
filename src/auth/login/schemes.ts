/** Requests to log in, and what their `Authorization` header says. Nothing here is believed yet. */
import type { Environment } from '../../collection/rpc/environment.ts';
import type { StorageQuotas } from '../../domain/applications/quotas.ts';
import { fromBase64 } from '../../domain/values/base64.ts';
import { readId, type DocumentId, type ApplicationId } from '../../domain/ids.ts';

/** A request to log in. */
export interface Login {
  readonly environment: Environment;
  readonly application: ApplicationId;
  /** What the application may store, where something limits it: the first login with an id token makes a user. */
  readonly quotas?: StorageQuotas | undefined;
  readonly authorization: string | null;
  /** What tells one client from another, where it is known. */
  readonly address: string | null;
}

/** `Basic <base64 of name:password>`; the password may hold colons (RFC 7617). */
export function readBasic(authorization: string | null) {
  const text = decodeScheme('Basic', authorization);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 1) return undefined;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** `External <base64 of id:<external user id>>`. */
export function readExternal(authorization: string | null): DocumentId | undefined {
  const [, id = ''] = /^id:([0-9a-fA-F]{24})$/.exec(decodeScheme('External', authorization) ?? '') ?? [];
  return readId(id);
}

/** `Bearer <id token>`. */
export function readBearer(authorization: string | null): string | undefined {
  const [, token] = /^Bearer +([A-Za-z0-9_.-]{1,16384})$/i.exec(authorization ?? '') ?? [];
  return token;
}

/** `Refresh <refresh token>`, or what a cookie brought. */
export function readRefresh(authorization: string | null) {
  const [, scheme = '', sealed] = /^(Refresh|Cookie) +([\w-]{1,200})$/i.exec(authorization ?? '') ?? [];
  return sealed === undefined ? undefined : { sealed, isCookie: scheme.toLowerCase() === 'cookie' };
}

function decodeScheme(scheme: string, authorization: string | null): string | undefined {
  const [found = '', encoded = '', ...rest] = (authorization ?? '').trim().split(/ +/);
  if (found.toLowerCase() !== scheme.toLowerCase() || rest.length > 0 || encoded.length > 8192)
    return undefined;
  const bytes = fromBase64(encoded);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
