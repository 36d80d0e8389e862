/** Limits of a schema, and of checking a document against it (docs/schemas.md). */
export const SCHEMA_LIMITS = {
  /** Levels of arrays and objects in a schema. */
  depth: 64,
  /** Values in a schema: members and elements at every level. */
  values: 100_000,
  /** Places in a schema that hold a schema. */
  subschemas: 5_000,
  /** Regular expressions in a schema. */
  patterns: 200,
  /** Schemas that apply to one and the same value through each other. */
  chain: 100,
  /** Faults reported of a schema, and violations of a document. */
  reported: 50,
  /** Checks under way at once: each takes stack, of which there is enough for twice as many. */
  nesting: 500,
  /** Steps of work for all schemas that a write must obey: one takes 20 to 200 ns. */
  work: 5_000_000,
  /** Of the same, what a schema takes for a value, each name in its keywords, each item, and each member. */
  schemaWork: 8,
  nameWork: 4,
  itemWork: 4,
  memberWork: 16,
  /** Of the same, what one name takes that may be internationalized. */
  idnWork: 100,
  /** The same for all writes of a list of operations together. */
  listWork: 25_000_000,
  /** Of the same, what one regular expression may take of one string at the worst. */
  patternWork: 10_000_000,
  /** Of the same, what making one instruction of a regular expression takes. */
  compiling: 20,
  /** Characters of an address that a schema has or refers to, when it is written out. */
  address: 2_000,
  /** Characters of a value of the schema that an error shows. */
  shown: 200,
} as const;
