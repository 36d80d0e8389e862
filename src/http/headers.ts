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

/** For clients that are browsers: an answer is data, never a page, a script or part of a frame. */
const EVERYWHERE = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=15552000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Access-Control-Expose-Headers': EXPOSED.join(','),
};

/** Answers depend on who asks, so no shared cache may keep them. */
const UNSHARED = { 'Cache-Control': 'private, no-cache' };

/**
 * The headers of an answer without a media type, and of one with. They are shared by all answers: making a dozen
 * headers anew costs more than most of what a read does.
 */
const BARE = new Headers({ ...EVERYWHERE, ...UNSHARED });
const TYPED = new Headers({ ...EVERYWHERE, ...UNSHARED, 'Content-Type': MEDIA_TYPE });

/** An answer before it is sent. */
export interface Reply {
  readonly status: number;
  /** JSON:API's media type is declared with a body, and for HEAD with the lack of one; a 204 has none to declare. */
  readonly typed: boolean;
  /** Where it is another: the answer then depends on what was accepted. */
  readonly mediaType?: string;
  readonly body: string | null;
  /** Headers of its own, beside those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The whole answer, with the headers that every answer has. */
export function send(
  { status, typed, mediaType, body, headers }: Reply,
  requestId: string,
  corsOrigins: string | undefined,
  origin: string | null,
): Response {
  const own: Readonly<Record<string, string>> = {
    ...headers,
    'X-Request-Id': requestId,
    ...browserHeaders(corsOrigins, origin),
  };
  if (mediaType !== undefined) {
    const extended = new Headers(BARE);
    if (typed) extended.set('Content-Type', mediaType);
    for (const name in own) extended.set(name, own[name] ?? '');
    extended.append('Vary', 'Accept');
    return new Response(body, { status, headers: extended });
  }
  const shared = typed ? TYPED : BARE;
  try {
    for (const name in own) shared.set(name, own[name] ?? '');
    // The answer takes a copy.
    return new Response(body, { status, headers: shared });
  } finally {
    for (const name in own) shared.delete(name);
  }
}

/** What a browser may send; the rest of the answer to its question is in the headers of every answer. */
export function preflight(): Reply {
  return {
    status: 204,
    typed: false,
    body: null,
    headers: {
      'Access-Control-Max-Age': String(PREFLIGHT_LIFETIME),
      'Access-Control-Allow-Methods': METHODS.join(','),
      'Access-Control-Allow-Headers': REQUEST_HEADERS.join(','),
      Vary: 'Access-Control-Request-Headers',
    },
  };
}

const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/** Lets the origins of the setting in: comma-separated, or `*`, which is the default. */
function browserHeaders(
  setting: string | undefined,
  origin: string | null,
): Readonly<Record<string, string>> {
  if (setting === undefined || isAny(setting)) return ANY_ORIGIN;
  const admitted = origin !== null && originsOf(setting).includes(origin);
  return { ...(admitted && { 'Access-Control-Allow-Origin': origin }), Vary: 'Origin' };
}

function isAny(setting: string): boolean {
  return setting === '*' || originsOf(setting).includes('*');
}

function originsOf(setting: string): readonly string[] {
  return setting.split(',').map((each) => each.trim());
}
