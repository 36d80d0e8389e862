/** Where a collection names a person: statements over all documents and tombstones, to be run a segment at a time. */
import type { DocumentId } from '../../../domain/ids.ts';
import { withoutIdentity } from '../../../domain/rights.ts';
import { aclOf, textOfAcl } from '../documents/rights.ts';
import { ERASED } from '../../rpc/history.ts';
import type { AuditMessage } from '../../rpc/writes/target.ts';
import { bytesOfId, idOfBytes } from '../ids.ts';
import { Table, LIMIT, type Select } from '../sql.ts';
import { STATE } from './differences.ts';
import { keepEdit } from './edits.ts';
import { NEXT_ROWS, PRUNED, type PrunedEdit } from './versions.ts';

/** A document that names somebody. */
export interface Naming {
  readonly id: DocumentId;
  readonly seq: number;
  readonly creator: string | null;
  /** JSON of an Acl; null for nobody. */
  readonly acl: string | null;
}

/** A version that names somebody, or whose deleted document was theirs: its row, and whose that was at its end. */
export interface NamingVersion extends Omit<Naming, 'id' | 'seq'> {
  readonly row: number;
  readonly lastCreator: string | null;
  readonly lastAcl: string | null;
}

/** The same as a row: its columns. */
type Row<T> = { [Column in keyof T]: T[Column] };

export class NamedPeople extends Table {
  /** The documents at positions after one up to another that name an identity as creator, in rights or as a member. */
  between(from: number, to: number, identity: string): readonly Naming[] {
    // An identity stands in the JSON of an ACL with its quotes, so that no other one contains it.
    const naming = `SELECT lower(hex(id)) AS id, seq, creator, acl FROM documents WHERE seq > ?1 AND seq <= ?2 AND
      (creator = ?3 OR instr(acl, ?4) > 0 OR seq IN (SELECT seq FROM members WHERE identity = ?3)) ORDER BY seq`;
    return this.sql.exec<Row<Naming>>(naming, from, to, identity, JSON.stringify(identity)).toArray();
  }

  lastRow(from: number, rows: number): number | null {
    return this.numberOf(NEXT_ROWS, from, rows);
  }

  /** Versions in rows of the log that name an identity as creator or in rights, or whose document did so at its end. */
  versionsBetween(from: number, to: number, identity: string): readonly NamingVersion[] {
    const names = (row: string) => `${row}.creator = ?3 OR instr(${row}.acl, ?4) > 0`;
    const naming = `SELECT each.rowid AS row, each.creator, each.acl, last.creator AS lastCreator, last.acl AS lastAcl
      FROM versions AS each
      LEFT JOIN versions AS last ON NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = each.id)
        AND last.rowid =
          (SELECT rowid FROM versions WHERE id = each.id AND body IS NOT NULL ORDER BY ended DESC LIMIT 1)
      WHERE each.rowid > ?1 AND each.rowid <= ?2 AND (each.body IS NOT NULL OR each.acl IS NOT NULL)
        AND (${names('each')} OR ${names('last')})
      ORDER BY each.rowid`;
    return this.sql.exec<Row<NamingVersion>>(naming, from, to, identity, JSON.stringify(identity)).toArray();
  }

  /** Forgets a version; its edit stays. Whoever reads the feed with an old mark begins anew. */
  forgetVersion(row: number): void {
    const gone = `DELETE FROM versions WHERE rowid = ? RETURNING ${PRUNED}`;
    const [edit] = this.sql.exec<PrunedEdit>(gone, row).toArray();
    if (edit !== undefined && edit.n !== null) keepEdit(this.sql, edit);
  }

  /** Takes the identity out of a version. */
  disown({ row, creator, acl }: NamingVersion, identity: string): void {
    const left = textOfAcl(withoutIdentity(aclOf(acl), identity));
    const disowned = 'UPDATE versions SET creator = ?, acl = ? WHERE rowid = ?';
    this.sql.exec(disowned, creator === identity ? null : creator, left, row);
  }

  /** Takes the name out of who ended versions, in rows of the log. */
  forgetEditor(from: number, to: number, identity: string): void {
    const erased = 'UPDATE versions SET user = ? WHERE rowid > ? AND rowid <= ? AND user = ?';
    this.sql.exec(erased, ERASED, from, to, identity);
  }

  /** Forgets versions of groups, in rows of the log, that name a member. */
  forgetMember(from: number, to: number, identity: string): void {
    const naming = `DELETE FROM versions WHERE rowid > ? AND rowid <= ? AND instr(json(${STATE}), ?) > 0`;
    this.sql.exec(naming, from, to, identity.slice(identity.indexOf(' ') + 1));
  }

  /** Takes the identity out of so many messages of the audit trail, after one. Gives the last; null without more. */
  forgetAudited(after: number, messages: number, identity: string): number | null {
    const audits: Select = `SELECT seq, payload FROM outbox WHERE kind = 'audit' AND seq > ? ORDER BY seq ${LIMIT}`;
    const rows = this.sql.exec<{ seq: number; payload: string }>(audits, after, messages).toArray();
    for (const { seq, payload } of rows) {
      const { auditor, changes } = JSON.parse(payload) as AuditMessage;
      const isTheirs = auditor.user === identity;
      const left: AuditMessage = {
        auditor: isTheirs ? { ...auditor, user: null } : auditor,
        changes: changes.map((each) =>
          `${each.type} ${each.id}` === identity ? { ...each, id: null } : each,
        ),
      };
      const text = JSON.stringify(left);
      if (text !== payload) this.sql.exec('UPDATE outbox SET payload = ? WHERE seq = ?', text, seq);
    }
    return rows.at(-1)?.seq ?? null;
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
