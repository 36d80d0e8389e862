/**
 * Checks documents against schemas, in a thread of its own: a pattern of a schema may take very long, and whoever types
 * must not wait. Whoever asks ends the thread that does not answer.
 */
import type { Fault } from '../../../parts/fields/json.ts';
import { validate } from './validate.ts';

export interface Question {
  readonly schemas: readonly unknown[];
  readonly documents: readonly unknown[];
}

/** What is wrong with each document; null where the library does not read a schema. */
export type Found = readonly (readonly Fault[] | null)[][];

addEventListener('message', ({ data: { schemas, documents } }: MessageEvent<Question>) => {
  const found: Found = documents.map((document) =>
    schemas.map((schema) => validate(schema, document) ?? null),
  );
  postMessage(found);
});
