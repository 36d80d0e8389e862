/** The groups of a collection by member, so that those of an identity are found. A group's write updates it. */
import { keyOf, linksOf } from '../../../domain/documents.ts';
import { storedId, type DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import { unpackContent, type StoredContent } from '../../../domain/values/stored.ts';
import { Table, type ReadSql } from '../sql.ts';

export class MembersReader<Sql extends ReadSql = ReadSql> extends Table<Sql> {
  groupsOf(identity: string): readonly DocumentId[] {
    const groups = `SELECT lower(hex(id)) FROM members CROSS JOIN documents USING (seq)
      WHERE identity = ? ORDER BY seq`;
    return this.column<string>(groups, identity).map(storedId);
  }

  /**
   * Fails when the content puts too many members into a group, or a member into too many groups; `seq` is the
   * document's position, null for a new one. Existing members stay: a group above a newer limit can be read and shrink.
   */
  conflict(type: string, seq: number | null, content: StoredContent): Outcome<null> {
    const members = membersOf(type, content);
    if (members === null) return ok(null);
    const before = this.numberOf('SELECT count(*) FROM members WHERE seq = ?', seq) ?? 0;
    if (members.length > Math.max(before, LIMITS.groupMembers)) {
      const detail = `A group has at most ${LIMITS.groupMembers} members; this one would have ${members.length}.`;
      return fail('invalid-relationship', detail, { pointer: '/data/relationships/users/data' });
    }
    const [full] = this.column<string>(
      `SELECT asked.value FROM json_each(?1) AS asked
       WHERE NOT EXISTS (SELECT 1 FROM members WHERE identity = asked.value AND seq = ?2)
       AND (SELECT count(*) FROM (SELECT 1 FROM members WHERE identity = asked.value LIMIT ?3 + 0)) >= ?3 LIMIT 1`,
      JSON.stringify(members),
      seq,
      LIMITS.groupsOfIdentity,
    );
    if (full === undefined) return ok(null);
    const detail = `A user is in at most ${LIMITS.groupsOfIdentity} groups, and ${full} is in as many.`;
    return fail('invalid-relationship', detail, { pointer: '/data/relationships/users/data' });
  }
}

export class MembersWriter extends MembersReader<SqlStorage> {
  readonly #concerned: Set<string>;

  /** Identities whose groups change are added to `concerned`. */
  constructor(sql: SqlStorage, concerned: Set<string>) {
    super(sql);
    this.#concerned = concerned;
  }

  /** After a document of this type was written. */
  put(type: string, seq: number, content: StoredContent, isNew: boolean): void {
    const members = membersOf(type, content);
    if (members === null) return;
    const list = JSON.stringify(members);
    // Only differences are written: a group may be large, and a change may concern one member.
    const gone = 'DELETE FROM members WHERE seq = ? AND identity NOT IN (SELECT value FROM json_each(?))';
    if (!isNew) this.#change(gone, seq, list);
    this.#change('INSERT OR IGNORE INTO members SELECT value, ? FROM json_each(?)', seq, list);
  }

  remove(type: string, seq: number): void {
    if (typeInfo(type).members !== undefined) this.#change('DELETE FROM members WHERE seq = ?', seq);
  }

  #change(statement: string, ...bindings: readonly (string | number)[]): void {
    const changed = this.column<string>(`${statement} RETURNING identity`, ...bindings);
    for (const identity of changed) this.#concerned.add(identity);
  }
}

/** The identities in a group, or null for a document that is not a group. */
function membersOf(type: string, content: StoredContent): readonly string[] | null {
  const relationship = typeInfo(type).members;
  if (relationship === undefined) return null;
  return linksOf(unpackContent(content).relationships[relationship] ?? null).map(keyOf);
}
