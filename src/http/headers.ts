/**
 * The headers of an answer: those that every answer has for browsers, and which origins may call (CORS). They are set
 * here at once. Hono's `cors` and `secureHeaders` set the same headers, but each on a finished answer, which is then
 * built again: with them (and `requestId`) a request took 30 µs more of the processor's time on a busy machine, which
 * is 9 to 13 % of a read by id and 27 to 38 % of a refusal. And they do not check whether a request came over TLS.
 */
import type { Problem } from '../domain/problems.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../modules/contents/parameters.ts';
import type { TextInParts } from '../modules/endpoint.ts';
import { MEDIA_TYPE } from './negotiation.ts';

/** Those of the handshake of a WebSocket and of a login concern the browser alone. */
const OF_BROWSERS = ['Sec-WebSocket-Protocol', 'WWW-Authenticate'];
const namesOf = (table: object, ...more: readonly string[]) =>
  [...Object.keys(table), ...more].filter((name) => !OF_BROWSERS.includes(name));

/** Credentials are headers, not cookies, so any origin may be allowed (decisions, section 1). */
const EXPOSED = namesOf(RESPONSE_HEADERS, 'Preference-Applied', 'Server-Timing').sort();
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];
const ALLOWED = namesOf(
  REQUEST_HEADERS,
  ...['Accept', 'Api-Key', 'Application-Id', 'Authorization', 'Content-Type', 'Prefer'],
  ...['X-Http-Method-Override', 'X-Request-Id'],
)
  .map((name) => name.toLowerCase())
  .sort();

/**
 * Headers of the request on which an answer depends (decisions, section 1). `Prefer` is added where it was followed:
 * every cache asks again before it uses an answer, so those made without it need not name it.
 */
const VARY = 'Authorization, api-key, application-id, Accept';

/** Seconds that a browser may keep the answer of a preflight. */
const PREFLIGHT_LIFETIME = 86_400;

/** For clients that are browsers: an answer is data, never a page, a script or part of a frame. */
const EVERYWHERE = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Answers depend on the caller: no shared cache may keep them, and no answer may be mistaken for that of another
  // caller.
  'Cache-Control': 'private, no-cache',
  Vary: VARY,
  'Access-Control-Expose-Headers': EXPOSED.join(','),
  'Access-Control-Allow-Origin': '*',
};

/** An answer without TLS must not have it (RFC 6797, 7.2). */
const SECURE = { 'Strict-Transport-Security': 'max-age=15552000; includeSubDomains' };

const TYPED = { 'Content-Type': MEDIA_TYPE };

/**
 * The headers of an answer without a media type, and of one with. All answers share them: making new ones costs more
 * than most parts of a read.
 */
const OVER_TCP = { bare: new Headers(EVERYWHERE), typed: new Headers({ ...EVERYWHERE, ...TYPED }) };
const OVER_TLS = {
  bare: new Headers({ ...EVERYWHERE, ...SECURE }),
  typed: new Headers({ ...EVERYWHERE, ...SECURE, ...TYPED }),
};

/** An answer before it is sent. */
export interface Reply {
  readonly status: number;
  /** An answer with a body, and an answer to HEAD, declares JSON:API's media type; a 204 declares none. */
  readonly typed: boolean;
  /** Set if the media type is another. */
  readonly mediaType?: string | undefined;
  readonly body: string | TextInParts | ReadableStream<Uint8Array> | null;
  /** What the body is to tell, in place of `body`: its links begin with an address that only the request says. */
  readonly problems?: readonly Problem[];
  /** True if no cache may keep the answer. */
  readonly confidential?: boolean;
  /** True if the answer follows a preference. */
  readonly preferred?: boolean;
  /** Headers in addition to those of every answer. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A reply whose body can be sent. */
export interface ReadyReply extends Reply {
  readonly body: string | ReadableStream<Uint8Array> | null;
}

/** What the headers of an answer depend on besides the answer. */
export interface Circumstances {
  readonly requestId: string;
  /** True when the request came over TLS. */
  readonly secure: boolean;
  /** The headers of the request. */
  readonly sent: Headers;
  /** Origins that may call; null for any. */
  readonly corsOrigins: ReadonlySet<string> | null;
}

/** The whole answer, with the headers that every answer has. */
export function send(reply: ReadyReply, circumstances: Circumstances): Response {
  const { status, typed, mediaType, body, confidential, preferred, headers } = reply;
  const { requestId, secure, sent, corsOrigins } = circumstances;
  const shared = (secure ? OVER_TLS : OVER_TCP)[typed ? 'typed' : 'bare'];
  if (mediaType !== undefined || confidential === true || preferred === true || corsOrigins !== null) {
    const own = new Headers(shared);
    setAll(own, { ...headers, 'X-Request-Id': requestId });
    if (mediaType !== undefined && typed) own.set('Content-Type', mediaType);
    if (confidential === true) own.set('Cache-Control', 'no-store');
    if (preferred === true) own.append('Vary', 'Prefer');
    if (corsOrigins !== null) narrow(own, corsOrigins, sent.get('origin'));
    return new Response(body, { status, headers: own });
  }
  // Every answer has another id: it overwrites that of the last answer.
  shared.set('X-Request-Id', requestId);
  try {
    setAll(shared, headers);
    // The answer takes a copy.
    return new Response(body, { status, headers: shared });
  } finally {
    for (const name in headers) shared.delete(name);
  }
}

function setAll(headers: Headers, members: Readonly<Record<string, string>>): void {
  for (const name in members) headers.set(name, members[name] ?? '');
}

/** What a browser may send, and the methods of the path; every answer has the other headers of a preflight. */
export function preflight(allow?: Readonly<Record<string, string>>): Reply {
  return {
    status: 204,
    typed: false,
    body: null,
    headers: {
      'Access-Control-Max-Age': String(PREFLIGHT_LIFETIME),
      'Access-Control-Allow-Methods': METHODS.join(','),
      'Access-Control-Allow-Headers': ALLOWED.join(','),
      ...allow,
    },
  };
}

/** Allows only the origins of the setting. */
function narrow(headers: Headers, origins: ReadonlySet<string>, origin: string | null): void {
  headers.append('Vary', 'Origin');
  if (origin !== null && origins.has(origin)) headers.set('Access-Control-Allow-Origin', origin);
  else headers.delete('Access-Control-Allow-Origin');
}
