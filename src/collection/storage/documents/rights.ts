/**
 * The rights on the documents of a collection. They are stored with each document, for reads of its ACL, and in a table
 * by right and identity, for searches. Both are written in the transaction of the change.
 */
import { namedBy, RIGHTS, type Acl, type Right, type Viewer } from '../../../domain/rights.ts';
import { ObjectCache } from '../caching/answer-cache.ts';
import { ALWAYS, sql, type SqlCondition } from '../../../query/sql/condition.ts';
import type { CandidateSource } from '../../../plan/prepare.ts';
import type { DirtyRanges } from '../dirty-ranges.ts';
import { Table, changesOf, type ReadSql } from '../sql.ts';
import type { InheritedReader } from '../secondary/inherited.ts';
import type { Touched } from '../touched.ts';

/** From this number of identities on, rights are checked in a cheaper way than one by one. */
const MANY_IDENTITIES = 32;

/** Whether a viewer has so many identities that each check of rights takes long. */
export function isMany(viewer: Viewer): viewer is readonly string[] {
  return viewer !== null && viewer.length > MANY_IDENTITIES;
}

export class RightsReader<Sql extends ReadSql = ReadSql> extends Table<Sql> {
  /** Whether an identity holds a right on any document, by right and identity. Every change of rights updates it. */
  protected readonly held = new ObjectCache<boolean>('holders');

  readonly #inherited: Pick<InheritedReader, 'withHeld'>;

  constructor(sql: Sql, inherited: Pick<InheritedReader, 'withHeld'>) {
    super(sql);
    this.#inherited = inherited;
  }

  /** A viewer as rights know it: with the holders of rights on linked documents that it is one of. */
  identitiesOf(viewer: readonly string[]): readonly string[] {
    return this.#inherited.withHeld(viewer);
  }

  of(seq: number): Acl {
    const [acl = null] = this.column<string | null>('SELECT acl FROM documents WHERE seq = ?', seq);
    return aclOf(acl);
  }

  /**
   * The identities of a viewer that hold a right on any document here. A user may be in a thousand groups that have no
   * rights in this collection: all checks use only these identities, and only these cost.
   */
  narrow(all: readonly string[], right: Right): readonly string[] {
    const viewer = this.identitiesOf(all);
    const unknown = viewer.filter((identity) => this.held.get(heldKey(right, identity)) === undefined);
    const holding = unknown.length === 0 ? new Set<string>() : this.#holding(unknown, right);
    for (const identity of unknown) this.held.set(heldKey(right, identity), holding.has(identity));
    // The answers of this call may be more than the cache holds.
    return viewer.filter(
      (identity) => holding.has(identity) || this.held.get(heldKey(right, identity)) === true,
    );
  }

  #holding(identities: readonly string[], right: Right): ReadonlySet<string> {
    const holding = `SELECT asked.value FROM json_each(?) AS asked
      WHERE EXISTS (SELECT 1 FROM rights WHERE right = ? AND identity = asked.value)` as const;
    return new Set(this.column<string>(holding, JSON.stringify(identities), right));
  }

  has(all: Viewer, right: Right, seq: number): boolean {
    if (all === null) return true;
    const identities = this.identitiesOf(all);
    const viewer = isMany(identities) ? this.narrow(all, right) : identities;
    const held = `SELECT 1 FROM json_each(?) AS asked
      CROSS JOIN rights ON rights.right = ? AND rights.identity = asked.value AND rights.seq = ? LIMIT 1` as const;
    return this.finds(held, JSON.stringify(viewer), right, seq);
  }

  /** The positions among some whose documents a viewer may read, ascending. */
  readable(viewer: readonly string[], seqs: readonly number[]): readonly number[] {
    if (seqs.length === 0) return [];
    const readable = `SELECT found.value FROM json_each(?) AS found
      WHERE EXISTS (SELECT 1 FROM json_each(?) AS asked
        CROSS JOIN rights ON rights.right = 'read' AND rights.identity = asked.value AND rights.seq = found.value)
      ORDER BY found.value` as const;
    return this.column(readable, JSON.stringify(seqs), JSON.stringify(this.narrow(viewer, 'read')));
  }
}

/** What rights come from, and what is told of their changes. */
interface Cached {
  readonly inherited: Pick<InheritedReader, 'withHeld'>;
  readonly dirtyRanges: DirtyRanges;
  readonly touched: Touched;
}

export class RightsWriter extends RightsReader<SqlStorage> {
  readonly #touched: Touched;
  readonly #dirtyRanges: DirtyRanges;

  constructor(sql: SqlStorage, { inherited, dirtyRanges, touched }: Cached) {
    super(sql, inherited);
    this.#dirtyRanges = dirtyRanges;
    this.#touched = touched;
  }

