/**
 * Exceptions because the machine or the platform cannot serve now: a full disk, an object that cannot be opened or is
 * overloaded. Neither the request nor the service is at fault: the client may try again.
 */
import { problem, type Problem } from '../domain/problems.ts';
import { TOO_MANY_OBJECTS, DATA_LOST, NOT_DECIDED, NOT_IN_FORCE } from '../collection/rpc/outages.ts';

/** Seconds after which to try again: files and memory are released within that time. */
const AGAIN = 10;

/** By the text of the error: errors that cross RPC from an object keep nothing else. */
const FULL = /SQLITE_FULL/;

/** Errors of the service itself, thrown in objects or when there can be no object more. */
const EXPECTED: ReadonlySet<string> = new Set([TOO_MANY_OBJECTS, NOT_DECIDED, NOT_IN_FORCE]);

/** Files of a collection that are missing, or are no longer databases. Only the operator can repair that. */
const LOST = new RegExp(`^${DATA_LOST}|SQLITE_(?:CORRUPT|NOTADB)`);

/** The runtime, KV or R2 failed, had a write of the same key a moment ago, or too many requests for one object. */
const UNAVAILABLE = [
  /^internal error(?:; reference|$)/,
  /SQLITE_(?:IOERR|CANTOPEN|BUSY|NOMEM)/,
  /^KV [A-Z]+ failed: (?:429|5\d\d)/,
  /^\w+: .*\(100(?:01|43|58)\)$/,
];

/** The problem to answer with, or null when the exception is a fault of the service. */
export function outageOf(error: unknown): Problem | null {
  if (!(error instanceof Error)) return null;
  if (FULL.test(error.message)) return storageFull();
  if (LOST.test(error.message)) {
    return problem('data-lost', 'The log tells which collection. Other types are served.');
  }
  if (EXPECTED.has(error.message)) return unavailable(error.message);
  const reset = isReset(error);
  if (!reset && !isOverloaded(error) && !UNAVAILABLE.some((each) => each.test(error.message))) return null;
  return unavailable('The data can not be reached now.', reset ? 1 : AGAIN);
}

/** True when an object began anew while it was asked: a new stub reaches it at once. */
export function isReset(error: unknown): boolean {
  if (!(error instanceof Error) || isOverloaded(error)) return false;
  return 'retryable' in error && error.retryable === true;
}

function isOverloaded(error: Error): boolean {
  return 'overloaded' in error && error.overloaded === true;
}

function unavailable(detail: string, seconds = AGAIN): Problem {
  return problem('unavailable', detail, undefined, { 'retry-after': seconds });
}

export function storageFull(): Problem {
  return problem('storage-full', 'Nothing was changed. Reads go on.', undefined, { 'retry-after': AGAIN });
}
