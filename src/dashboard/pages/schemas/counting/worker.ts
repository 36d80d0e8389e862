/** Looks at documents, a page of them at a time, in a thread of its own: a pattern may take very long, and can be cut off. */
import { validate } from '../../document/check/validate.ts';
import type { Fault } from '../../document/values/faults.ts';

export interface Looked {
  readonly schema: unknown;
  /** Documents as schemas see them. */
  readonly shown: readonly unknown[];
}

/** The faults of each document; null where the library does not read the schema. */
export type Found = readonly (readonly Fault[])[] | null;

addEventListener('message', ({ data: { schema, shown } }: MessageEvent<Looked>) => {
  const found = shown.map((each) => validate(schema, each));
  const known = found.filter((each) => each !== undefined);
  const answer: Found = known.length < found.length ? null : known;
  postMessage(answer);
});
