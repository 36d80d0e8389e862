/**
 * What a collection tells those whose documents have rights through links to its own (write/notify/inheritors.ts): on which
 * documents the rights have changed, in the order of these changes. Triggers note that from the first of them on, so that
 * types that nobody inherits from pay nothing.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { storedType, type TypeName } from '../../../domain/types.ts';
import { Table, type Select } from '../sql.ts';

const TRIGGERS: Readonly<Record<string, string>> = {
  rights_after_insert: `AFTER INSERT ON documents BEGIN
    INSERT OR REPLACE INTO rights_changes VALUES (NEW.id, NEW.version);
  END`,
  // Deletions take the rights first.
  rights_after_update: `AFTER UPDATE OF acl_version ON documents WHEN NEW.acl_version <> OLD.acl_version BEGIN
    INSERT OR REPLACE INTO rights_changes VALUES (NEW.id, NEW.acl_version);
  END`,
};

/** All of a number together: the next page begins behind it. */
const CHANGES: Select = `SELECT lower(hex(id)) AS id, number FROM rights_changes
  WHERE number > ?1 AND number <= coalesce(
    (SELECT number FROM rights_changes WHERE number > ?1 ORDER BY number LIMIT 1 OFFSET ?2), 9e15)
  ORDER BY number`;

const GIVEN: Select = `SELECT asked.value AS row FROM json_each(?) AS asked
  JOIN rights ON rights.right = substr(asked.value, 1, instr(asked.value, ' ') - 1)
    AND rights.identity = substr(asked.value, instr(asked.value, ' ') + 1) AND rights.seq = ?`;

export class InheritorTables extends Table {
  #types: ReadonlySet<TypeName> = new Set();

  /** To be called once there are tables, and after writes were undone. */
  load(): void {
    const rows = this.sql.exec<{ type: string }>('SELECT type FROM inheritors');
    this.#types = new Set(Array.from(rows, ({ type }) => storedType(type)));
  }

  get types(): ReadonlySet<TypeName> {
    return this.#types;
  }

  /** From now on changes are noted. To be called inside a transaction. */
  add(type: TypeName): void {
    for (const [name, trigger] of Object.entries(TRIGGERS))
      this.sql.exec(`CREATE TRIGGER IF NOT EXISTS ${name} ${trigger}`);
    this.sql.exec('INSERT OR IGNORE INTO inheritors VALUES (?)', type);
    this.load();
  }

  /** The number of the last change of rights that is noted. */
  last(): number {
    return (
      this.sql.exec<{ last: number | null }>('SELECT max(number) AS last FROM rights_changes').one().last ?? 0
    );
  }

  /** The documents whose rights have changed since a number, some of them. */
  since(number: number, limit: number): readonly { readonly id: DocumentId; readonly number: number }[] {
    return this.sql.exec<{ id: DocumentId; number: number }>(CHANGES, number, limit).toArray();
  }

  /** Those of some rows of rights that hold on the document at a position. */
  holding(seq: number, rows: Iterable<string>): readonly string[] {
    const found = this.sql.exec<{ row: string }>(GIVEN, JSON.stringify([...rows]), seq);
    return Array.from(found, ({ row }) => row);
  }
}
