/**
 * The validated tree of a filter: what the planner, the SQL conditions and the matcher are made from. Nothing
 * downstream ever sees the client's text again.
 *
 * A tree is plain data with `Value`s in it, so it is also a `Value` itself and crosses to the collection in
 * the stored encoding (`encodeText`); for that its parts are type aliases, which index signatures accept, and
 * not interfaces. Negations are explicit: `$ne` is `not(eq)`, `$nin` is `not(in)`, `$exists: false` stays.
 */
import type { Kind, Value } from '../../domain/values.ts';
import type { Geometry } from '../geo/geometry.ts';

/**
 * A dotted path, split. The empty path is the value under test itself (inside `$elemMatch` over scalars).
 * A path reaches through arrays of objects, and a numeric step is a position as well as a field, as in MongoDB.
 */
export type Path = readonly string[];

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** A pattern with its options, already proved to compile within its budget. */
export type Pattern = {
  readonly pattern: string;
  /** A subset of `imsx`, each at most once, in that order. */
  readonly options: string;
};

/** Words and phrases of a full-text search (decisions, section 3): raw text, folded by the tokenizer. */
export type TextSearch = {
  readonly search: string;
};

export type Condition =
  /** All of an empty `and` are true; none of an empty `or`; an empty `nor` is true. The parser makes no empty `or`. */
  | { readonly op: 'and' | 'or' | 'nor'; readonly conditions: readonly Condition[] }
  | { readonly op: 'not'; readonly condition: Condition }
  | { readonly op: Comparison; readonly path: Path; readonly value: Value }
  /** Equal to one of the values, or matched by one of the patterns. */
  | {
      readonly op: 'in';
      readonly path: Path;
      readonly values: readonly Value[];
      readonly patterns: readonly Pattern[];
    }
  | { readonly op: 'exists'; readonly path: Path; readonly exists: boolean }
  /** Kinds by MongoDB's alias. */
  | { readonly op: 'type'; readonly path: Path; readonly kinds: readonly Kind[] }
  | { readonly op: 'mod'; readonly path: Path; readonly divisor: Value; readonly remainder: Value }
  | { readonly op: 'size'; readonly path: Path; readonly size: number }
  | ({ readonly op: 'regex'; readonly path: Path } & Pattern)
  /**
   * Some element of an array at the path satisfies the condition, whose paths start at the element. Among
   * `objects` only, elements of other kinds are passed over, even where a negation would hold of them.
   */
  | {
      readonly op: 'elemMatch';
      readonly path: Path;
      readonly among: 'all' | 'objects';
      readonly condition: Condition;
    }
  | { readonly op: 'geoIntersects' | 'geoWithin'; readonly path: Path; readonly geometry: Geometry }
  /** Distances in meters on the sphere. `near` also orders the answer unless `sort` is given. */
  | {
      readonly op: 'near';
      readonly path: Path;
      readonly geometry: Geometry;
      readonly minDistance: number | null;
      readonly maxDistance: number | null;
    }
  | ({ readonly op: 'text' } & TextSearch);

/** The condition every document meets. */
export const EVERYTHING: Condition = { op: 'and', conditions: [] };
