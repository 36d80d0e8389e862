/** Endpoints that are for trusted services alone: no user is behind their requests. */
import { fail } from '../../../domain/problems.ts';
import { isUnderAcl } from '../../../domain/secrets.ts';
import type { Endpoint } from '../../endpoint.ts';

/** `what` begins the sentence of a refusal, as in "Webhooks are for permissions without ACL." */
export function trustedOnly(what: string, endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.map((endpoint) => ({
    ...endpoint,
    trusted: true,
    handle: async (context) =>
      isUnderAcl(context.access)
        ? fail('forbidden', `${what} are for permissions without ACL.`, { header: 'api-key' })
        : endpoint.handle(context),
  }));
}
