/**
 * What TypeScript knows of an application's documents. `npm run app -- types <application>` writes the interface that
 * these types start from; without one, members are `unknown`.
 */
import type { Any } from './documents.ts';
import type { Core } from './core.ts';
import type { ForedgeError } from './errors.ts';
import type { Link } from './transport.ts';

/** A type of documents. A relationship names the type it leads to: `'authors'`, `'authors' | null`, `'reviews'[]`. */
interface Shape {
  readonly attributes: object;
  readonly relationships: object;
  /** Settings of the type: lists of other documents, that are no members of these. */
  readonly inverses?: object;
}

/** What is known where nothing else is said. */
export interface Untyped {
  readonly [type: string]: { readonly attributes: Record<string, unknown>; readonly relationships: object };
}

type All<S> = S & Omit<Core, keyof S>;
/** The names of types. */
export type Name<S> = keyof All<S> & string;
type Attributes<S, T> = T extends keyof All<S> ? Part<All<S>[T], 'attributes'> : object;
type Relationships<S, T> = T extends keyof All<S> ? Part<All<S>[T], 'relationships'> : object;
type Part<Of, Member extends keyof Shape> = Of extends { readonly [M in Member]: infer P } ? P : object;

/** A document as it is read. */
export type Document<S, T> = T extends string
  ? { readonly id: string; readonly type: T } & Attributes<S, T> & {
        -readonly [R in keyof Relationships<S, T>]: Linked<S, Relationships<S, T>[R]>;
      } & ([keyof Inverses<S, T>] extends [never] ? object : OfInverses<S, T>)
  : never;

/** The documents of inverses that were included. */
interface OfInverses<S, T> {
  readonly $inverses?: { readonly [I in keyof Inverses<S, T>]?: Linked<S, Inverses<S, T>[I]> };
}

/** A link to a document that was not included: the members that the document would have are undefined. */
export type Reference<S, T> = T extends string
  ? { readonly id: string; readonly type: T } & {
      readonly [M in keyof Attributes<S, T> | keyof Relationships<S, T>]?: undefined;
    }
  : never;

type Linked<S, V> = V extends readonly (infer T)[] ? One<S, T>[] : V extends string ? One<S, V> : V;
/** A relationship leads to the document where it was included, and to a reference otherwise. */
type One<S, T> = Document<S, T> | Reference<S, T>;

/** What a relationship takes: a document, or its type and id. */
export interface Target<T> {
  readonly type: T;
  readonly id: string;
}
type Targets<V> = V extends readonly (infer T)[] ? readonly Target<T>[] : V extends string ? Target<V> : V;

/** A new document. */
export type New<S, T> = Attributes<S, T> & {
  readonly [R in keyof Relationships<S, T>]: Targets<Relationships<S, T>[R]>;
};

/** Changes of a document: fields with their new values (`undefined` removes an attribute), and update operators. */
export type Changes<S, T> = { readonly [A in keyof Attributes<S, T>]?: Attributes<S, T>[A] | undefined } & {
  readonly [R in keyof Relationships<S, T>]?: Targets<Relationships<S, T>[R]>;
} & Operators;

type ByPath<Operand> = Readonly<Record<string, Operand>>;
interface Operators {
  readonly $inc?: ByPath<unknown>;
  readonly $mul?: ByPath<unknown>;
  readonly $min?: ByPath<unknown>;
  readonly $max?: ByPath<unknown>;
  readonly $push?: ByPath<unknown>;
  readonly $addToSet?: ByPath<unknown>;
  readonly $pull?: ByPath<unknown>;
  readonly $pop?: ByPath<1 | -1>;
  readonly $unset?: ByPath<unknown>;
  readonly $rename?: ByPath<string>;
  readonly $currentDate?: ByPath<true | { readonly $type: 'date' }>;
}

type Inverses<S, T> = T extends keyof All<S> ? Part<All<S>[T], 'inverses'> : object;
/** The names of all relationships; any name where none are known. */
export type Relationship<S, T> = Loose<keyof Relationships<S, T> & string>;
/** The same, and of inverses. */
export type Relatable<S, T> = Loose<(keyof Relationships<S, T> | keyof Inverses<S, T>) & string>;
type Loose<Names extends string> = [Names] extends [never] ? string : Names;
/** The types that a relationship leads to. */
export type TypeBehind<S, T, R> = R extends keyof Relationships<S, T>
  ? TypeIn<NonNullable<Relationships<S, T>[R]>>
  : R extends keyof Inverses<S, T>
    ? TypeIn<Inverses<S, T>[R]>
    : string;
