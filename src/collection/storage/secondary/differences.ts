/**
 * Former states of the log (versions.ts) as differences: of eight large versions of a document the last stays whole,
 * those before it become merge patches (RFC 7396) of it, where that is exact and frees a page. SQLite applies them.
 */
import type { Tree } from '../../../domain/values/tree.ts';
import { Table, type Select } from '../sql.ts';
import { WRITE_STEP_UNITS } from '../steps.ts';

type Json = Tree<never>;

/** Bytes of a page of SQLite: a row that becomes smaller gives back whole pages, nothing else. */
const PAGE = 4096;

/** The state of a row of the log, as JSONB. */
export const STATE = `CASE WHEN base > 0
  THEN jsonb_patch((SELECT whole.body FROM versions AS whole WHERE whole.rowid = versions.base), versions.body)
  ELSE versions.body END`;

/** A state that those before it may be differences from, but are not yet. */
const WHOLE: Select = `SELECT rowid AS row, id, ended, n, json(body) AS body FROM versions
  WHERE n % 8 = 0 AND base IS NULL AND length(body) > ${PAGE} ORDER BY n LIMIT 1`;

/** One of those. */
const BEFORE: Select = `SELECT rowid AS row, json(body) AS body FROM versions WHERE rowid IN
    (SELECT rowid FROM versions WHERE id = ?1 AND ended < ?2 ORDER BY ended DESC LIMIT 7)
  AND n > ?3 - 8 AND base IS NULL AND length(body) > ${PAGE} LIMIT 1`;

/** A patch cannot say all: null as a value, or another order of members. Then the state stays as it is. */
const STORE = `UPDATE versions SET body = jsonb(?1), base = ?2
  WHERE rowid = ?3 AND length(body) - length(jsonb(?1)) >= ${PAGE} AND json(jsonb_patch(?4, ?1)) = json(body)`;

const KEEP = 'UPDATE versions SET base = 0 WHERE rowid = ? AND base IS NULL';

/** States are whole again before the one goes that they are differences from. */
const TRIGGER = `CREATE TRIGGER IF NOT EXISTS whole_after_delete AFTER DELETE ON versions WHEN OLD.base = 0 BEGIN
    UPDATE versions SET body = jsonb_patch(OLD.body, body), base = NULL WHERE base = OLD.rowid;
  END`;

export class Differences extends Table {
  /** Stores some more states as differences; whether there may be more. To be called inside a transaction. */
  store(): boolean {
    for (let units = 0; units <= WRITE_STEP_UNITS;) {
      const [whole] = this.sql
        .exec<{ row: number; id: ArrayBuffer; ended: number; n: number; body: string }>(WHOLE)
        .toArray();
      if (whole === undefined) return false;
      this.sql.exec(TRIGGER);
      const [before] = this.sql
        .exec<{ row: number; body: string }>(BEFORE, whole.id, whole.ended, whole.n)
        .toArray();
      if (before !== undefined) {
        const patch = patchOf(JSON.parse(whole.body) as Json, JSON.parse(before.body) as Json);
        this.sql.exec(STORE, JSON.stringify(patch), whole.row, before.row, whole.body);
      }
      this.sql.exec(KEEP, (before ?? whole).row);
      units += whole.body.length + (before?.body.length ?? 0);
    }
    return true;
  }
}

const isObject = (json: Json | undefined): json is Readonly<Record<string, Json>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/** What makes one value of another. */
function patchOf(from: Json | undefined, to: Json): Json {
  if (!isObject(from) || !isObject(to)) return to;
  const gone = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  const changed = Object.entries(to).filter(
    ([name, value]) => JSON.stringify(from[name]) !== JSON.stringify(value),
  );
  return Object.fromEntries([
    ...gone.map((name) => [name, null] as const),
    ...changed.map(([name, value]) => [name, patchOf(from[name], value)] as const),
  ]);
}
