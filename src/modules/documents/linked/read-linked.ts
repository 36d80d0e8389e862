/** How linked documents are read: from their collection or, for some kinds, by a function that makes them. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { Principal } from '../../../domain/rules.ts';
import type { Exchange } from '../../endpoint.ts';
import { asksProvenance } from '../provenance.ts';
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
}

/** The existing documents that the viewer may read, and what tags need to know of them. */
interface Linked {
  readonly documents: readonly Document[];
  /** UTF-16 units of their stored texts together. */
  readonly units: number;
  /** The counters of the asked types at the moment of the read. */
  readonly counters: readonly Stamp[];
  /** The last changes of all requested documents, shown or not. */
  readonly stamps: readonly Stamp[];
}

/** Returns null when the documents exceed the given number or size. */
export type ReadLinked = (exchange: Exchange, wanted: Wanted) => Promise<Outcome<Linked | null>>;

/** Documents from their collection. */
export const fromCollection: ReadLinked = async (exchange, { type, ...asked }) => {
  const provenance = asksProvenance(exchange, type);
  const read = await collectionOf(exchange, type).readMany({ ...asked, provenance });
  if (!read.complete) return ok(null);
  const { documents, counter, lastHidden } = read;
  const stamps: Stamp[] = [{ type, version: lastHidden }];
  let units = 0;
  for (const each of documents) {
    const { version, aclVersion } = each;
    stamps.push({ type, version: asked.viewer === null ? version : Math.max(version, aclVersion) });
    units += each.units;
  }
  return ok({ documents, units, counters: [{ type, version: counter }], stamps });
};
