/** What a successful answer is, as data. */
import type { ResponseHeader } from './parameters.ts';
import type { Json, Schema } from './schema.ts';
import type { Subject } from './subjects.ts';

export interface AnswerContent {
  /** As docs/endpoints.md writes it. */
  readonly says: string;
  readonly headers: readonly ResponseHeader[];
  /** Those that it may lack. */
  readonly sometimes?: readonly ResponseHeader[];
  /** What comes as Server-Sent Events where the request asks for these; no `ETag` is with them. */
  readonly events?: string;
  /** True where it is rows of CSV if the request asks for these. */
  readonly csv?: true;
  /** Absent where the answer has no body. */
  readonly schema?: (subject: Subject) => Schema;
  readonly example?: (subject: Subject) => Json;
}

/** A number of things. */
export const NUMBER_OF: Schema = { type: 'integer', minimum: 0 };
