/**
 * `POST /drain`, for the operator: says that the runtime of this isolate is about to end. A runtime that ends answers what
 * is in flight, but waits for nothing else; so lines of the log must not wait from then on, and
 * counts of requests are handed on.
 */
import type { Context } from 'hono';
import { handOnAll } from '../../modules/applications/usage/requests.ts';
import { replyOf } from '../answer.ts';
import type { Reply } from '../headers.ts';
import { waitNoLonger } from '../log.ts';
import type { Types } from '../types.ts';
import { operatorsAlone } from './operators-alone.ts';

const DONE = replyOf({ status: 204, confidential: true });

export async function drain(c: Context<Types>): Promise<Reply> {
  const refusal = await operatorsAlone(c);
  if (refusal !== null) return refusal;
  waitNoLonger();
  await handOnAll(c.env);
  return DONE;
}
