/** What mongoexport writes, or other lines of JSON, a file for each collection: DBRefs become links. */
import type { Presentable } from '../../../src/domain/values/present.ts';
import { isFields, type Fields } from '../records.ts';
import { filesAt, recordsAt } from './files.ts';
import type { ForeignRecord, Links } from './record.ts';

/** `key`: the field with the id of a record. */
export function fromFiles(key: '_id' | 'id') {
  return async function* (path: string): AsyncGenerator<ForeignRecord> {
    for (const { name, file } of filesAt(path)) {
      for await (const row of recordsAt(file)) yield recordOf(name, key, row);
    }
  };
}

function recordOf(type: string, key: '_id' | 'id', { [key]: own = null, ...row }: Fields): ForeignRecord {
  const fields = new Map<string, Presentable>();
  const links = new Map<string, Links>();
  for (const [name, value] of Object.entries(row)) {
    const { $ref: target, $id: to } = isFields(value) ? value : {};
    if (typeof target === 'string' && to !== undefined) links.set(name, { type: target, id: to });
    else fields.set(name, value);
  }
  return { type, id: own, fields, links };
}
