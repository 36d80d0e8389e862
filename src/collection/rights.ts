/**
 * The rights on the documents of a collection: kept beside each document for whoever reads its ACL, and in a table
 * by right and identity for whoever asks what may be seen. Both are written in the transaction of the change.
 */
import { namedBy, RIGHTS, type Acl, type Right, type Viewer } from '../domain/rights.ts';
import type { SqlCondition } from '../query/index/sql.ts';
import type { Source } from '../query/plan.ts';

export class Rights {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The ACL of the document at a position. */
  of(seq: number): Acl {
    const { acl } = this.#sql
      .exec<{ acl: string | null }>('SELECT acl FROM documents WHERE seq = ?', seq)
      .one();
    return acl === null ? {} : (JSON.parse(acl) as Acl);
  }

  /** Whether a viewer has a right on the document at a position. */
  has(viewer: Viewer, right: Right, seq: number): boolean {
    if (viewer === null) return true;
    const found = this.#sql.exec(
      `SELECT 1 FROM json_each(?) AS asked
       CROSS JOIN rights ON rights.right = ? AND rights.identity = asked.value AND rights.seq = ? LIMIT 1`,
      JSON.stringify(viewer),
      right,
      seq,
    );
    return found.toArray().length > 0;
  }

  /** Sets the whole ACL of a document, in place of what it was. */
  set(seq: number, before: Acl, after: Acl, version: number): void {
    this.#forEach(before, (right, identity) => {
      this.#sql.exec('DELETE FROM rights WHERE right = ? AND identity = ? AND seq = ?', right, identity, seq);
    });
    this.#forEach(after, (right, identity) => {
      this.#sql.exec('INSERT OR IGNORE INTO rights VALUES (?, ?, ?)', right, identity, seq);
    });
    const text = Object.keys(after).length === 0 ? null : JSON.stringify(after);
    this.#sql.exec('UPDATE documents SET acl = ?, acl_version = ? WHERE seq = ?', text, version, seq);
  }

  #forEach(acl: Acl, visit: (right: Right, identity: string) => void): void {
    for (const right of RIGHTS) for (const identity of namedBy(acl[right])) visit(right, identity);
  }
}

/** Whether a viewer may read the document at the position in a column, as a condition of a search like any other. */
export function mayRead(viewer: Viewer, column: 'documents.seq' | 'found.seq'): SqlCondition {
  if (viewer === null) return { text: 'TRUE', parameters: [] };
  return {
    text: `EXISTS (SELECT 1 FROM json_each(?) AS viewer
      CROSS JOIN rights ON rights.right = 'read' AND rights.identity = viewer.value AND rights.seq = ${column})`,
    parameters: [JSON.stringify(viewer)],
  };
}

/** A SELECT of the positions that a viewer may read, each once. */
export function readablePositions(viewer: readonly string[]): Pick<Source, 'positions' | 'parameters'> {
  return {
    positions: `SELECT DISTINCT seq FROM rights
      WHERE right = 'read' AND identity IN (SELECT value FROM json_each(?))`,
    parameters: [JSON.stringify(viewer)],
  };
}
