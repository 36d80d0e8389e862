/** The drafts of JSON Schema and how `$schema` picks one. */
import type { Plain, PlainObject } from './plain.ts';
import { memberOf } from '../domain/values/tree.ts';

/** Drafts by number or year, so that a later one is the larger one. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

/** The draft of a schema without `$schema` (decisions, section 5). */
export const DEFAULT_DRAFT: Draft = 7;

const DRAFTS: Readonly<Record<string, Draft>> = {
  'json-schema.org/draft-04/schema': 4,
  'json-schema.org/draft-06/schema': 6,
  'json-schema.org/draft-07/schema': 7,
  'json-schema.org/draft/2019-09/schema': 2019,
  'json-schema.org/draft/2020-12/schema': 2020,
};

/** The values of `$schema`, for faults. */
export const KNOWN_DRAFTS = 'draft-04, draft-06, draft-07, 2019-09 or 2020-12';

/** The draft that a value of `$schema` names, http or https, with or without its `#`; undefined for any other. */
export function draftOf(uri: Plain): Draft | undefined {
  if (typeof uri !== 'string') return undefined;
  const name = uri.replace(/^https?:\/\//, '').replace(/#$/, '');
  return Object.hasOwn(DRAFTS, name) ? DRAFTS[name] : undefined;
}

/** The draft of a whole schema, or undefined when its `$schema` names none that is known. */
export function draftOfSchema(schema: PlainObject): Draft | undefined {
  const uri = memberOf(schema, '$schema');
  return uri === undefined ? DEFAULT_DRAFT : draftOf(uri);
}
