/** Documents leave a collection packed by SQLite, and are unpacked as they were. */
import fc from 'fast-check';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import {
  packDocuments,
  packFound,
  packList,
  unpackDocuments,
  unpackList,
  unpackRead,
} from '../../src/collection/rpc/packing.ts';
import { fail, ok } from '../../src/domain/problems.ts';
import { anyValue } from '../support/filter-arbitraries.ts';
import { packContent, type StoredDocument } from '../../src/collection/rpc/content.ts';
import { PACKED } from '../../src/collection/storage/documents.ts';
import { idOf } from '../support/names.ts';

const database = new DatabaseSync(':memory:');
database.exec(
  `CREATE TABLE documents (id BLOB, version INTEGER, acl_version INTEGER, relationships TEXT, body BLOB NOT NULL)`,
);
const insert = database.prepare('INSERT INTO documents VALUES (unhex(?), ?, ?, ?, jsonb(?))');
const select = database.prepare(`SELECT ${PACKED} AS packed FROM documents ORDER BY rowid`);

/** Names and texts with all that could be taken for what parts the members of a packed document. */
const text = fc.string({
  unit: fc.constantFrom('a', ' ', '"', '\\', '\u001e', '\u001f', '\n', '\0', 'é', '😀'),
});
const document: fc.Arbitrary<StoredDocument> = fc
  .record({
    id: fc.stringMatching(/^[0-9a-f]{24}$/).map(idOf),
    version: fc.nat(),
    aclVersion: fc.nat(),
    attributes: fc.dictionary(text, fc.oneof(text, anyValue(2))),
    names: fc.uniqueArray(text, { maxLength: 2 }),
  })
  .map(({ id, version, aclVersion, attributes, names }) => {
    const relationships = Object.fromEntries(names.map((name) => [name, null]));
    const own = Object.entries(attributes).filter(([name]) => !Object.hasOwn(relationships, name));
    return {
      id,
      version,
      aclVersion,
      ...packContent({ attributes: Object.fromEntries(own), relationships }),
    };
  });

test('what SQLite packs is unpacked as it was stored, alone, in a page and behind a counter', () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 4 }), fc.nat(), (documents, counter) => {
      database.exec('DELETE FROM documents');
      for (const { id, version, aclVersion, relationships, body } of documents)
        insert.run(id, version, aclVersion, relationships, body);
      const packed = select.all().map((row) => String(row['packed']));
      expect(unpackDocuments(packDocuments(packed))).toEqual(documents);
      const plan = {
        way: 'everything',
        used: ['a\u001e'],
        scan: false,
        rows: 1,
        visited: 2,
        decoded: 3,
      } as const;
      const list = { counter, total: 5, next: 'x', plan, documents: packDocuments(packed) };
      expect(unpackList(packList(ok(list)))).toEqual(ok(list));
      for (const [at, each] of packed.entries())
        expect(unpackRead(packFound(counter, each))).toEqual({
          state: 'found',
          counter,
          document: documents[at],
        });
    }),
    { numRuns: 500 },
  );
});

test('what is no document is handed on as it is', () => {
  const refused = fail('invalid-filter', 'No.');
  expect(unpackList(packList(refused))).toEqual(refused);
  expect(unpackRead({ state: 'absent', counter: 3 })).toEqual({ state: 'absent', counter: 3 });
});
