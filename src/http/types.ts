/**
 * The variables of Hono's context during a request, and what is rendered: the types of every middleware and handler
 * here.
 */
import type { Context } from 'hono';
import type { Caller, Claim, Trace } from '../auth/identify.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import type { Parsed } from '../domain/values/json.ts';
import type { Settings } from '../domain/settings.ts';
import type { TagList } from '../modules/documents/tags/tag-list.ts';
import type { Query } from '../modules/endpoint.ts';
import type { Preferences } from '../modules/preferences.ts';
import type { Arrival } from './arrival.ts';
import type { Reply } from './headers.ts';
import type { PathParameters } from '../modules/path-parameters.ts';

export interface Types {
  Bindings: Environment;
  Variables: Variables;
}

/** In the order in which they are set. Read them by `get`: the getter `var` copies all of them. */
interface Variables {
  requestId: string;
  /** When the request arrived, in milliseconds since 1970. */
  started: number;
  /** Notes for the log. */
  trace: Trace;
  /** The path of the endpoint, as the table of endpoints has it; undefined where none has taken the request. */
  route?: string;
  /** Bytes of the answer's body, where the log asks for them and they are known. */
  bytes?: number;
  arrival: Arrival;
  settings: Settings;
  claim: Claim;
  caller: Caller;
  /** Methods of the path, if none of its routes has taken the request. */
  allow?: Set<string>;
  parameters: PathParameters;
  query: Query;
  ifMatch: TagList;
  ifNoneMatch: TagList;
  idempotencyKey: string | null;
  preferences: Preferences;
  /** Whether the answer is to be in the extended-json profile. */
  wrapped: boolean;
  /** Null if the endpoint takes no body. */
  body: Parsed;
}

/** One of the checks of a request to an endpoint: its refusal, or undefined where the next may begin. */
export type Step = (c: Context<Types>) => Response | undefined | Promise<Response | undefined>;

declare module 'hono' {
  /** `c.render` takes a reply: the middleware `answers` defines how it becomes a response. */
  interface ContextRenderer {
    (reply: Reply): Response;
  }
}
