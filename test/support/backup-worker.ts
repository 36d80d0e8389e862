/**
 * The service with pages beside it that look into the bucket of backups, make writes to it fail, and make steps of
 * backups that end after one page. Nothing of the service is replaced.
 */
import './cheap-passwords.ts';
import { backUpStep } from '../../src/modules/applications/backups/back-up.ts';
import { deleteOld } from '../../src/modules/applications/backups/run.ts';
import type { Environment } from '../../src/collection/rpc/environment.ts';
import { storedId } from '../../src/domain/ids.ts';
import service from '../../src/index.ts';

export { Collection, Session } from '../../src/index.ts';

/** Writes of objects whose keys hold this text fail. */
let failing: string | null = null;

export default {
  async fetch(request: Request, env: Environment, context: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const bucket = bucketOf(env);
    const key = searchParams.get('key') ?? '';
    if (pathname === '/test/failing') failing = searchParams.get('text');
    else if (pathname === '/test/put') await bucket.put(key, await request.arrayBuffer());
    else if (pathname === '/test/keys') {
      return Response.json((await bucket.list()).objects.map((object) => object.key));
    } else if (pathname === '/test/step') {
      return Response.json(
        await backUpStep(
          { environment: env, bucket, step: 0, pace: 0 },
          storedId(searchParams.get('id') ?? ''),
        ),
      );
    } else if (pathname === '/test/old')
      await deleteOld(bucket, searchParams.get('id') ?? '', Number(searchParams.get('days')));
    else return service.fetch(request, { ...env, BACKUPS: bucket }, context);
    return new Response();
  },

  scheduled(event: ScheduledController, env: Environment): Promise<void> {
    return service.scheduled(event, { ...env, BACKUPS: bucketOf(env) });
  },
};

function bucketOf({ BACKUPS }: Environment): R2Bucket {
  if (BACKUPS === undefined) throw new Error('There is no bucket.');
  return new Proxy(BACKUPS, {
    get(bucket, name) {
      const member: unknown = Reflect.get(bucket, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const [key] = args;
        const fails = failing !== null && typeof key === 'string' && key.includes(failing);
        if (fails && (name === 'put' || name === 'resumeMultipartUpload')) {
          return Promise.reject(new Error('The bucket does not answer.'));
        }
        return Reflect.apply(member, bucket, args);
      };
    },
  });
}
