/** Where a collection names a person: statements over all documents and tombstones, to be run a segment at a time. */
import type { DocumentId } from '../../../domain/ids.ts';
import { ERASED } from '../../rpc/history.ts';
import { bytesOfId, idOfBytes } from '../ids.ts';
import { Table, LIMIT } from '../sql.ts';

/** A document that names somebody. */
export interface Naming {
  readonly id: DocumentId;
  readonly creator: string | null;
  /** JSON of an Acl; null for nobody. */
  readonly acl: string | null;
}

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

  /** Forgets versions that name somebody: who reads the feed with an old mark, or an export, begins anew. */
  forgetVersions(identity: string): void {
    const id = identity.slice(identity.indexOf(' ') + 1);
    this.sql.exec('DELETE FROM moments');
    this.sql.exec(
      'DELETE FROM versions WHERE creator = ? OR instr(acl, ?) > 0 OR instr(json(body), ?) > 0',
      identity,
      JSON.stringify(identity),
      id,
    );
    this.sql.exec('UPDATE edits SET user = ? WHERE user = ?', ERASED, identity);
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
