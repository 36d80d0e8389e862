/** The request for an aggregate, and its answer. Plain data: it crosses the object's RPC. */
import type { DocumentId } from '../../domain/ids.ts';
import type { TypeName } from '../../domain/types.ts';
import type { Principal } from '../../domain/rules.ts';
import type { Diagnostic, Extent, ListRequest, ListResult } from './results.ts';

/**
 * JSON texts: raw attributes of a definition (null for no parameters), and the parameters of the request that replace
 * them.
 */
export interface Texts {
  readonly outputType: TypeName;
  readonly pipeline: string;
  readonly parameters: string | null;
  /** By the names of parameters. */
  readonly overrides: Readonly<Record<string, string>>;
}

/** Which outputs are requested: those with these ids, or a page of those that match. */
export type OutputSelection =
  { readonly ids: readonly DocumentId[] } | Pick<ListRequest, 'condition' | 'sort' | 'page' | 'diagnostics'>;

export interface AggregateRequest extends Texts, Principal {
  readonly select: OutputSelection;
}

/** Outputs, member by member, each in their order (see packing.ts). Plain data: it crosses the object's RPC. */
export interface PackedOutputs {
  readonly ids: readonly DocumentId[];
  /** The stored encoding of attributes and relationships side by side. */
  readonly bodies: readonly string[];
  /** Which of these are relationships; null when no output has any. */
  readonly relationships: readonly (readonly string[])[] | null;
}

export interface OutputPage<Form = PackedOutputs> extends Extent {
  /** The number of the last change of the input. */
  readonly counter: number;
  readonly documents: Form;
  /** Where the request asks for them. */
  readonly diagnostics?: readonly Diagnostic[];
  /** False when the same documents may give other outputs another time. */
  readonly repeatable: boolean;
  readonly plan: ListResult['plan'];
}
