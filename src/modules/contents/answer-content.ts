/** What a successful answer is, as data. */
import { COUNTED, topLevel } from './envelope.ts';
import { exampleOfObject, shapeOf } from './example.ts';
import type { ResponseHeader } from './parameters.ts';
import { type Json, objectOf, type Schema, STRING } from './schema.ts';
import type { Subject } from './subjects.ts';

export interface AnswerContent {
  /** What OpenAPI says of it. */
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
export const NUMBER_OF: Schema = { ...COUNTED, examples: [12] };
/** The name of a type. */
export const TYPE_NAME: Schema = { ...STRING, examples: ['articles'] };

/** An answer of facts in `meta`, and of no documents; `says` goes on after their names. */
export function facts(members: Readonly<Record<string, Schema>>, says = ''): AnswerContent {
  const meta = objectOf(members);
  return {
    says: `\`{meta: ${shapeOf(meta)}}\`${says}`,
    headers: [],
    schema: () => topLevel({}, { meta: members }),
    example: () => ({ meta: exampleOfObject(meta) }),
  };
}
