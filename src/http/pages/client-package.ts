/** `GET /client.tgz`: the client as a package. What it is made with runs beside the Worker of `foredge dev` alone. */
import type { Context } from 'hono';
import { fail } from '../../domain/problems.ts';
import { replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

export async function clientPackage({ env, req }: Context<Types>): Promise<Reply> {
  const made = await env.CLIENT_PACKAGE?.fetch(req.raw.url, { headers: req.raw.headers });
  if (made?.ok !== true) {
    return replyOfProblems(fail('not-found', 'Only foredge dev has the client as a package.').problems);
  }
  return {
    status: 200,
    typed: true,
    mediaType: 'application/gzip',
    confidential: true,
    body: made.body,
    headers: {},
  };
}
