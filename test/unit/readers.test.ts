/** What only reads cannot write, by its types: the check of the types is the test. */
import { expectTypeOf, test } from 'vitest';
import type { TokensWriter } from '../../src/collection/storage/secondary/tokens.ts';
import type { MembersWriter } from '../../src/collection/storage/secondary/members.ts';
import type { UniqueValuesWriter } from '../../src/collection/storage/secondary/unique-values.ts';
import type { DocumentWriter } from '../../src/collection/storage/documents/document-writer.ts';
import type { CellTable } from '../../src/collection/storage/indexes/cell-table.ts';
import type { RightsWriter } from '../../src/collection/storage/documents/rights.ts';
import type { SettingsWriter } from '../../src/collection/storage/type-settings.ts';
import type { ReadSql, Select } from '../../src/collection/storage/sql.ts';
import { SearchReader } from '../../src/collection/search/reading/reader.ts';

test('a reader takes statements that begin with SELECT, and no others', () => {
  expectTypeOf<ReadSql['exec']>().parameter(0).toEqualTypeOf<Select>();
  expectTypeOf<'SELECT seq FROM documents'>().toExtend<Select>();
  expectTypeOf<'DELETE FROM documents'>().not.toExtend<Select>();
  expectTypeOf<string>().not.toExtend<Select>();
});

test('a search is made from what only reads, and no writer is', () => {
  expectTypeOf(SearchReader).toBeConstructibleWith({} as ReadSql);
  type Writer =
    | typeof CellTable
    | typeof DocumentWriter
    | typeof MembersWriter
    | typeof RightsWriter
    | typeof SettingsWriter
    | typeof TokensWriter
    | typeof UniqueValuesWriter;
  expectTypeOf<ConstructorParameters<Writer>[0]>().toEqualTypeOf<SqlStorage>();
});
