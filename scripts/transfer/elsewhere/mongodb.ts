/** What mongoexport writes, a file for each collection: DBRefs become links. */
import type { Presentable } from '../../../src/domain/values/present.ts';
import { isFields, type Fields } from '../records.ts';
import { filesAt, recordsAt } from './files.ts';
import type { ForeignRecord, Reference } from './record.ts';

export async function* fromMongodb(path: string): AsyncGenerator<ForeignRecord> {
  for (const { name, file } of filesAt(path)) {
    for await (const row of recordsAt(file)) yield recordOf(name, row);
  }
}

function recordOf(type: string, { _id: own = null, ...row }: Fields): ForeignRecord {
  const fields: Record<string, Presentable> = {};
  const links: Record<string, Reference> = {};
  for (const [name, value] of Object.entries(row)) {
    const { $ref: target, $id: to } = isFields(value) ? value : {};
    if (typeof target === 'string' && to !== undefined) links[name] = { type: target, id: keyOf(to) };
    else fields[name] = value;
  }
  return { type, id: keyOf(own), fields, links };
}

/** An id of theirs as a text: of an object id its digits. */
function keyOf(id: Presentable): string {
  const inner = isFields(id) ? (id['$oid'] ?? id) : id;
  return typeof inner === 'string' ? inner : JSON.stringify(inner);
}
