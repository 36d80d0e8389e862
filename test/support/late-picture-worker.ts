/**
 * The service with the clock of `clock-worker.ts`; `POST /test/late?key=…` puts a picture that was made too late into
 * the bucket, `DELETE` takes it out. One that the service makes is put when its content has gone; `/test/held` tells
 * how many wait.
 */
import clocked, { Collection, Session } from './clock-worker.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session };

let held = 0;

function late(bucket: R2Bucket): R2Bucket {
  return new Proxy(bucket, {
    get(target, name: keyof R2Bucket) {
      if (name !== 'put') return target[name].bind(target);
      return async (...given: Parameters<R2Bucket['put']>) => {
        const [, of] = /^pictures\/(.*)\//.exec(given[0]) ?? [];
        held += Number(of !== undefined);
        while (of !== undefined && (await target.head(of)) !== null) await scheduler.wait(5);
        return target.put(...given);
      };
    },
  });
}

export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname.startsWith('/test/contents/')) {
      const prefix = `${pathname.slice(15)}/`;
      const { objects = [] } = (await env.FILES?.list({ prefix })) ?? {};
      return Response.json(objects.map(({ key }) => key.slice(prefix.length)));
    }
    if (pathname === '/test/held') return new Response(String(held));
    if (pathname !== '/test/late') {
      return clocked.fetch(request, { ...env, ...(env.FILES && { FILES: late(env.FILES) }) }, context);
    }
    const key = searchParams.get('key') ?? '';
    await (request.method === 'POST' ? env.FILES?.put(key, 'late') : env.FILES?.delete(key));
    return new Response(null, { status: 204 });
  },
};
