/** What the Worker tells an object of a stream that it has admitted. Only the Worker can ask objects anything. */
import type { DocumentId } from '../../domain/ids.ts';
import type { TypeName } from '../../domain/types.ts';

export interface Opening {
  readonly type: TypeName;
  /** Sealed (credentials.ts). */
  readonly credentials: string;
  readonly apiKey: DocumentId;
  /** The user under whose token it was opened, as an identity; null for none. */
  readonly user: string | null;
  /** The address of the client, where it is known. */
  readonly address: string | null;
  /** When the token ends by itself, in milliseconds since 1970; null without one. */
  readonly until: number | null;
  /** The start of links, and the canonical path. */
  readonly base: string;
  readonly path: string;
  /** What those see who open it (`Access.view`). */
  readonly view: string;
  /** Whether answers show values in wrappers. */
  readonly wrapped: boolean;
  /** The query of the first subscription, with its mark. Its id is ''. */
  readonly query: string;
}

const HEADER = 'foredge-stream';

export function requestOf(opening: Opening): Request {
  const headers = { upgrade: 'websocket', [HEADER]: encodeURIComponent(JSON.stringify(opening)) };
  return new Request('https://object.invalid/', { headers });
}

export function openingOf(request: Request): Opening | null {
  const sent = request.headers.get(HEADER);
  return sent === null ? null : (JSON.parse(decodeURIComponent(sent)) as Opening);
}

/** How an object refuses a stream. */
export const TOO_MANY = 429;

/** Why a stream ends (RFC 6455, 7.4.2: codes for applications). */
export const CLOSED = {
  /** The credentials do not stand any more. */
  credentials: 4401,
  /** The key does not permit it any more. */
  permission: 4403,
  /** Too much was sent that the client has not acknowledged. */
  slow: 4408,
  /** What is shown has changed as a whole: begin anew without a mark. */
  anew: 4410,
  /** The service can not go on; resume. */
  failed: 1011,
} as const;
