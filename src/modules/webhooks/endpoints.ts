/** The endpoints of webhooks and of their deliveries. They are for keys without ACL: a webhook sends whatever is written. */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { fail } from '../../domain/problems.ts';
import { isUnderAcl } from '../../domain/secrets.ts';
import { CORE } from '../../domain/types.ts';
import { aclEndpointsOf, endpointsOf } from '../documents/endpoints.ts';
import type { Endpoint, Handler } from '../endpoint.ts';
import { readDeliveries, sendAgain } from './deliveries.ts';

const PATH = pathOfType(CORE.webhook);
const DELIVERIES = `${PATH}/{id}/deliveries`;

const ALL: readonly Endpoint[] = [
  ...endpointsOf({ path: PATH, one: 'a webhook', many: 'webhooks' }),
  {
    method: 'GET',
    path: DELIVERIES,
    summary: 'Shows the deliveries of a webhook that wait, and those that were given up',
    answers: { 200: 'deliveries' },
    problems: ['document-not-found'],
    handle: readDeliveries,
  },
  {
    method: 'POST',
    path: DELIVERIES,
    summary: 'Sends deliveries of a webhook again that were given up',
    body: 'send again',
    answers: { 200: 'count of sent' },
    problems: ['document-not-found'],
    handle: sendAgain,
  },
  ...aclEndpointsOf('/webhooks', (type) => type === CORE.webhook),
];

const trustedOnly =
  (handle: Handler): Handler =>
  async (exchange) =>
    isUnderAcl(exchange.access)
      ? fail('forbidden', 'Webhooks are for permissions without ACL.', { header: 'api-key' })
      : handle(exchange);

export const WEBHOOKS: readonly Endpoint[] = ALL.map((endpoint) => ({
  ...endpoint,
  handle: trustedOnly(endpoint.handle),
}));
