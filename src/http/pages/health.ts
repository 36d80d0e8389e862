/**
 * `GET /health`, for load balancers: whether storage answers. It needs no key, so anybody may flood it: all requests of
 * an isolate share one look at storage, and its result stands for a second.
 */
import { waitUntil } from 'cloudflare:workers';
import type { Context } from 'hono';
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import { storedId, SYSTEM_APPLICATION } from '../../domain/ids.ts';
import { problem, type Problem } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import { writeFault } from '../log.ts';
import { outageOf } from '../outage.ts';
import type { Types } from '../types.ts';

/** Milliseconds for which a result stands; after which storage counts as silent; and between questions for a result. */
const HOLDS = 1_000;
const PATIENCE = 5_000;
const WAIT = 20;

const HEALTHY = replyOf({
  status: 200,
  document: { meta: { status: 'ok' } },
  confidential: true,
});

/** The last result in this isolate: null for a healthy one. Absent before the first. */
let last: { readonly fault: Problem | null } | undefined;

/** When to look again, in milliseconds since 1970. */
let due = 0;

export async function health(c: Context<Types>): Promise<Reply> {
  const fault = await faultOfStorage(c.env, c.get('surroundings').requestId);
  return fault === null ? HEALTHY : { ...replyOfProblems([fault]), confidential: true };
}

/** Requests during a look use the last result. Those before the first wait for it. */
async function faultOfStorage(environment: Environment, requestId: string): Promise<Problem | null> {
  for (;;) {
    const now = Date.now();
    if (now >= due) {
      // If the platform ends this request before it has a result, another one looks after this time.
      due = now + PATIENCE;
      const looking = look(environment, requestId).then((fault) => {
        last = { fault };
        due = Date.now() + HOLDS;
        return fault;
      });
      waitUntil(looking);
      return looking;
    }
    if (last !== undefined) return last.fault;
    await scheduler.wait(WAIT);
  }
}

/** Ids that no document has. They are two, because an answer about one may come from memory. */
const NONE = ['0', 'f'].map((digit) => storedId(digit.repeat(24)));

/** One read of KV, and one of the tables of the collection that every deployment has. */
async function look(environment: Environment, requestId: string): Promise<Problem | null> {
  try {
    const applications = collectionOf({ environment, application: SYSTEM_APPLICATION }, CORE.application);
    const reads = Promise.all([environment.LOOKUPS.get('health'), applications.calls.missing(NONE)]);
    const late = scheduler.wait(PATIENCE).then(() => null);
    return (await Promise.race([reads, late])) === null ? unavailable('Storage does not answer.') : null;
  } catch (error) {
    writeFault(requestId, error);
    return outageOf(error) ?? unavailable('Storage can not be asked.');
  }
}

function unavailable(detail: string): Problem {
  return problem('unavailable', detail, undefined, { 'retry-after': HOLDS / 1_000 });
}
