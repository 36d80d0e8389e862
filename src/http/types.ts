/**
 * The variables of Hono's context during a request, and what is rendered: types of all middleware and handlers here.
 */
import type { Context } from 'hono';
import type { Caller, Claim, Trace } from '../auth/identify.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import type { Parsed } from '../domain/values/json.ts';
import type { RequestMemory } from '../domain/work/memory.ts';
import type { Settings } from '../domain/environment/settings.ts';
import type { ReadHead } from '../modules/endpoint.ts';
import type { StoredFile } from '../modules/files/upload.ts';
import type { Arrival } from './arrival.ts';
import type { Reply } from './headers.ts';
import type { PathParameters } from '../modules/path-parameters.ts';

export interface Types {
  Bindings: Environment;
  Variables: Variables;
}

/** What every request has. */
interface Surroundings {
  readonly requestId: string;
  /** When the request arrived, in milliseconds since 1970. */
  readonly started: number;
  /** Notes for the log. */
  readonly trace: Trace;
  readonly arrival: Arrival;
  readonly settings: Settings;
  /** What the making of its answer holds. */
  readonly memory: RequestMemory;
}

/**
 * In the order in which they are set. Read them by `get`: the getter `var` copies all. Hono's map of them grows by
 * steps, and each step allocates a new one: what is known together is one variable, so a request has eight at most.
 */
interface Variables {
  surroundings: Surroundings;
  /** The path of the endpoint, as the table of endpoints has it; undefined where none has taken the request. */
  route?: string;
  /** Bytes of the answer's body, where the log asks for them and they are known. */
  bytes?: number;
  claim: Claim;
  caller: Caller;
  /** Methods of the path, if none of its routes has taken the request. */
  allow?: Set<string>;
  parameters: PathParameters;
  asked: ReadHead;
  /** Null if the endpoint takes no body. */
  body: Parsed;
  /** A content that came as the body. */
  stored?: StoredFile;
}

export type Serving = (c: Context<Types>) => Response | Promise<Response>;

/** One of the checks of a request to an endpoint: its refusal, or undefined where the next may begin. */
export type RequestCheck = (c: Context<Types>) => Response | undefined | Promise<Response | undefined>;

declare module 'hono' {
  /** `c.render` takes a reply: the middleware `answers` defines how it becomes a response. */
  interface ContextRenderer {
    (reply: Reply): Response;
  }
}
