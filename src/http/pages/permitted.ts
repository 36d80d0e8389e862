/**
 * `GET /permitted`: the lists that the request's key and user may read, for whoever offers no others. It tells what asking
 * for each would: it needs no permission of its own.
 */
import type { Context } from 'hono';
import { readable } from '../../auth/decision.ts';
import { holderOf, NOBODY } from '../../auth/holder.ts';
import { authenticate } from '../../auth/keys.ts';
import { paced } from '../../auth/rates.ts';
import { isOfViewer } from '../../auth/rules.ts';
import { audienceOf } from '../../modules/endpoint.ts';
import { ENDPOINTS } from '../../modules/endpoints.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

/** What has pages at an address without parameters, and is not the operator's; nor what account settings decide. */
const LISTS = ENDPOINTS.filter(
  ({ method, path, parameters = [], answers }) =>
    method === 'GET' &&
    !path.includes('{') &&
    audienceOf({ path }) !== 'operator' &&
    parameters.includes('page') &&
    answers[200] !== 'own data',
);

export async function permitted(c: Context<Types>): Promise<Reply> {
  const { headers } = c.req.raw;
  const known = await authenticate(c.env, headers);
  if (!known.ok) return replyOfProblems(known.problems);
  const { key, standing } = known.value;
  const paid = paced(key, standing.quotas);
  if (!paid.ok) return replyOfProblems(paid.problems);
  const { holder } = key.permissions.some(isOfViewer)
    ? await holderOf(c.env, key.application, headers.get('authorization'), false, null)
    : NOBODY;
  const lists = readable(key.permissions, LISTS, holder);
  return replyOf({ status: 200, document: { meta: { lists } }, confidential: true });
}
