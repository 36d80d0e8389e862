/**
 * What a collection keeps beside its documents, each kept by the write that changes the document: unique values,
 * members of groups, tokens that ended before their time.
 */
import { decodeFields } from '../../domain/codec.ts';
import { keyOf, linksOf } from '../../domain/documents.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { factsOf } from '../../domain/types.ts';
import { fieldOf } from '../../domain/values.ts';
import { bytesOfId, idOfBytes } from './ids.ts';
import { unpackContent, type StoredContent } from '../rpc/content.ts';

export class SideTables {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * Fails when the content has a value that another document has, or puts too many into a group, or somebody into too many
   * groups. To be asked before anything is written; `seq` is the document's position, null for a new one.
   */
  conflict(type: string, id: string, seq: number | null, content: StoredContent): Outcome<null> {
    const taken = this.#taken(type, id, content);
    return taken.ok ? this.#crowded(type, seq, content) : taken;
  }

  #taken(type: string, id: string, content: StoredContent): Outcome<null> {
    const unique = uniqueOf(type, content);
    const owner = unique && this.owner(unique.name, unique.value);
    if (unique === undefined || owner === undefined || owner === id) return ok(null);
    const pointer = `/data/attributes/${unique.name}`;
    return fail('value-taken', `There is a document with this ${unique.name}.`, { pointer });
  }

  /** Who is in already stays: a group that is over a limit from before is read, and shrinks. */
  #crowded(type: string, seq: number | null, content: StoredContent): Outcome<null> {
    const members = membersOf(type, content);
    if (members === null) return ok(null);
    const before = seq === null ? 0 : this.#count('SELECT count(*) AS total FROM members WHERE seq = ?', seq);
    if (members.length > Math.max(before, LIMITS.groupMembers)) {
      const detail = `A group has at most ${LIMITS.groupMembers} members; this one would have ${members.length}.`;
      return fail('invalid-relationship', detail, { pointer: '/data/relationships/users/data' });
    }
    const [full] = this.#sql
      .exec<{ identity: string }>(
        `SELECT asked.value AS identity FROM json_each(?) AS asked
         WHERE NOT EXISTS (SELECT 1 FROM members WHERE identity = asked.value AND seq = ?)
         AND (SELECT count(*) FROM (SELECT 1 FROM members WHERE identity = asked.value LIMIT ? + 0)) >= ? LIMIT 1`,
        JSON.stringify(members),
        seq ?? -1,
        LIMITS.groupsOfIdentity,
        LIMITS.groupsOfIdentity,
      )
      .toArray();
    if (full === undefined) return ok(null);
    const detail = `A user is in at most ${LIMITS.groupsOfIdentity} groups, and ${full.identity} is in as many.`;
    return fail('invalid-relationship', detail, { pointer: '/data/relationships/users/data' });
  }

  #count(query: string, parameter: number): number {
    return this.#sql.exec<{ total: number }>(query, parameter).one().total;
  }

  /** After a document of this type was written. */
  put(type: string, seq: number, id: string, content: StoredContent, isNew: boolean): void {
    const unique = uniqueOf(type, content);
    if (unique !== undefined) this.claim(unique.name, unique.value, id);
    const members = membersOf(type, content);
    if (members === null) return;
    const list = JSON.stringify(members);
    // Only what differs is written: a group may be large, and change by one member.
    if (!isNew) {
      this.#sql.exec(
        'DELETE FROM members WHERE seq = ? AND identity NOT IN (SELECT value FROM json_each(?))',
        seq,
        list,
      );
    }
    this.#sql.exec('INSERT OR IGNORE INTO members SELECT value, ? FROM json_each(?)', seq, list);
  }

  remove(type: string, seq: number, id: string): void {
    this.#sql.exec('DELETE FROM uniques WHERE id = ?', bytesOfId(id));
    if (factsOf(type).members !== undefined) this.#sql.exec('DELETE FROM members WHERE seq = ?', seq);
  }

  /** Gives a document a unique value, which nobody else has, in place of the one it had. */
  claim(name: string, value: string, id: string): void {
    this.#sql.exec('DELETE FROM uniques WHERE name = ? AND id = ?', name, bytesOfId(id));
    this.#sql.exec('INSERT INTO uniques VALUES (?, ?, ?)', name, value, bytesOfId(id));
  }

  /** The id of the document that has a unique value. */
  owner(name: string, value: string): string | undefined {
    const [row] = this.#sql
      .exec<{ id: ArrayBuffer }>('SELECT id FROM uniques WHERE name = ? AND value = ?', name, value)
      .toArray();
    return row && idOfBytes(row.id);
  }

  /** The ids of the documents that link to an identity. */
  groupsOf(identity: string): readonly string[] {
    return this.#sql
      .exec<{ id: string }>(
        'SELECT lower(hex(id)) AS id FROM members CROSS JOIN documents USING (seq) WHERE identity = ? ORDER BY seq',
        identity,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Remembers that a token has ended, until it would have ended by itself; forgets those that have since. */
  endToken(id: string, until: number, now: number): void {
    this.#sql.exec('DELETE FROM ended_tokens WHERE until < ?', now);
    this.#sql.exec('INSERT OR IGNORE INTO ended_tokens VALUES (?, ?)', bytesOfId(id), until);
  }

  /** Whether a document has this version still, and a token made for it has not ended. */
  vouches(id: string, version: number, token: string): boolean {
    const rows = this.#sql.exec(
      `SELECT 1 FROM documents WHERE id = ? AND version = ?
       AND NOT EXISTS (SELECT 1 FROM ended_tokens WHERE ended_tokens.id = ?)`,
      bytesOfId(id),
      version,
      bytesOfId(token),
    );
    return rows.toArray().length > 0;
  }

  hasEnded(token: string): boolean {
    return this.#sql.exec('SELECT 1 FROM ended_tokens WHERE id = ?', bytesOfId(token)).toArray().length > 0;
  }
}

/** The identities in a group, or null for what is none. */
function membersOf(type: string, content: StoredContent): readonly string[] | null {
  const relationship = factsOf(type).members;
  if (relationship === undefined) return null;
  return linksOf(unpackContent(content).relationships[relationship] ?? null).map(keyOf);
}

/** The value of a content that must be unique in its type. */
function uniqueOf(
  type: string,
  content: StoredContent,
): { readonly name: string; readonly value: string } | undefined {
  const name = factsOf(type).unique;
  const value = name === undefined ? undefined : fieldOf(decodeFields(content.body), name);
  return name === undefined || typeof value !== 'string' ? undefined : { name, value };
}
