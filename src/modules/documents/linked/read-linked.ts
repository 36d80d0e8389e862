/** How linked documents are read: from their collection or, for some kinds, by a function that makes them. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { Principal } from '../../../domain/rules.ts';
import type { RequestContext } from '../../endpoint.ts';
import { asksOf } from '../answer/audit-fields.ts';
import type { TypeName } from '../../../domain/types.ts';

/** Documents of one type that one viewer asks for together. */
interface Wanted extends Principal {
  readonly type: TypeName;
  readonly ids: readonly DocumentId[];
  /** Documents, and UTF-16 units of their stored texts together, at most. */
  readonly limit: number;
  readonly units: number;
}

/** The last change that could show. */
export interface Stamp {
  readonly type: TypeName;
  readonly version: number;
  /** The type of the collection whose number it is, if that is another one. */
  readonly of?: TypeName;
}

/** The existing documents that the viewer may read, and what tags need to know of them. */
interface Linked {
  readonly documents: readonly Document[];
  /** UTF-16 units of their stored texts together. */
  readonly units: number;
  /** The counters of the asked types at the moment of the read. */
  readonly counters: readonly Stamp[];
  /** Their last changes; none of what is compared by its content. What is hidden leaves no trace. */
  readonly stamps: readonly Stamp[];
}

/** Returns null when the documents exceed the given number or size. */
export type ReadLinked = (context: RequestContext, wanted: Wanted) => Promise<Outcome<Linked | null>>;

/** Documents from their collection. */
export const fromCollection: ReadLinked = async (context, { type, ...request }) => {
  const read = await collectionOf(context, type).readMany({ ...request, ...asksOf(context, type) });
  if (!read.complete) return ok(null);
  const { documents, counter } = read;
  const units = documents.reduce((sum, each) => sum + each.units, 0);
  const stamps = documents.map(({ version }) => ({ type, version }));
  return ok({ documents, units, counters: [{ type, version: counter }], stamps });
};
