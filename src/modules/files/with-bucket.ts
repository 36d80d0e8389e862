/** Handlers of what is in the bucket: without one the service says what to do (docs/files.md). */
import type { Handler, RequestContext } from '../endpoint.ts';
import { bucketOf } from './upload.ts';

/** A handler that needs the bucket. */
export const withBucket =
  (handle: (context: RequestContext, bucket: R2Bucket) => ReturnType<Handler>): Handler =>
  (context) => {
    const bucket = bucketOf(context);
    return bucket.ok ? handle(context, bucket.value) : Promise.resolve(bucket);
  };
