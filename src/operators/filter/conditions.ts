/**
 * The validated tree of a filter: what the planner, the SQL conditions and the matcher are made from. Nothing
 * downstream ever sees the client's text again.
 *
 * A tree is plain data with `Value`s in it, so it is also a `Value` itself and crosses to the collection in
 * the stored encoding (`encodeText`); for that its parts are type aliases, which index signatures accept, and
 * not interfaces. Negations are explicit: `$ne` is `not(eq)`, `$nor` is `not(or)`, `$exists: false` stays.
 */
import type { ValueKind, Value } from '../../domain/values/values.ts';
import type { Geometry } from '../../query/geo/geometry.ts';
import type { Path } from '../../query/walk.ts';

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** A pattern with its options, already proved to compile within its budget. */
export type Pattern = {
  readonly pattern: string;
  /** A subset of `imsx`, each at most once, in that order. */
  readonly options: string;
};

/** The operand of each operator on a path. */
type Operands = {
  readonly [op in Comparison]: { readonly value: Value };
} & {
  /** Equal to one of the values, or matched by one of the patterns. */
  readonly in: { readonly values: readonly Value[]; readonly patterns: readonly Pattern[] };
  readonly exists: { readonly exists: boolean };
  /** Kinds by MongoDB's alias. */
  readonly type: { readonly kinds: readonly ValueKind[] };
  /** Integers of 64 bits. */
  readonly mod: { readonly divisor: Value; readonly remainder: Value };
  readonly size: { readonly size: number };
  readonly regex: Pattern;
  /**
   * Some element of an array at the path satisfies the condition, whose paths start at the element. Among
   * `objects` only, elements of other kinds are passed over, even where a negation would hold of them.
   */
  readonly elemMatch: { readonly among: 'all' | 'objects'; readonly condition: Condition };
  readonly geoIntersects: { readonly geometry: Geometry };
  readonly geoWithin: { readonly geometry: Geometry };
  /** Distances in meters on the sphere. `near` also orders the answer unless `sort` is given. */
  readonly near: {
    readonly geometry: Geometry;
    readonly minDistance: number | null;
    readonly maxDistance: number | null;
  };
};

export type LeafName = keyof Operands;

/** A condition on the values at a path. */
export type Leaf<Op extends LeafName = LeafName> = {
  [Each in Op]: { readonly op: Each; readonly path: Path } & Operands[Each];
}[Op];

export type Condition =
  /** All of an empty `and` are true; none of an empty `or`. The parser makes no empty `or`. */
  /** `guard`: an `and` that is asked first, and whose work is not counted. */
  | { readonly op: 'and' | 'or'; readonly conditions: readonly Condition[]; readonly guard?: true }
  | { readonly op: 'not'; readonly condition: Condition }
  /** A full-text search over all strings of the document (decisions, section 3): raw text, folded by the tokenizer. */
  /** `unindexed` where the index of words can not be asked. */
  | {
      readonly op: 'text';
      readonly search: string;
      readonly unindexed?: true;
      /** The fields that are looked into, where these are not all. */
      readonly only?: readonly string[];
    }
  | Leaf;

/** A condition of the service before a request's: what it hides costs the request nothing, and tells it nothing. */
export function guarded(condition: Condition, guard: Condition): Condition {
  return { op: 'and', conditions: [{ op: 'and', conditions: [guard], guard: true }, condition] };
}

/** The condition every document meets, and the one that none does. */
export const EVERYTHING: Condition = { op: 'and', conditions: [] };
export const NOTHING: Condition = { op: 'or', conditions: [] };
