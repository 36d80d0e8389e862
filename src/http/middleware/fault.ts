/**
 * Turns an exception into an answer. Expected failures are values, so an exception is a fault of the service, or an
 * outage, and is logged.
 */
import type { ErrorHandler } from 'hono';
import { fail } from '../../domain/problems.ts';
import { replyOfProblems } from '../answer.ts';
import { writeFault } from '../log.ts';
import { outageOf } from '../outage.ts';
import type { Types } from '../types.ts';

const FAULT = replyOfProblems(fail('internal-error', 'The fault is logged under the request id.').problems);

export const fault: ErrorHandler<Types> = (error, c) => {
  writeFault(c.get('surroundings').requestId, error);
  const outage = outageOf(error);
  return c.render(outage === null ? FAULT : replyOfProblems([outage]));
};
