/**
 * What decides about tokens in the collection of their holders, beside the holders' versions: tokens that ended before
 * their time, and versions that a holder had elsewhere, from where it was moved with its tokens.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { bytesOfId } from '../ids.ts';
import { Table, type ReadSql, type Select } from '../sql.ts';

/** A carried version counts as long as the document has the version that it had when it came. */
const VOUCHES: Select = `SELECT 1 FROM documents WHERE id = ? AND (version = ? OR ? IN (
    SELECT carried_versions.version FROM carried_versions
    WHERE carried_versions.id = documents.id AND here = documents.version))
  AND NOT EXISTS (SELECT 1 FROM ended_tokens WHERE ended_tokens.id = ?)`;

const ENDED: Select = `SELECT lower(hex(ended_tokens.id)) AS id
  FROM json_each(?) AS asked CROSS JOIN ended_tokens ON ended_tokens.id = unhex(asked.value)`;

const LIVING: Select = `SELECT lower(hex(documents.id)) AS id, documents.version AS own,
    carried_versions.version AS carried
  FROM json_each(?) AS asked CROSS JOIN documents ON documents.id = unhex(asked.value)
  LEFT JOIN carried_versions ON carried_versions.id = documents.id AND here = documents.version
  WHERE documents.version <= ? ORDER BY carried DESC`;

export class TokensReader<Sql extends ReadSql = ReadSql> extends Table<Sql> {
  /** Whether a token made for a version of a document stands: it still is the version, and the token has not ended. */
  vouches(id: DocumentId, version: number, token: string): boolean {
    return this.finds(VOUCHES, bytesOfId(id), version, version, bytesOfId(token));
  }

  ended(tokens: readonly DocumentId[]): readonly DocumentId[] {
    return this.column(ENDED, JSON.stringify(tokens));
  }

  /** The versions that tokens of some documents may name, if these have not changed since a number of the counter. */
  living(ids: readonly DocumentId[], counter: number): Readonly<Record<string, readonly number[]>> {
    const living: Record<string, number[]> = {};
    type Row = { id: string; own: number; carried: number | null };
    for (const { id, own, carried } of this.sql.exec<Row>(LIVING, JSON.stringify(ids), counter)) {
      const versions = (living[id] ??= [own]);
      if (carried !== null && versions.length < LIMITS.carriedVersions) versions.push(carried);
    }
    return living;
  }
}

export class TokensWriter extends TokensReader<SqlStorage> {
  /** Remembers that a token has ended, until it would have ended by itself; forgets those that have since. */
  end(id: DocumentId, until: number, now: number): void {
    this.sql.exec('DELETE FROM ended_tokens WHERE until < ?', now);
    this.sql.exec('INSERT OR IGNORE INTO ended_tokens VALUES (?, ?)', bytesOfId(id), until);
  }

  /** Lets tokens stand that name versions of elsewhere, until the document changes; `here` is its version. */
  carry(id: DocumentId, versions: readonly number[], here: number): void {
    if (versions.length === 0) return;
    const bytes = bytesOfId(id);
    this.sql.exec('DELETE FROM carried_versions WHERE id = ? AND here <> ?', bytes, here);
    for (const version of versions) {
      this.sql.exec('INSERT OR REPLACE INTO carried_versions VALUES (?, ?, ?)', bytes, version, here);
    }
  }
}
