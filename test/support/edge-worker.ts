/** The service as at the edge, where its cache keeps what everybody may read: there no process has an epoch. */
import './cheap-passwords.ts';
import service, { Collection, Session } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session };

export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext) {
    const { EPOCH: _, ...others } = env;
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/test/contents/')) return service.fetch(request, others, context);
    const prefix = `${pathname.slice(15)}/`;
    const { objects = [] } = (await env.FILES?.list({ prefix })) ?? {};
    return Response.json(objects.map(({ key }) => key.slice(prefix.length)));
  },
};
