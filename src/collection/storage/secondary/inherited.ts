/**
 * Rights that come through links (docs/types.md). A link that gives a right stands in the table of rights with the
 * holders of the linked document's right for an identity (`holdersOf`). Here is who these are, as the collections of
 * the linked documents tell (write/notify/inheritance.ts): a change of the rights on one document is a few rows,
 * however many documents link to it.
 */
import { recall } from '../../../domain/caching/recall.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { typeOfHolders } from '../../../domain/rights.ts';
import { storedType, type TypeName } from '../../../domain/types.ts';
import type { RightsCursor, RightsPage } from '../../rpc/maintenance/rights.ts';
import { ObjectCache } from '../caching/answer-cache.ts';
import { Table, changesOf, LIMIT, type ReadSql, type Select } from '../sql.ts';
import type { DocumentId } from '../../../domain/ids.ts';

/** Links that rights may come through one after the other. */
const LEVELS = 4;

const HELD = `SELECT type || ' ' || id AS document, rights FROM inherited
  WHERE identity IN (SELECT value FROM json_each(?)) ORDER BY id DESC, type ${LIMIT}`;

const HOLDERS = 'SELECT identity, rights FROM inherited WHERE type = ? AND id = ?';

export class InheritedReader<Sql extends ReadSql = ReadSql> extends Table<Sql> {
  /** The types that rights come from, with what their collections have told; null before they have. */
  protected readonly cursors = new Map<TypeName, RightsCursor | null>();
  /** The number of the last change of what is here; null where no rights come through links. */
  changed: number | null = null;
  /** Types that somebody was refused for, because nobody had asked their collections yet. */
  readonly wanted = new Set<TypeName>();
  readonly #identities = new ObjectCache<readonly string[]>('holders', (identities) =>
    identities.reduce((sum, { length }) => sum + length, 0),
  );

  /** To be called once there are tables, and after writes were undone. */
  load(): void {
    this.cursors.clear();
    const known: Select = 'SELECT type, mark, changed FROM inherited_types';
    const rows = this.sql.exec<{ type: string; mark: string | null; changed: number }>(known).toArray();
    for (const { type, mark } of rows)
      this.cursors.set(storedType(type), mark === null ? null : (JSON.parse(mark) as RightsCursor));
    this.changed = rows.length === 0 ? null : Math.max(...rows.map(({ changed }) => changed));
    this.forget();
  }

  protected forget(): void {
    this.#identities.clear();
  }

  get types(): readonly TypeName[] {
    return [...this.cursors.keys()];
  }

  /** Wants the types of the documents whose holders some identities stand for, if they are not known. */
  want(identities: readonly string[]): void {
    for (const type of typesOfHolders(identities)) {
      if (this.cursors.has(type)) continue;
      if (this.cursors.size + this.wanted.size < LIMITS.inheritedTypes) this.wanted.add(type);
    }
  }

  cursorOf(type: TypeName): RightsCursor | null {
    return this.cursors.get(type) ?? null;
  }

  /** The identities of a viewer, with the holders of rights on linked documents that it is one of. */
  withHeld(viewer: readonly string[]): readonly string[] {
    if (this.cursors.size === 0) return viewer;
    return recall(this.#identities, viewer.join('\n'), () => {
      const all = new Set(viewer);
      let last = viewer;
      for (let level = 0; level < LEVELS && last.length > 0; level += 1) {
        last = this.#heldBy(last).filter((identity) => !all.has(identity));
        for (const identity of last) all.add(identity);
      }
      return [...all];
    });
  }

  /** From holders of a right on a linked document to an identity that is one of them, through links in between. */
  wayTo(identity: string, viewer: ReadonlySet<string>, levels = LEVELS): readonly string[] {
    if (viewer.has(identity) || levels === 0) return [identity];
    const [type = '', id = '', right = ''] = identity.split(' ');
    const rows = this.sql.exec<{ identity: string; rights: string }>(HOLDERS, type, id).toArray();
    const holders = rows.filter(({ rights }) => rights.split(' ').includes(right));
    const direct = holders.find((each) => viewer.has(each.identity));
    if (direct !== undefined) return [identity, direct.identity];
    const ways = holders
      .filter((each) => typeOfHolders(each.identity) !== null)
      .map((each) => this.wayTo(each.identity, viewer, levels - 1));
    return [identity, ...(ways.find((way) => viewer.has(way.at(-1) ?? '')) ?? [])];
  }

  #heldBy(identities: readonly string[]): readonly string[] {
    const rows = this.sql.exec<{ document: string; rights: string }>(
      HELD,
      JSON.stringify(identities),
      LIMITS.inheritedDocuments,
    );
    return Array.from(rows, ({ document, rights }) =>
      rights.split(' ').map((right) => `${document} ${right}`),
    ).flat();
  }
}