type TypeIn<V> = (V extends readonly (infer T)[] ? T : V) & string;

/** What a field is compared with: its value, or for a list one of its items. */
type Operand<V> = V extends readonly (infer Item)[] ? V | Item : V;
/** What a filter says of a field: a value, or MongoDB's operators (docs/search.md). */
type Condition<V> = Operand<V> | null | Comparison<Operand<V>>;
interface Comparison<V> {
  readonly $eq?: V | null;
  readonly $ne?: V | null;
  readonly $gt?: V;
  readonly $gte?: V;
  readonly $lt?: V;
  readonly $lte?: V;
  readonly $in?: readonly (V | null)[];
  readonly $nin?: readonly (V | null)[];
  readonly $not?: Comparison<V>;
  readonly $exists?: boolean;
  readonly $regex?: string;
  readonly $options?: string;
  readonly $all?: readonly V[];
  readonly $elemMatch?: object;
  readonly $size?: number;
  readonly $mod?: readonly [number, number];
  readonly $type?: string | number | readonly (string | number)[];
  readonly $near?: object;
  readonly $nearSphere?: object;
  readonly $geoWithin?: object;
  readonly $geoIntersects?: object;
}

/** The attributes whose values have members of their own. */
type Deep<A> = { [K in keyof A]-?: NonNullable<A[K]> extends object ? K : never }[keyof A] & string;
type Field<S, T> = (keyof Attributes<S, T> | keyof Relationships<S, T>) & string;

/** A filter as MongoDB's, with the fields of the type and of the types that it links to. */
export type Filter<S, T> = {
  readonly [A in keyof Attributes<S, T>]?: Condition<Attributes<S, T>[A]>;
} & {
  readonly [R in keyof Relationships<S, T>]?:
    | Link
    | null
    | { readonly $exists?: boolean; readonly $size?: number };
} & {
  readonly [R in keyof Relationships<S, T> & string as `${R}.id`]?: Condition<string>;
} & {
  readonly [
    R in keyof Relationships<S, T> & string as `${R}.${keyof Attributes<S, TypeBehind<S, T, R>> & string}`
  ]?: Condition<unknown>;
} & {
  readonly [P in `${Deep<Attributes<S, T>>}.${string}`]?: unknown;
} & {
  readonly [P in `${keyof Relationships<S, T> & string}.${string}.${string}`]?: unknown;
} & {
  readonly id?: Condition<string>;
  readonly $created?: Condition<Date>;
  readonly $updated?: Condition<Date>;
  readonly '$creator.id'?: Condition<string>;
  readonly $and?: readonly Filter<S, T>[];
  readonly $or?: readonly Filter<S, T>[];
  readonly $nor?: readonly Filter<S, T>[];
  readonly $text?: string | { readonly $search: string };
};

type Path<S, T> = Field<S, T> | 'id' | '$created' | '$updated' | `${Field<S, T>}.${string}`;
type OneOrMore<Value> = Value | readonly Value[];

export interface Query<S, T> {
  readonly filter?: Filter<S, T> | undefined;
  /** Paths, with `-` in front for descending order. */
  readonly sort?: OneOrMore<Path<S, T> | `-${Path<S, T>}`> | undefined;
  /** Relationships whose documents come along, with dots for depth. */
  readonly include?: OneOrMore<Relatable<S, T> | `${Relatable<S, T>}.${string}`> | undefined;
  /** The fields to show: names of the type, or names by type. */
  readonly fields?:
    | readonly (Field<S, T> | '$created' | '$updated' | '$creator')[]
    | Readonly<Record<string, readonly string[]>>
    | undefined;
  /** How many documents a request brings, at most 1,000. */
  readonly size?: number | undefined;
  /** Parameters of an aggregate. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a relationship leads to may be of several types: names of fields stand under theirs. */
export interface RelatedQuery<S, T> extends Omit<Query<S, T>, 'fields'> {
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Who has a right: everybody, or these users, external users and groups. */
type Holders = '*' | readonly Link[];
export interface Rights {
  readonly read: Holders;
  readonly update: Holders;
  readonly delete: Holders;
}

/** A document of any of the types. */
export type AnyDocument<S> = string extends Name<S> ? Any : Document<S, Name<S>>;

/** What became of an operation: the document (null where there is none to show), or why it was not done. */
export type Outcome<Of> =
  | { readonly document: Of | null; readonly error?: undefined }
  | { readonly document?: undefined; readonly error: ForedgeError };
