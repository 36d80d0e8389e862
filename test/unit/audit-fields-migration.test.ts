/** Documents that a release stored before the service noted who created them and when. */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { unpackFound } from '../../src/collection/rpc/packing/packing.ts';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Transactor } from '../../src/collection/write/transactor.ts';
import { storedId } from '../../src/domain/ids.ts';
import { readAuditFields } from '../../src/domain/audit-fields.ts';
import { storedType } from '../../src/domain/types.ts';
import { storageOf } from '../support/local-collection.ts';

/** The last migration of a release (0.1.0), and the last before the columns. */
const BEFORE = [7, 8];
const TYPE = storedType('notes');
const ID = storedId('6a0f3c21d1f4a5b6c7d8e9f0');
const TRUSTED = { viewer: null, rule: null, ifMatch: null };

let database: DatabaseSync;
let tables: Transactor;
function storeAsAfter(migration: number): void {
  database = new DatabaseSync(':memory:');
  const sql = storageOf(database);
  migrate(sql, migration);
  database.exec(
    `INSERT INTO documents (id, version, body) VALUES (unhex('${ID}'), 1, jsonb('{"title":"old"}'));
     UPDATE meta SET counter = 1, documents = 1`,
  );
  migrate(sql);
  tables = new Transactor(sql);
  tables.load();
}

function auditFields() {
  const { document } = unpackFound(tables.records.read(ID, true) ?? '');
  return readAuditFields(document.auditFields ?? '');
}

describe.each(BEFORE)('of a document that an earlier release stored (after migration %i)', (migration) => {
  beforeEach(() => {
    storeAsAfter(migration);
  });

  test('nothing is known', () => {
    expect(auditFields()).toEqual({ creator: null, created: null, updated: null });
  });

  test('the next change is known, and nothing else', () => {
    const before = Date.now();
    const change = { kind: 'merge', content: { body: '{"title":"new"}', relationships: null } } as const;
    expect(tables.update(TYPE, ID, change, TRUSTED, null).ok).toBe(true);
    const { updated, ...others } = auditFields();
    expect(others).toEqual({ creator: null, created: null });
    expect(updated).toBeGreaterThanOrEqual(before);
  });

  test('a write with an Idempotency-Key is done once', () => {
    const once = { key: 'k', sender: 's', digests: ['d'] };
    const draft = {
      content: { body: '{"title":"more"}', relationships: null },
      owners: [],
      ownsItself: false,
      rule: null,
    };
    const create = () => tables.create(TYPE, draft, Date.now());
    const first = tables.outcomes.once(once, 0, create);
    expect(first.ok).toBe(true);
    expect(tables.outcomes.once(once, 0, create)).toEqual(first);
    expect(tables.records.count()).toBe(2);
  });

  test('the columns hold nothing', () => {
    expect(database.prepare('SELECT creator, created, updated FROM documents').all()).toEqual([
      { creator: null, created: null, updated: null },
    ]);
  });
});