/** The types of the documents whose holders some identities stand for. */
export function typesOfHolders(identities: Iterable<string>): readonly TypeName[] {
  return Array.from(identities, typeOfHolders).filter((type) => type !== null);
}

const LOSE = `DELETE FROM inherited WHERE type = ? AND id = ?
  AND (identity, rights) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`;
const GAIN = 'INSERT OR IGNORE INTO inherited SELECT ?, ?, value ->> 0, value ->> 1 FROM json_each(?)';

/** To be used inside a transaction. */
export class InheritedWriter extends InheritedReader<SqlStorage> {
  /** From now on the collections of some types are asked. */
  need(types: Iterable<TypeName>): void {
    for (const type of types) {
      if (this.cursors.has(type)) continue;
      this.sql.exec('INSERT OR IGNORE INTO inherited_types (type) VALUES (?)', type);
      this.cursors.set(type, null);
      this.changed ??= 0;
    }
  }

  /** Takes what the collection of a type has told; if rights have changed, `next` gives the number of that change. */
  take(type: TypeName, { anew, documents, cursor }: RightsPage, next: () => number): void {
    let changed = 0;
    if (anew) changed += this.#exec('DELETE FROM inherited WHERE type = ?', type);
    for (const { id, rows } of documents) {
      const rights = new Map<string, string[]>();
      for (const row of rows) {
        const [right = '', ...identity] = row.split(' ');
        const key = identity.join(' ');
        rights.set(key, [...(rights.get(key) ?? []), right]);
      }
      const stored = JSON.stringify(Array.from(rights, ([identity, of]) => [identity, of.join(' ')]));
      changed += this.#exec(LOSE, type, id, stored) + this.#exec(GAIN, type, id, stored);
      this.need(typesOfHolders(rights.keys()));
    }
    this.sql.exec('UPDATE inherited_types SET mark = ? WHERE type = ?', JSON.stringify(cursor), type);
    this.cursors.set(type, cursor);
    if (changed === 0) return;
    this.forget();
    this.changed = next();
    this.sql.exec('UPDATE inherited_types SET changed = ? WHERE type = ?', this.changed, type);
  }

  #exec(statement: string, ...parameters: readonly SqlStorageValue[]): number {
    this.sql.exec(statement, ...parameters);
    return changesOf(this.sql);
  }
}

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

/**
 * What a collection tells those whose documents have rights through links to its own (write/notify/inheritors.ts):
 * documents whose rights have changed, in the order of these changes. Triggers note them from the first such type on,
 * so that types that nobody inherits from pay nothing.
 */
export class InheritorTables extends Table {
  #types: ReadonlySet<TypeName> = new Set();

  /** To be called once there are tables, and after writes were undone. */
  load(): void {
    this.#types = new Set(this.column<string>('SELECT type FROM inheritors').map(storedType));
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
    return this.numberOf('SELECT max(number) FROM rights_changes') ?? 0;
  }

  /** The documents whose rights have changed since a number, some of them. */
  since(number: number, limit: number) {
    return this.sql.exec<{ id: DocumentId; number: number }>(CHANGES, number, limit).toArray();
  }

  /** Those of some rows of rights that hold on the document at a position. */
  holding(seq: number, rows: Iterable<string>): readonly string[] {
    return this.column(GIVEN, JSON.stringify([...rows]), seq);
  }
}
