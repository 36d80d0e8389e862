/** Values that only one document of a collection may have, such as user names. Each write updates them. */
import { decodeFields } from '../../../domain/values/codec.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { fail, failed, gravest, ok, problem, type Outcome } from '../../../domain/problems.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import { bytesOfId, idOfBytes } from '../ids.ts';
import { Table, changesOf, LIMIT, type ReadSql, type Select } from '../sql.ts';
import { Touched } from '../touched.ts';
import { nameOf, uniqueFieldsOf } from './unique-fields.ts';
import type { StoredContent } from '../../../domain/values/stored.ts';
import { textAt } from '../../../domain/values/tree.ts';

const OWNERS: Select = `SELECT uniques.id FROM json_each(?) AS asked CROSS JOIN uniques
         ON uniques.name = ? AND uniques.value = asked.value WHERE uniques.id <> ? ${LIMIT}`;

export class UniqueValuesReader<Sql extends ReadSql = ReadSql> extends Table<Sql> {
  protected readonly touched: Touched;

  constructor(sql: Sql, touched = new Touched()) {
    super(sql);
    this.touched = touched;
  }

  owner(name: string, value: string): DocumentId | undefined {
    const owners = this.column<ArrayBuffer>(
      'SELECT id FROM uniques WHERE name = ? AND value = ?',
      name,
      value,
    );
    return owners.map(idOfBytes)[0];
  }

  values(name: string): readonly string[] {
    return this.column('SELECT value FROM uniques WHERE name = ?', name);
  }

  /** Fails when the content has a value of another document. To be called before anything is written. */
  conflict(type: string, id: DocumentId, content: StoredContent): Outcome<null> {
    for (const { name, value } of uniquesOf(type, content)) {
      const owner = value === null ? undefined : this.owner(name, value);
      if (owner === undefined || owner === id) continue;
      const pointer = `/data/attributes/${name}`;
      return fail('value-taken', `There is a document with this ${name}.`, { pointer });
    }
    return ok(null);
  }

  /** The problems of a content with lists of unique fields: values of other documents, or values that no list takes. */
  taken(id: DocumentId, content: StoredContent, lists: readonly (readonly string[])[]): Outcome<null> {
    const relationships = JSON.parse(content.relationships ?? '[]') as readonly string[];
    const problems = keysIn(content, lists).flatMap(({ list, name, field, keys }) => {
      const member = relationships.includes(field) ? 'relationships' : 'attributes';
      const pointer = pointerOf(placeOf('data', member, field));
      if (typeof keys === 'string') {
        return problem(
          'invalid-value',
          `${sentenceOf(list)} must be unique, and the document has ${keys} there.`,
          { pointer },
          { paths: list },
        );
      }
      if (this.ownerOf(name, keys, id) === undefined) return [];
      const detail = `There is a document with this ${list.join(' and ')}.`;
      return problem('value-taken', detail, { pointer }, { paths: list });
    });
    return problems.length === 0 ? ok(null) : failed(...gravest(problems));
  }

  /** The other documents that have values of a content in some lists. */
  rivalsOf(
    id: DocumentId,
    content: StoredContent,
    lists: readonly (readonly string[])[],
  ): readonly DocumentId[] {
    const rivals = keysIn(content, lists).flatMap(({ name, keys }) =>
      typeof keys === 'string' ? [] : this.#ownersOf(name, keys, id, keys.length),
    );
    return [...new Set(rivals)];
  }

  /** The other document that has one of these texts in a list. */
  ownerOf(name: string, keys: readonly string[], id: DocumentId): DocumentId | undefined {
    return this.#ownersOf(name, keys, id, 1)[0];
  }

  #ownersOf(name: string, keys: readonly string[], id: DocumentId, limit: number): readonly DocumentId[] {
    if (keys.length === 0) return [];
    this.touched.rows(keys.length);
    return this.column<ArrayBuffer>(OWNERS, JSON.stringify(keys), name, bytesOfId(id), limit).map(idOfBytes);
  }
}

export class UniqueValuesWriter extends UniqueValuesReader<SqlStorage> {
  /** After a document of this type was written. */
  put(type: string, id: DocumentId, content: StoredContent): void {
    for (const { name, value } of uniquesOf(type, content)) {
      if (value !== null) this.claim(name, value, id);
      else this.#free(name, id);
    }
  }

  /** Replaces the value of a document; no other document has the new one. */
  claim(name: string, value: string, id: DocumentId): void {
    this.#free(name, id);
    this.sql.exec('INSERT INTO uniques VALUES (?, ?, ?)', name, value, bytesOfId(id));
  }

  #free(name: string, id: DocumentId): void {
    this.sql.exec('DELETE FROM uniques WHERE name = ? AND id = ?', name, bytesOfId(id));
  }

  /** After a document was written, whose content no list refuses. */
  putAll(id: DocumentId, content: StoredContent, lists: readonly (readonly string[])[]): void {
    for (const { name, keys } of keysIn(content, lists)) {
      if (typeof keys === 'string') throw new Error(`A document has ${keys} in a list of unique fields.`);
      const text = JSON.stringify(keys);
      this.touched.rows(keys.length);
      const gone =
        'DELETE FROM uniques WHERE name = ? AND id = ? AND value NOT IN (SELECT value FROM json_each(?))';
      this.sql.exec(gone, name, bytesOfId(id), text);
      const put = 'INSERT OR IGNORE INTO uniques (name, value, id) SELECT ?, value, ? FROM json_each(?)';
      this.sql.exec(put, name, bytesOfId(id), text);
    }
  }

  /** Removes some of what a list has of all documents; false when nothing was left. */
  clear(list: readonly string[], rows: number): boolean {
    const name = nameOf(list);
    const some = `DELETE FROM uniques
      WHERE name = ? AND value IN (SELECT value FROM uniques WHERE name = ? ${LIMIT}) RETURNING 1`;
    return this.finds(some, name, name, rows);
  }

  remove(id: DocumentId): void {
    this.sql.exec('DELETE FROM uniques WHERE id = ?', bytesOfId(id));
    this.touched.rows(changesOf(this.sql));
  }
}

/** What a content has in lists of unique fields. */
function keysIn(content: StoredContent, lists: readonly (readonly string[])[]) {
  const document = lists.length === 0 ? {} : decodeFields(content.body);
  return lists.map((list) => {
    const { name, field, keysOf } = uniqueFieldsOf(list);
    return { list, name, field, keys: keysOf(document) };
  });
}

/** The values of a content that must be unique in its type; null for an attribute that it has not. */
function uniquesOf(
  type: string,
  content: StoredContent,
): readonly { readonly name: string; readonly value: string | null }[] {
  const { unique } = typeInfo(type);
  if (unique === undefined) return [];
  const fields = decodeFields(content.body);
  return unique.map((name) => ({ name, value: textAt(fields, name) ?? null }));
}

function sentenceOf(list: readonly string[]): string {
  return list.length === 1 ? `The value of ${list.join()}` : `The values of ${list.join(' and ')} together`;
}
