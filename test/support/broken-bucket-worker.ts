/** The service whose bucket of files fails as R2's, after `POST /test/bucket?code=…`; without a code it works. */
import service, { Collection, Session } from '../../src/index.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';

export { Collection, Session };

let code: string | null = null;

function failing(bucket: R2Bucket): R2Bucket {
  return new Proxy(bucket, {
    get(target, name: keyof R2Bucket) {
      if (code === null || name === 'resumeMultipartUpload') return target[name].bind(target);
      return () =>
        Promise.reject(new Error(`${name}: We encountered an internal error. Please try again. (${code})`));
    },
  });
}

export default {
  fetch(request: Request, env: Environment, context: ExecutionContext) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/test/bucket') {
      code = searchParams.get('code');
      return new Response(null, { status: 204 });
    }
    return service.fetch(request, { ...env, ...(env.FILES && { FILES: failing(env.FILES) }) }, context);
  },
};
