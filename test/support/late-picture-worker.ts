/** The service with the clock of `clock-worker.ts`; `POST /test/late?key=…` puts a picture that was made too late into the bucket. */
import clocked, { Collection, Session } from './clock-worker.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session };

export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith('/test/contents/')) {
      const prefix = `${pathname.slice(15)}/`;
      const { objects = [] } = (await env.FILES?.list({ prefix })) ?? {};
      return Response.json(objects.map(({ key }) => key.slice(prefix.length)));
    }
    if (pathname !== '/test/late') return clocked.fetch(request, env, context);
    await env.FILES?.put(searchParams.get('key') ?? '', 'late');
    return new Response(null, { status: 204 });
  },
};
