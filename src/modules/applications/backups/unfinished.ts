/**
 * How far an unfinished backup has come: kept in the bucket, so that the next run goes on with it. Only one run at a
 * time has it: each write of it names the one before, and so fails for a run that another has overtaken.
 */
import { joined } from '../../../domain/values/bytes.ts';
import { keyOfUnfinished } from './names.ts';

/** What has been made of the file. */
interface Progress {
  /** Parts that the bucket has, in their order. */
  readonly parts: readonly R2UploadedPart[];
  /** The end of the file, which is no whole part yet. */
  readonly rest: Uint8Array;
  readonly lines: number;
}

export interface Unfinished extends Progress {
  readonly name: string;
  /** Whether former versions are in it. */
  readonly history?: boolean;
  /** The upload of the parts; null before the first. */
  readonly upload: string | null;
  /** The types that are left, the one that is being read first. */
  readonly types: readonly string[];
  /** What asks for its next page; null for the first. */
  readonly next: string | null;
  /** What had been made before that type. */
  readonly before: Progress;
}

/** As it is kept: the JSON of everything but the ends, a line feed, then both ends. */
interface Stored extends Omit<Unfinished, 'rest' | 'before'> {
  readonly rest: number;
  readonly before: { readonly parts: number; readonly rest: number; readonly lines: number };
  /** Milliseconds since 1970 until when a run has it to itself. */
  readonly held: number;
  /** Differs from run to run. */
  readonly run: string;
}

/** Milliseconds for which a run has it after its last write: one that was cut off is waited for no longer. */
const HELD = 60_000;

/** A backup under way, which one run has. */
export class Claim {
  readonly #bucket: R2Bucket;
  readonly #key: string;
  readonly #run = crypto.randomUUID();
  #etag: string | null;

  private constructor(bucket: R2Bucket, key: string, etag: string | null) {
    this.#bucket = bucket;
    this.#key = key;
    this.#etag = etag;
  }

  /** Takes what is unfinished of an application, null for nothing; or tells that another run has it. */
  static async take(
    bucket: R2Bucket,
    application: string,
    now: number,
  ): Promise<{ readonly claim: Claim; readonly unfinished: Unfinished | null } | 'held'> {
    const key = keyOfUnfinished(application);
    const object = await bucket.get(key);
    if (object === null) return { claim: new Claim(bucket, key, null), unfinished: null };
    const { unfinished, held } = read(new Uint8Array(await object.arrayBuffer()));
    return held > now ? 'held' : { claim: new Claim(bucket, key, object.etag), unfinished };
  }

  /** Notes how far it has come. False when another run has overtaken this one, which must then end. */
  async note(unfinished: Unfinished, now: number): Promise<boolean> {
    return this.#write(unfinished, now + HELD);
  }

  /** The same, and lets others go on. */
  async leave(unfinished: Unfinished): Promise<boolean> {
    return this.#write(unfinished, 0);
  }

  /** It is whole, or given up. */
  async end(): Promise<void> {
    if (this.#etag !== null) await this.#bucket.delete(this.#key);
  }

  async #write(unfinished: Unfinished, held: number): Promise<boolean> {
    const onlyIf = new Headers(
      this.#etag === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${this.#etag}"` },
    );
    const object = await this.#bucket.put(this.#key, textOf(unfinished, held, this.#run), { onlyIf });
    if (object === null) return false;
    this.#etag = object.etag;
    return true;
  }
}

function textOf({ rest, before, ...unfinished }: Unfinished, held: number, run: string): Uint8Array {
  const stored: Stored = {
    ...unfinished,
    rest: rest.length,
    before: { parts: before.parts.length, rest: before.rest.length, lines: before.lines },
    held,
    run,
  };
  return joined(new TextEncoder().encode(`${JSON.stringify(stored)}\n`), rest, before.rest);
}

function read(bytes: Uint8Array) {
  const end = bytes.indexOf(0x0a);
  const {
    rest,
    before,
    held,
    run: _,
    ...stored
  } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as Stored;
  const from = end + 1 + rest;
  return {
    held,
    unfinished: {
      ...stored,
      rest: bytes.subarray(end + 1, from),
      before: {
        parts: stored.parts.slice(0, before.parts),
        rest: bytes.subarray(from, from + before.rest),
        lines: before.lines,
      },
    },
  };
}
