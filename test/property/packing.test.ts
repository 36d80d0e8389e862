/** Documents leave a collection packed by SQLite, and are unpacked as they were. */
import fc from '../support/fast-check.ts';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import {
  packDocuments,
  packList,
  packWrite,
  unpackDocuments,
  unpackList,
  unpackRead,
  unpackWrite,
} from '../../src/collection/rpc/packing/packing.ts';
import { fail, ok } from '../../src/domain/problems.ts';
import { storedId } from '../../src/domain/ids.ts';
import { auditFieldsText, readAuditFields } from '../../src/domain/audit-fields.ts';
import { CORE } from '../../src/domain/types.ts';
import { anyValue } from '../support/filter-arbitraries.ts';
import { packContent, type StoredDocument } from '../../src/domain/values/stored.ts';
import { packedAs } from '../../src/collection/storage/documents/documents.ts';
import { idOf } from '../support/names.ts';
import { scaled } from '../support/long.ts';

const database = new DatabaseSync(':memory:');
database.exec(
  `CREATE TABLE documents (id BLOB, version INTEGER, acl_version INTEGER, relationships TEXT, body BLOB NOT NULL,
   creator TEXT, created INTEGER, updated INTEGER)`,
);
const insert = database.prepare('INSERT INTO documents VALUES (unhex(?), ?, ?, ?, jsonb(?), ?, ?, ?)');
const select = [false, true].map((auditFields) =>
  database.prepare(`SELECT ${packedAs(auditFields)} AS packed FROM documents ORDER BY rowid`),
);

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

const time = fc.option(fc.nat({ max: 8.64e15 }));
const auditFields = fc.record({
  creator: fc.option(
    fc.record({
      type: fc.constantFrom(CORE.user, CORE.externalUser),
      id: fc.stringMatching(/^[0-9a-f]{24}$/).map(storedId),
    }),
  ),
  created: time,
  updated: time,
});

test('what SQLite packs is unpacked as it was stored, alone, in a page and behind a counter', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(document, auditFields), { maxLength: 4 }), fc.nat(), (kept, counter) => {
      database.exec('DELETE FROM documents');
      for (const [{ id, version, aclVersion, relationships, body }, { creator, created, updated }] of kept)
        insert.run(
          id,
          version,
          aclVersion,
          relationships,
          body,
          creator && `${creator.type} ${creator.id}`,
          created,
          updated,
        );
      const [packed = [], known = []] = select.map((each) => each.all().map((row) => String(row['packed'])));
      const documents = kept.map(([each]) => each);
      expect(unpackDocuments(packDocuments(known))).toEqual(
        kept.map(([each, about]) => ({ ...each, auditFields: auditFieldsText(about) })),
      );
      expect(kept.map(([, about]) => readAuditFields(auditFieldsText(about)))).toEqual(
        kept.map(([, about]) => about),
      );
      expect(unpackDocuments(packDocuments(packed))).toEqual(documents);
      const plan = {
        way: 'everything',
        used: ['a\u001e'],
        scan: false,
        rows: 1,
        visited: 2,
        decoded: 3,
      } as const;
      const list = { counter, total: 5, more: true, next: 'x', plan, documents: packDocuments(packed) };
      expect(unpackList(packList(ok(list)))).toEqual(ok(list));
      for (const [at, each] of packed.entries())
        expect(unpackRead(`${counter}\u001e${each}`)).toEqual({
          state: 'found',
          counter,
          document: documents[at],
        });
    }),
    { numRuns: scaled(500) },
  );
});

test('what was written is unpacked as it was, with what is known of it or without', () => {
  const known = fc.option(auditFields.map(auditFieldsText), { nil: undefined });
  fc.assert(
    fc.property(document, known, fc.boolean(), (stored, text, readable) => {
      const written = ok({
        document: { ...stored, ...(text !== undefined && { auditFields: text }) },
        readable,
      });
      expect(unpackWrite(packWrite(written))).toEqual(written);
    }),
    { numRuns: scaled(500) },
  );
});

test('what is no document is handed on as it is', () => {
  const refused = fail('invalid-filter', 'No.');
  expect(unpackWrite(packWrite(refused))).toEqual(refused);
  expect(unpackList(packList(refused))).toEqual(refused);
  expect(unpackRead({ state: 'absent' })).toEqual({ state: 'absent' });
});
