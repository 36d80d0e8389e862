/** Serves an endpoint after its route has taken a request: the rest of the checks in their order, then its handler. */
import type { MiddlewareHandler } from 'hono';
import { every } from 'hono/combine';
import { createMiddleware } from 'hono/factory';
import { signerOf } from '../auth/credentials.ts';
import { isOperator } from '../auth/operator.ts';
import type { Environment } from '../collection/rpc/environment.ts';
import type { Endpoint } from '../modules/endpoint.ts';
import { replyOf, replyOfProblems } from './answer.ts';
import { clientAddressOf } from './client-address.ts';
import { body } from './middleware/body.ts';
import { head } from './middleware/head.ts';
import { room } from './middleware/room.ts';
import { asksForProfile, mediaTypeOf } from './negotiation.ts';
import { EXTENDED_JSON } from './profile-page.ts';
import type { Types } from './types.ts';

export function serve(endpoint: Endpoint): MiddlewareHandler<Types> {
  const adds = endpoint.method === 'POST' || endpoint.method === 'PATCH';
  return every(
    ...(adds ? [room] : []),
    head(endpoint),
    ...(endpoint.body === undefined ? [] : [body(endpoint)]),
    handler(endpoint),
  );
}

/** Calls the endpoint's handler with everything that earlier middleware has found. */
function handler({ extension, handle }: Endpoint) {
  return createMiddleware<Types>(async (c) => {
    const { headers } = c.req.raw;
    const { application, access, path, me } = c.get('caller');
    const settings = c.get('settings');
    const base = settings.publicUrl ?? c.get('arrival').address?.origin ?? '';
    const profile = `${base}${EXTENDED_JSON}`;
    const wrapped = asksForProfile(headers.get('accept'), profile, extension);
    const answer = await handle({
      environment: c.env,
      application,
      signature: (await signerOf(c.env)).signature,
      access,
      explain: await asksToExplain(c.env, headers),
      authorization: headers.get('authorization'),
      address: clientAddressOf(headers, settings.clientAddressHeader),
      base,
      path,
      parameters: c.get('parameters'),
      me: me !== null,
      query: c.get('query'),
      body: c.get('body') ?? null,
      ifMatch: c.get('ifMatch'),
      ifNoneMatch: c.get('ifNoneMatch'),
      wrapped,
    });
    if (!answer.ok) return c.render(replyOfProblems(answer.problems));
    const mediaType =
      wrapped || extension !== undefined ? mediaTypeOf(extension, wrapped ? profile : undefined) : undefined;
    return c.render(replyOf(answer.value, c.req.method !== 'HEAD', mediaType));
  });
}

/** The operator may ask, with the secret in this header, for the plan of a search in the answer's `meta`. */
async function asksToExplain(environment: Environment, headers: Headers): Promise<boolean> {
  const secret = headers.get('foredge-explain');
  return secret !== null && isOperator(environment, `Bearer ${secret}`);
}
