/**
 * Rights come before documents: of one that may not be seen nothing leaves SQLite, so that no time tells a large
 * document from none. What is counted is what statements give.
 */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import { Memory } from '../../src/collection/storage/caching/answer-cache.ts';
import { migrate } from '../../src/collection/storage/migrations.ts';
import { Reads } from '../../src/collection/reads.ts';
import { Transactor } from '../../src/collection/write/transactor.ts';
import { storageOf } from '../support/local-collection.ts';
import { packContent } from '../../src/domain/values/stored.ts';
import type { DocumentId } from '../../src/domain/ids.ts';
import { idOf, typeOf } from '../support/names.ts';

const NO_ID = '0'.repeat(24);
const SIZE = 100_000;
const STRANGER = { viewer: ['*', 'core.user stranger'], rule: null, ifMatch: null };
const OWNER = { viewer: ['core.user owner'], rule: null, ifMatch: null };

let tables: Transactor;
const NOTES = typeOf('notes');

let reads: Reads;
let hidden: DocumentId;
let given = 0;

beforeEach(() => {
  const sql = storageOf(new DatabaseSync(':memory:'), (rows) => {
    given += JSON.stringify(rows).length;
  });
  migrate(sql);
  tables = new Transactor(sql);
  reads = new Reads(tables, new Memory());
  const content = packContent({ attributes: { a: 'x'.repeat(SIZE) }, relationships: {} });
  const made = tables.create(NOTES, { content, owners: OWNER.viewer, ownsItself: false, rule: null }, 1);
  hidden = made.ok ? made.value.document.id : expect.fail();
  // What is kept of the collection is of no document.
  void reads.readMany({ ids: [], viewer: null, rule: null, limit: 10, units: 1e6 });
});

/** Characters that statements give for a call. */
function costOf(call: () => unknown): number {
  given = 0;
  call();
  return given;
}

const change = { kind: 'merge', content: { body: '{"b":1}', relationships: null } } as const;

describe('nothing of a hidden document is read by', () => {
  test.each<[string, (id: DocumentId, by: typeof OWNER | typeof STRANGER) => unknown]>([
    ['a read', (id, by) => reads.read(id, by)],
    [
      'a read of several',
      (id, { viewer }) => reads.readMany({ ids: [id], viewer, rule: null, limit: 10, units: 1e6 }),
    ],
    ['a read of its rights', (id, by) => reads.readAcl(id, by)],
    ['a change', (id, by) => tables.update(NOTES, id, change, by, null)],
    ['a change of its rights', (id, by) => tables.updateAcl(NOTES, id, 'acl', { read: '*' }, by)],
    ['a deletion', (id, by) => tables.remove(NOTES, id, by)],
  ])('%s', (_, call) => {
    expect(costOf(() => call(hidden, STRANGER))).toBeLessThan(100);
    expect(costOf(() => call(idOf(NO_ID), STRANGER))).toBeLessThan(100);
    // The seam does count: who has the right reads it.
    expect(costOf(() => call(hidden, OWNER))).toBeGreaterThan(SIZE);
  });
});
