/** Where a collection names a person: statements over all documents and tombstones, to be run a segment at a time. */
import type { DocumentId } from '../../../domain/ids.ts';
import { withoutIdentity, type Acl } from '../../../domain/rights.ts';
import { ERASED } from '../../rpc/history.ts';
import { bytesOfId, idOfBytes } from '../ids.ts';
import { Table, LIMIT } from '../sql.ts';
import type { EditPlace } from './edits.ts';

/** A document that names somebody. */
export interface Naming {
  readonly id: DocumentId;
  readonly creator: string | null;
  /** JSON of an Acl; null for nobody. */
  readonly acl: string | null;
}

/** A version that names somebody: its row in the log. */
export interface NamingVersion extends Omit<Naming, 'id'> {
  readonly row: number;
}

/** Greater than every id. */
const BEYOND_IDS = new Uint8Array(13).fill(255).buffer;

export class NamedPeople extends Table {
  /** The documents at positions after one, up to another, that name an identity as creator, in rights or as a member. */
  between(from: number, to: number, identity: string): readonly Naming[] {
    // An identity stands in the JSON of an ACL with its quotes, so that no other one contains it.
    const rows = this.sql.exec<{ id: ArrayBuffer; creator: string | null; acl: string | null }>(
      `SELECT id, creator, acl FROM documents WHERE seq > ? AND seq <= ? AND
         (creator = ? OR instr(acl, ?) > 0 OR seq IN (SELECT seq FROM members WHERE identity = ?))
       ORDER BY seq`,
      from,
      to,
      identity,
      JSON.stringify(identity),
      identity,
    );
    return Array.from(rows, ({ id, creator, acl }) => ({ id: idOfBytes(id), creator, acl }));
  }

  /** Ends exports that are read: they begin anew. */
  endExports(): void {
    this.sql.exec('DELETE FROM moments');
  }

  /** Takes the name out of who made so many edits behind a place. Gives the last place; null where there are no more. */
  forgetEditor({ id, version }: EditPlace, edits: number, identity: string): EditPlace | null {
    const from = [bytesOfId(id), version] as const;
    const [last] = this.sql
      .exec<{ id: ArrayBuffer; version: number }>(
        'SELECT id, version FROM edits WHERE (id, version) > (?, ?) ORDER BY id, version LIMIT 1 OFFSET ?',
        ...from,
        edits - 1,
      )
      .toArray();
    this.sql.exec(
      'UPDATE edits SET user = ? WHERE (id, version) > (?, ?) AND (id, version) <= (?, ?) AND user = ?',
      ERASED,
      ...from,
      last?.id ?? BEYOND_IDS,
      last?.version ?? 0,
      identity,
    );
    return last === undefined ? null : { id: idOfBytes(last.id), version: last.version };
  }

  /** The last of the next rows of the log after one; null where there are no more. */
  lastRow(from: number, rows: number): number | null {
    return this.sql
      .exec<{ last: number | null }>(
        `SELECT max(row) AS last FROM (SELECT rowid AS row FROM versions WHERE rowid > ? ORDER BY rowid ${LIMIT})`,
        from,
        rows,
      )
      .one().last;
  }

  /** Versions in rows of the log that name an identity as creator or in rights. */
  versionsBetween(from: number, to: number, identity: string): readonly NamingVersion[] {
    return this.sql
      .exec<NamingVersion & Record<string, SqlStorageValue>>(
        `SELECT rowid AS row, creator, acl FROM versions WHERE rowid > ? AND rowid <= ? AND (creator = ? OR instr(acl, ?) > 0)`,
        from,
        to,
        identity,
        JSON.stringify(identity),
      )
      .toArray();
  }

  /** The last version of the document of a row, if that document is deleted; null where it is there, or its versions have gone. */
  lastVersion(row: number): Omit<Naming, 'id'> | null {
    const rows = this.sql.exec<{ creator: string | null; acl: string | null }>(
      `SELECT last.creator, last.acl FROM versions AS asked JOIN versions AS last ON last.seq = asked.seq AND last.id = asked.id
       WHERE asked.rowid = ? AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = asked.id)
       ORDER BY last.ended DESC LIMIT 1`,
      row,
    );
    return rows.toArray()[0] ?? null;
  }

  /** Forgets all versions of the document of a row. Whoever reads the feed with an old mark begins anew. */
  forgetVersions(row: number): void {
    this.sql.exec(
      `DELETE FROM versions WHERE rowid IN (SELECT each.rowid FROM versions AS asked
         JOIN versions AS each ON each.id = asked.id AND (each.seq = asked.seq OR each.seq IN
           (SELECT seq FROM edits JOIN versions AS ends ON ends.ended = edits.version AND ends.id = edits.id
            WHERE edits.id = asked.id AND change = 'delete')) WHERE asked.rowid = ?)`,
      row,
    );
  }

  /** Takes the identity out of a version. */
  disown({ row, creator, acl }: NamingVersion, identity: string): void {
    const left = acl === null ? null : JSON.stringify(withoutIdentity(JSON.parse(acl) as Acl, identity));
    const text = left === '{}' ? null : left;
    this.sql.exec(
      'UPDATE versions SET creator = ?, acl = ? WHERE rowid = ?',
      creator === identity ? null : creator,
      text,
      row,
    );
  }

  /** Forgets versions of groups, in rows of the log, that name a member. */
  forgetMember(from: number, to: number, identity: string): void {
    this.sql.exec(
      'DELETE FROM versions WHERE rowid > ? AND rowid <= ? AND instr(json(body), ?) > 0',
      from,
      to,
      identity.slice(identity.indexOf(' ') + 1),
    );
  }

  dropCreator(seq: number): void {
    this.sql.exec('UPDATE documents SET creator = NULL WHERE seq = ?', seq);
  }

  /**
   * Takes an identity out of those who could read deleted documents, in so many tombstones after an id ('' for the
   * first). Gives the last id; null where there are no more.
   */
  dropReader(after: string, tombstones: number, identity: string): DocumentId | null {
    const rows = this.sql
      .exec<{ id: ArrayBuffer; readers: string | null }>(
        `SELECT id, readers FROM tombstones WHERE id > ? ORDER BY id ${LIMIT}`,
        bytesOfId(after),
        tombstones,
      )
      .toArray();
    for (const { id, readers } of rows) {
      if (readers?.includes(JSON.stringify(identity)) !== true) continue;
      const left = (JSON.parse(readers) as readonly string[]).filter((each) => each !== identity);
      const text = left.length === 0 ? null : JSON.stringify(left);
      this.sql.exec('UPDATE tombstones SET readers = ? WHERE id = ?', text, id);
    }
    const last = rows.at(-1);
    return last === undefined ? null : idOfBytes(last.id);
  }
}
