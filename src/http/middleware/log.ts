/**
 * One line of the log for each request, and its place in the metrics and in the usage of its application. Hono's
 * `logger` writes two lines, as text, with the query, which may hold secrets.
 */
import type { Context, ErrorHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { LogField } from '../../domain/environment/settings.ts';
import { noteRequest } from '../../modules/applications/usage/recent.ts';
import { countRequest } from '../../modules/applications/usage/requests.ts';
import { clientAddressOf } from '../client-address.ts';
import { writeLine, writeFault } from '../log.ts';
import { count } from '../pages/metrics.ts';
import type { Types } from '../types.ts';
import { surround } from './surroundings.ts';
import { fail } from '../../domain/problems.ts';
import { replyOfProblems } from '../answer.ts';
import { outageOf } from '../outage.ts';

/** It sets the surroundings, too: each middleware costs every request two promises. */
export const log = createMiddleware<Types>(async (c, next) => {
  try {
    surround(c);
    await next();
  } catch (error) {
    // A wrong setting: Hono answers what is thrown further in.
    if (!(error instanceof Error)) throw error;
    c.res = await fault(error, c);
  }
  const { requestId, started, trace, arrival, settings } = c.get('surroundings');
  const milliseconds = Date.now() - started;
  const { method } = c.req;
  const { status } = c.res;
  count({ method, route: c.get('route'), status, milliseconds });
  const { logFields, logPercent, logDelay, usageDelay } = settings;
  const { application, key, keyName, user, type = null } = trace;
  const path = arrival.address?.path ?? null;
  const outlive = (work: Promise<void>) => {
    c.executionCtx.waitUntil(work);
  };
  if (application !== undefined && key !== undefined) {
    countRequest(c.env, { application, key, type, status }, usageDelay, outlive);
    noteRequest(application, { id: requestId, at: started, method, path, status, milliseconds }, trace);
  }
  if (status < 500 && Math.random() * 100 >= logPercent) return;
  // Never a header, a body or a query: they may hold secrets.
  const line = {
    ...{ requestId, method, path, status, milliseconds, application, key, user: user?.id },
    ...(logFields.size > 0 && requestFields(c, logFields, keyName)),
  };
  writeLine(JSON.stringify(line), logDelay, outlive);
});

/** What the setting asks for, as far as it is known. */
function requestFields(c: Context<Types>, fields: ReadonlySet<LogField>, keyName: string | undefined) {
  const { clientAddressHeader } = c.get('surroundings').settings;
  const address = fields.has('address') ? clientAddressOf(c.req.raw.headers, clientAddressHeader) : null;
  const bytes = fields.has('bytes') ? c.get('bytes') : undefined;
  return {
    ...(fields.has('key-name') && keyName !== undefined && { keyName }),
    ...(bytes !== undefined && { bytes }),
    ...(address !== null && { address }),
  };
}

const FAULT = replyOfProblems(fail('internal-error', 'The fault is logged under the request id.').problems);

export const fault: ErrorHandler<Types> = (error, c) => {
  writeFault(c.get('surroundings').requestId, error);
  const outage = outageOf(error);
  return c.render(outage === null ? FAULT : replyOfProblems([outage]));
};