  /** To be called when writes were undone. */
  forget(): void {
    this.held.clear();
  }

  /** The ACL of a document that is stored with it. */
  add(seq: number, acl: Acl): void {
    const rows = [...rowsOfAcl(acl)];
    this.#touched.ownRights(rows.length);
    this.#give(seq, rows);
  }

  /** Replaces the whole ACL of a document. */
  set(seq: number, before: Acl, after: Acl, version: number): void {
    const [had, has] = [rowsOfAcl(before), rowsOfAcl(after)];
    const gone = [...had].filter((row) => !has.has(row));
    const added = [...has].filter((row) => !had.has(row));
    this.#touched.ownRights(gone.length + added.length);
    this.#take(seq, gone);
    this.#give(seq, added);
    const changed = 'UPDATE documents SET acl = ?, acl_version = ? WHERE seq = ?';
    this.sql.exec(changed, textOfAcl(after), version, seq);
  }

  /** Adds rows; whether there were such that were not there. */
  give(seq: number, rows: readonly string[]): boolean {
    this.#touched.rows(rows.length);
    return this.#give(seq, rows) > 0;
  }

  /** Removes rows; whether there were such. */
  take(seq: number, rows: readonly string[]): boolean {
    this.#touched.rows(rows.length);
    return this.#take(seq, rows) > 0;
  }

  /** Notes that who has a right on a document has changed. */
  stamp(seq: number, version: number): void {
    this.sql.exec('UPDATE documents SET acl_version = ? WHERE seq = ?', version, seq);
  }

  #give(seq: number, rows: readonly string[]): number {
    if (rows.length === 0) return 0;
    this.#dirtyRanges.note(seq);
    const given = `INSERT OR IGNORE INTO rights (right, identity, seq)
      SELECT value ->> 0, value ->> 1, ? FROM json_each(?)`;
    this.sql.exec(given, seq, pairsOf(rows));
    // Of many, a question costs less than a place for each in the cache.
    if (rows.length > MANY_IDENTITIES) for (const row of rows) this.held.delete(row);
    else for (const row of rows) this.held.set(row, true);
    return changesOf(this.sql);
  }

  #take(seq: number, rows: readonly string[]): number {
    if (rows.length === 0) return 0;
    this.#dirtyRanges.note(seq);
    const taken = `DELETE FROM rights
      WHERE seq = ? AND (right, identity) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`;
    this.sql.exec(taken, seq, pairsOf(rows));
    for (const row of rows) this.held.delete(row);
    return changesOf(this.sql);
  }
}

/** An ACL as it is stored with its document; null for nobody's. */
export function textOfAcl(acl: Acl): string | null {
  return Object.keys(acl).length === 0 ? null : JSON.stringify(acl);
}

/** The inverse. */
export function aclOf(text: string | null): Acl {
  return text === null ? {} : (JSON.parse(text) as Acl);
}

/** Rights on one document: each a right and an identity, with a blank between them. */
export type RightsRows = ReadonlySet<string>;

export function rowsOfAcl(acl: Acl): RightsRows {
  return new Set(RIGHTS.flatMap((right) => namedBy(acl[right]).map((identity) => heldKey(right, identity))));
}

function pairsOf(rows: readonly string[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const end = row.indexOf(' ');
      return [row.slice(0, end), row.slice(end + 1)];
    }),
  );
}

function heldKey(right: Right, identity: string): string {
  return `${right} ${identity}`;
}

/**
 * Whether a viewer of many identities may read a document, for documents between two positions: this reads their rights
 * once, and not once for each identity and document.
 */
export function mayReadBetween(viewer: readonly string[], from: number, to: number): SqlCondition {
  return sql(
    (row) => `${row}.seq IN (SELECT seq FROM rights WHERE right = 'read'
      AND identity IN (SELECT value FROM json_each(?)) AND seq > ? AND seq <= ?)`,
    JSON.stringify(viewer),
    from,
    to,
  );
}

/** Whether a viewer may read a document, as a condition of a search like any other; only its position is looked at. */
export function mayRead(viewer: Viewer): SqlCondition {
  if (viewer === null) return ALWAYS;
  return sql(
    (row) => `EXISTS (SELECT 1 FROM json_each(?) AS viewer
      CROSS JOIN rights ON rights.right = 'read' AND rights.identity = viewer.value AND rights.seq = ${row}.seq)`,
    JSON.stringify(viewer),
  );
}

/** A SELECT of the positions that a viewer may read, each once. */
export function readablePositions(
  viewer: readonly string[],
): Pick<CandidateSource, 'positions' | 'parameters'> {
  return {
    positions: `SELECT DISTINCT seq FROM rights
      WHERE right = 'read' AND identity IN (SELECT value FROM json_each(?))`,
    parameters: [JSON.stringify(viewer)],
  };
}
