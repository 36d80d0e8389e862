/**
 * The service with a bucket in which two requests store one content: both find nothing there; the second waits with its
 * bytes until `/test/go`.
 */
import service, { Collection, Session } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session };

let heads = 0;
let puts = 0;
let isFree = false;

/** A request that waited for another one by a promise alone would be given up. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await scheduler.wait(5);
}

function racing(bucket: R2Bucket): R2Bucket {
  return new Proxy(bucket, {
    get(target, name: keyof R2Bucket) {
      if (name === 'head') {
        return async (...given: Parameters<R2Bucket['head']>) => {
          const found = await target.head(...given);
          heads += 1;
          await until(() => heads > 1);
          return found;
        };
      }
      if (name === 'put') {
        return async (...given: Parameters<R2Bucket['put']>) => {
          if ((puts += 1) === 2) await until(() => isFree);
          return target.put(...given);
        };
      }
      return target[name].bind(target);
    },
  });
}

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    if (new URL(request.url).pathname !== '/test/go') {
      const FILES = env.FILES && racing(env.FILES);
      return service.fetch(request, { ...env, ...(FILES && { FILES }) }, context);
    }
    isFree = true;
    return new Response(null, { status: 204 });
  },
};
