/**
 * The endpoints of webhooks and of their deliveries. They are for keys without ACL: a webhook sends whatever is
 * written. What it is told is for keys that may read all of its type.
 */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { failed } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { aclEndpointsOf, endpointsOf } from '../documents/endpoints.ts';
import { deleteDocument } from '../documents/handlers.ts';
import type { Endpoint, Handler } from '../endpoint.ts';
import { readDeliveries, sendAgain, typeOf } from './deliveries.ts';
import { checkReach } from './kind.ts';

const PATH = pathOfType(CORE.webhook);
const DELIVERIES = `${PATH}/{id}/deliveries`;

/** A deletion takes what waits with it. */
const readersOnly =
  (handle: Handler): Handler =>
  async (context) => {
    const type = await typeOf(context);
    const refused = type.ok ? checkReach(type.value, context) : [];
    return refused.length > 0 ? failed(...refused) : handle(context);
  };

export const WEBHOOKS: readonly Endpoint[] = [
  ...endpointsOf(PATH, 'a webhook', 'webhooks', {
    but: { remove: { handle: readersOnly(deleteDocument) } },
  }),
  {
    method: 'GET',
    path: DELIVERIES,
    summary: 'Shows the deliveries of a webhook that wait, and those that were given up',
    answers: { 200: 'deliveries' },
    problems: ['document-not-found'],
    handle: readersOnly(readDeliveries),
  },
  {
    method: 'POST',
    path: DELIVERIES,
    summary: 'Sends deliveries of a webhook again that were given up',
    body: 'send again',
    answers: { 200: 'count of sent' },
    problems: ['document-not-found'],
    handle: readersOnly(sendAgain),
  },
  ...aclEndpointsOf('/webhooks', (type) => type === CORE.webhook),
];
