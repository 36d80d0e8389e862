/**
 * The headers around an answer: what every answer says to browsers, and who of them may call (CORS). They are set
 * here in one go, because a chain of middleware would build each answer several times.
 */
import { MEDIA_TYPE } from './negotiation.ts';

/** Credentials are headers, not cookies, so any origin may be let in (decisions, section 1). */
const EXPOSED = ['ETag', 'Location', 'Retry-After', 'X-Request-Id'];
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
const REQUEST_HEADERS = [
  'api-key',
  'application-id',
  'authorization',
  'content-type',
  'if-match',
  'if-none-match',
];

/** Seconds that a browser may keep the answer of a preflight. */
const PREFLIGHT_LIFETIME = 86_400;

const EVERYWHERE = {
  'Content-Security-Policy': "default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
  'Access-Control-Expose-Headers': EXPOSED.join(','),
};

/** Answers depend on who asks, so no shared cache may keep them. */
const UNSHARED = { 'Cache-Control': 'private, no-cache' };

/** The headers of an answer without a body, and of one with. Copying them costs less than making them. */
export const BARE = new Headers({ ...EVERYWHERE, ...UNSHARED });
export const TYPED = new Headers({ ...EVERYWHERE, ...UNSHARED, 'Content-Type': MEDIA_TYPE });

/** Lets the origins of the setting in: comma-separated, or `*`, which is the default. */
export function letBrowsersIn(headers: Headers, setting: string | undefined, origin: string | null): void {
  if (setting === undefined || isAny(setting)) {
    headers.set('Access-Control-Allow-Origin', '*');
    return;
  }
  if (origin !== null && originsOf(setting).includes(origin)) {
    headers.set('Access-Control-Allow-Origin', origin);
  }
  headers.append('Vary', 'Origin');
}

/** The answer to a browser that asks what it may send. */
export function preflight(): Response {
  const headers = new Headers({
    ...EVERYWHERE,
    'Access-Control-Max-Age': String(PREFLIGHT_LIFETIME),
    'Access-Control-Allow-Methods': METHODS.join(','),
    'Access-Control-Allow-Headers': REQUEST_HEADERS.join(','),
    Vary: 'Access-Control-Request-Headers',
  });
  return new Response(null, { status: 204, headers });
}

function isAny(setting: string): boolean {
  return setting === '*' || originsOf(setting).includes('*');
}

function originsOf(setting: string): readonly string[] {
  return setting.split(',').map((each) => each.trim());
}
