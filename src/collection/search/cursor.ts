/** Where a page begins: the cursor of the request, and the cursor at the end of its page. */
import { ok, type Outcome } from '../../domain/problems.ts';
import { ObjectId, type Fields } from '../../domain/values/values.ts';
import {
  digestOfKey,
  formatCursor,
  parseCursor,
  type Key,
  type Ordering,
} from '../../query/order/ordering.ts';
import { indexKeyOf } from '../../query/index/keys.ts';
import type { SortedBy } from '../../plan/prepare.ts';
import { bytesOfHex, bytesOfId } from '../storage/ids.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';
import { unpackDocument } from '../rpc/packing/packing.ts';
import { mayRead } from '../storage/documents/rights.ts';
import type { KeyPlace } from './reading/rows.ts';
import type { SearchReader } from './reading/reader.ts';
import { staleCursor } from '../rpc/refusals.ts';
import type { Principal } from '../../domain/rules.ts';
import { Policy } from '../rpc/rules.ts';

/** A page begins after this place in the order. */
export interface Start {
  readonly seq: number;
  readonly key: Key;
}

export const START: Start = { seq: 0, key: [] };

/** The order of a list. */
interface Order {
  /** Null for the order of creation. */
  readonly ordering: Ordering | null;
  /** A document as filters see it. */
  readonly whole: (document: StoredDocument) => Fields;
  /** Whether it looks at what the service knows of documents. */
  readonly auditFields: boolean;
  /** Whether ids ascend with positions; where they do not, cursors hold positions. */
  readonly idsAscend: boolean;
}

/**
 * The place of a cursor in a list; without one, its start. The Worker has checked that the cursor is ours and of this
 * list. A cursor usually holds its place and needs no document. If the values there are too long, it names a document,
 * which must be unchanged and still readable for the viewer.
 */
export function startOf(
  cursor: string | null,
  { ordering, whole, auditFields, idsAscend }: Order,
  records: SearchReader,
  principal: Principal,
): Outcome<Start> {
  if (cursor === null) return ok(START);
  const position = parseCursor(cursor, ordering?.parts ?? 0);
  if (position === undefined) return staleCursor();
  const seq = position.seq ?? records.seqUpTo(position.id, idsAscend);
  if (seq === undefined) return staleCursor();
  if ('key' in position) return ok({ seq, key: position.key });
  const [found] = records.at([seq], mayRead(principal.viewer), auditFields || principal.rule !== null);
  if (found === undefined) return staleCursor();
  const document = unpackDocument(found.packed);
  if (!new Policy().maySee(principal, document)) return staleCursor();
  const key = document.id === position.id ? ordering?.keyOf(whole(document)) : undefined;
  return key !== undefined && digestOfKey(key) === position.digest ? ok({ seq, key }) : staleCursor();
}

/** The cursor of a packed document, after which the next page begins. */
export function cursorAt(
  packed: string,
  { ordering, whole, idsAscend }: Pick<Order, 'ordering' | 'whole' | 'idsAscend'>,
  records: Pick<SearchReader, 'seqOf'>,
): string {
  const document = unpackDocument(packed);
  const seq = idsAscend ? undefined : records.seqOf(document.id);
  const key = ordering === null ? [] : ordering.keyOf(whole(document));
  return formatCursor({ id: document.id, key, ...(seq !== undefined && { seq }) });
}

/** The place of a start among the keys of an index, or undefined when several values have its key. */
export function placeOf({ key: [value], seq }: Start, { index }: SortedBy): KeyPlace | undefined {
  if (index === 'id') return value instanceof ObjectId ? { key: bytesOfId(value.hex), seq } : undefined;
  const key = indexKeyOf(value);
  return key.exact ? { key: bytesOfHex(key.hex), seq } : undefined;
}
