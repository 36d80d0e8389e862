/**
 * What is thrown because the machine or the platform can not go on for now: a full disk, an object that can not be
 * opened or is overloaded. That is no fault of the request, and none of ours: it may be tried again.
 */
import { problem, type Problem } from '../domain/problems.ts';
import { TOO_MANY_OBJECTS, DATA_LOST, NOT_IN_FORCE } from '../collection/rpc/outages.ts';

/** Seconds after which to try again: what holds files and memory is given back within that time. */
const AGAIN = 10;

/** By the text of what is thrown: errors that cross to us from an object have nothing else of their own. */
const FULL = /SQLITE_FULL/;

/** What we throw ourselves, in objects or for want of one. */
const EXPECTED: ReadonlySet<string> = new Set([TOO_MANY_OBJECTS, NOT_IN_FORCE]);

/** Files of a collection that were there once, or are no databases any more. Nothing mends that but the operator. */
const LOST = new RegExp(`^${DATA_LOST}|SQLITE_(?:CORRUPT|NOTADB)`);

/** An object, or KV, that its runtime could not open or read; its storage failed; too many ask one object. */
const UNAVAILABLE =
  /^internal error(?:; reference|$)|SQLITE_(?:IOERR|CANTOPEN|BUSY|NOMEM)|^KV [A-Z]+ failed: 5\d\d/;

/** The problem to answer with, or null where what was thrown is a fault of ours. */
export function outageOf(error: unknown): Problem | null {
  if (!(error instanceof Error)) return null;
  if (FULL.test(error.message)) return storageFull();
  if (LOST.test(error.message)) {
    return problem('data-lost', 'The log tells which collection. Other types are served.');
  }
  if (EXPECTED.has(error.message)) return unavailable(error.message);
  const overloaded = 'overloaded' in error && error.overloaded === true;
  const again = 'retryable' in error && error.retryable === true;
  if (!overloaded && !again && !UNAVAILABLE.test(error.message)) return null;
  return unavailable('The data can not be reached now.');
}

function unavailable(detail: string): Problem {
  return problem('unavailable', detail, undefined, { 'retry-after': AGAIN });
}

export function storageFull(): Problem {
  return problem('storage-full', 'Nothing was changed. Reads go on.', undefined, { 'retry-after': AGAIN });
}
