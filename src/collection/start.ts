/** Where a page begins: the cursor that a list was asked with, and the one that its page ends with. */
import { fail, ok, type Outcome } from '../domain/problems.ts';
import type { Fields } from '../domain/values.ts';
import { digestOfKey, formatCursor, parseCursor, type Key, type Ordering } from '../query/order/ordering.ts';
import { unpackDocument } from './packing.ts';
import type { SearchReader } from './search-reader.ts';

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
  readonly whole: (id: string, body: string) => Fields;
}

/** The place of a cursor in a list whose sort has so many fields. */
export function startOf(
  cursor: string,
  fields: number,
  { ordering, whole }: Order,
  records: SearchReader,
): Outcome<Start> {
  if (cursor === '') return ok(START);
  const keys = fields > 0 ? fields : ordering === null ? 0 : 1;
  const position = parseCursor(cursor, keys);
  if (position === undefined) return refuse('The cursor is not of this list.');
  const seq = records.seqUpTo(position.id);
  if ('key' in position) return ok({ seq, key: position.key });
  const document = records.find(position.id);
  const key = document && ordering?.keyOf(whole(document.id, document.body));
  return key !== undefined && digestOfKey(key) === position.digest
    ? ok({ seq, key })
    : refuse('The document at which the cursor stood has changed: begin again.');
}

/** The cursor of a packed document, behind which the next page begins. */
export function cursorAt(packed: string, { ordering, whole }: Order): string {
  const { id, body } = unpackDocument(packed);
  return formatCursor({ id, key: ordering === null ? [] : ordering.keyOf(whole(id, body)) });
}

function refuse(detail: string): Outcome<never> {
  return fail('invalid-parameter', detail, { parameter: 'page[after]' });
}
