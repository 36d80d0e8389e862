/** Where the pieces of a content go: into the bucket, as one stream, or in parts if nobody knows their number. */

/** A writer of a stream is one. After `close` everything is in the bucket; after `abort` nothing comes any more. */
export interface Sink {
  write(piece: Uint8Array): Promise<void>;
  close?(): Promise<void>;
  abort?(reason: Error): Promise<void>;
}

/** Bytes of a part: the fewest that R2 takes of any but the last. */
export const PART = 5 * 1024 * 1024;

/** For a content of so many bytes: a bucket wants to know the number before a stream. It refuses another digest. */
export function wholeSink(bucket: R2Bucket, key: string, size: number, sha256?: string): Sink {
  const through = new FixedLengthStream(size);
  const writer = through.writable.getWriter();
  const taken = bucket.put(key, through.readable, sha256 === undefined ? {} : { sha256 });
  const ended = taken.catch(() => undefined);
  return {
    // A bucket that has given up takes no more, and says so to nobody who writes.
    write: async (piece) => {
      await Promise.race([writer.write(piece), taken]);
    },
    close: async () => {
      await writer.close();
      await taken;
    },
    abort: async (reason) => {
      await writer.abort(reason);
      await ended;
    },
  };
}

/** Bytes of memory that a sink of parts takes. */
export function bytesOfSink(most: number): number {
  return Math.min(most, PART);
}

/** For a content of at most so many bytes. `begun` notes an upload in parts: somebody must abort it after a crash. */
export function partedSink(
  bucket: R2Bucket,
  key: string,
  most: number,
  begun: (upload: string) => Promise<void>,
): Sink {
  const held = new Uint8Array(bytesOfSink(most));
  let length = 0;
  let upload: R2MultipartUpload | undefined;
  const parts: R2UploadedPart[] = [];
  const flush = async () => {
    if (upload === undefined) {
      upload = await bucket.createMultipartUpload(key);
      await begun(upload.uploadId);
    }
    parts.push(await upload.uploadPart(parts.length + 1, held.subarray(0, length)));
    length = 0;
  };
  return {
    async write(piece) {
      for (let at = 0; at < piece.length;) {
        // Another piece follows a full part: a last one is never empty.
        if (length === held.length) await flush();
        const fitting = piece.subarray(at, at + held.length - length);
        held.set(fitting, length);
        length += fitting.length;
        at += fitting.length;
      }
    },
    async close() {
      if (upload === undefined) {
        await bucket.put(key, held.subarray(0, length));
        return;
      }
      await flush();
      await upload.complete(parts);
    },
    async abort() {
      await upload?.abort();
    },
  };
}
