/**
 * The form of a schema case: a schema, a value as a client sends it, and what is wrong with it. Plain data that knows
 * nothing of the code, so that the same cases run on the validator alone and through HTTP.
 */
import type { Sent } from './sent.ts';

export { decimal, list, long, raw } from './sent.ts';

export type Draft = 4 | 6 | 7 | 2019 | 2020;

export interface ViolationCase {
  /** A JSON pointer into the request document. */
  readonly pointer: string;
  readonly keyword: string;
}

export interface SchemaCase {
  readonly keyword: string;
  /** Says what the value is, or what the schema makes of it. */
  readonly sentence: string;
  /** The JSON text of the schema's `content`. Cases of one group have the same. */
  readonly content: string;
  /** The JSON text of the document's `attributes`, as a request sends them. */
  readonly attributes: string;
  /** In their order; empty when the document is accepted. */
  readonly violations: readonly ViolationCase[];
}

/** The keyword that the value itself violates, or the place inside of the value and the keyword. */
type Fault = string | readonly [pointer: string, keyword: string];

/** A sentence, a value, and what is wrong with it: nothing when no fault follows. */
export type Row = readonly [sentence: string, value: Sent, ...faults: Fault[]];

const URIS: Readonly<Record<Draft, string>> = {
  4: 'http://json-schema.org/draft-04/schema#',
  6: 'http://json-schema.org/draft-06/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  2019: 'https://json-schema.org/draft/2019-09/schema',
  2020: 'https://json-schema.org/draft/2020-12/schema',
};

/**
 * Cases of a schema for one value: the attribute `v`. `shared` goes to the root of the content, where references
 * find it: `definitions`, `$defs`, `$id`. Draft-07 is the draft that nothing has to be said for.
 */
export function values(
  keyword: string,
  draft: Draft,
  schema: Sent,
  rows: readonly Row[],
  shared: Readonly<Record<string, Sent>> = {},
): SchemaCase[] {
  const properties = { attributes: { properties: { v: schema } } };
  const content = { ...(draft !== 7 && { $schema: URIS[draft] }), ...shared, properties };
  return rows.map(([sentence, value, ...faults]) => ({
    keyword,
    sentence,
    content: JSON.stringify(content),
    attributes: JSON.stringify({ v: value }),
    violations: faults.map((fault) => faultAt('/data/attributes/v', fault)),
  }));
}

/** Cases of a schema for a whole document, of which the attributes vary; places are those of the document. */
export function documents(
  keyword: string,
  draft: Draft,
  schema: Readonly<Record<string, Sent>> | boolean,
  rows: readonly Row[],
): SchemaCase[] {
  const content =
    typeof schema === 'boolean' ? schema : { ...(draft !== 7 && { $schema: URIS[draft] }), ...schema };
  return rows.map(([sentence, attributes, ...faults]) => ({
    keyword,
    sentence,
    content: JSON.stringify(content),
    attributes: JSON.stringify(attributes),
    violations: faults.map((fault) => faultAt('/data', fault)),
  }));
}

function faultAt(start: string, fault: Fault): ViolationCase {
  return typeof fault === 'string'
    ? { pointer: start, keyword: fault }
    : { pointer: `${start}${fault[0]}`, keyword: fault[1] };
}
