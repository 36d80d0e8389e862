/**
 * Values that only one document of a collection may have, such as user names. The write that changes the document
 * updates them.
 */
import { decodeFields } from '../../domain/codec.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { factsOf } from '../../domain/types.ts';
import { bytesOfId, idOfBytes } from './ids.ts';
import type { StoredContent } from '../rpc/content.ts';
import { memberOf } from '../../domain/tree.ts';

export class UniqueValuesReader {
  protected readonly sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.sql = sql;
  }

  /** The id of the document that has a value. */
  owner(name: string, value: string): DocumentId | undefined {
    const [row] = this.sql
      .exec<{ id: ArrayBuffer }>('SELECT id FROM uniques WHERE name = ? AND value = ?', name, value)
      .toArray();
    return row && idOfBytes(row.id);
  }

  /** Fails when the content has a value of another document. To be called before anything is written. */
  conflict(type: string, id: DocumentId, content: StoredContent): Outcome<null> {
    const unique = uniqueOf(type, content);
    const owner = unique && this.owner(unique.name, unique.value);
    if (unique === undefined || owner === undefined || owner === id) return ok(null);
    const pointer = `/data/attributes/${unique.name}`;
    return fail('value-taken', `There is a document with this ${unique.name}.`, { pointer });
  }
}

export class UniqueValuesWriter extends UniqueValuesReader {
  /** After a document of this type was written. */
  put(type: string, id: DocumentId, content: StoredContent): void {
    const unique = uniqueOf(type, content);
    if (unique !== undefined) this.claim(unique.name, unique.value, id);
  }

  /** Replaces the value of a document; no other document has the new one. */
  claim(name: string, value: string, id: DocumentId): void {
    this.sql.exec('DELETE FROM uniques WHERE name = ? AND id = ?', name, bytesOfId(id));
    this.sql.exec('INSERT INTO uniques VALUES (?, ?, ?)', name, value, bytesOfId(id));
  }

  remove(id: DocumentId): void {
    this.sql.exec('DELETE FROM uniques WHERE id = ?', bytesOfId(id));
  }
}

/** The value of a content that must be unique in its type. */
function uniqueOf(
  type: string,
  content: StoredContent,
): { readonly name: string; readonly value: string } | undefined {
  const name = factsOf(type).unique;
  const value = name === undefined ? undefined : memberOf(decodeFields(content.body), name);
  return name === undefined || typeof value !== 'string' ? undefined : { name, value };
}
