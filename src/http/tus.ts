/** What tus 1.0 (https://tus.io) asks of every answer about uploads, also of refusals, and of requests. */
import type { MiddlewareHandler } from 'hono';
import { settingsOf } from '../domain/environment/settings.ts';
import { mostOfUpload, UPLOADS_PATH } from '../modules/files/resumable.ts';
import { getPath } from './arrival.ts';
import type { Types } from './types.ts';

const KNOWN = {
  'Tus-Version': '1.0.0',
  'Tus-Extension': 'creation,expiration,checksum,termination',
  'Tus-Checksum-Algorithm': 'sha1,sha256',
};

export const tus: MiddlewareHandler<Types> = async (c, next) => {
  await next();
  const { headers, status } = c.res;
  headers.set('Tus-Resumable', '1.0.0');
  if (status === 412) headers.set('Tus-Version', KNOWN['Tus-Version']);
  if (c.req.method !== 'OPTIONS') return;
  for (const [name, value] of Object.entries(KNOWN)) headers.set(name, value);
  headers.set('Tus-Max-Size', String(mostOfUpload(settingsOf(c.env))));
};

/** The request with the method that it says in a header, as clients do behind a proxy that lets no PATCH through. */
export function methodSaid(request: Request): Request {
  const said = request.headers.get('x-http-method-override')?.toUpperCase();
  const isMeant = said !== undefined && request.method === 'POST' && SAID.has(said);
  if (!isMeant || !getPath(request).startsWith(`${UPLOADS_PATH}/`)) return request;
  // HEAD has no body: with that of the request it would be no request.
  return new Request(request, { method: said, ...(said === 'HEAD' && { body: null }) });
}

const SAID: ReadonlySet<string> = new Set(['PATCH', 'DELETE', 'HEAD']);
