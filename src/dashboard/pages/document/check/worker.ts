/**
 * Checks documents against schemas, in a thread of its own: a pattern of a schema may take very long, and whoever types
 * must not wait. Whoever asks ends the thread that does not answer.
 */
import type { Fault } from '../values/faults.ts';
import { validate } from './validate.ts';

export interface Question {
  readonly turn: number;
  readonly schemas: readonly unknown[];
  /** The document as its schemas see it. */
  readonly shown: unknown;
}

export interface Verdict {
  readonly turn: number;
  readonly faults: readonly Fault[];
}

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  const { turn, schemas, shown } = data;
  const verdict: Verdict = { turn, faults: schemas.flatMap((schema) => validate(schema, shown) ?? []) };
  postMessage(verdict);
});
