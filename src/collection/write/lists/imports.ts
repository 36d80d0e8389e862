/**
 * Imports: documents and deletions as they were elsewhere. A batch is one transaction, all or nothing. Documents of types
 * whose writes must reach others (replication.ts) come one at a time.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import { isWrittenAlone } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import type {
  ImportBatch,
  ImportLine,
  ImportResult,
  RefusedLine,
  WholeDocument,
} from '../../rpc/maintenance/transfer.ts';
import type { WriteResult } from '../../rpc/results.ts';
import { stored } from '../../storage/documents/documents.ts';
import type { Replication } from '../notify/replication.ts';
import { otherIsThere } from '../document/restorer.ts';
import type { Transactor } from '../transactor.ts';
import type { Ground } from '../ground.ts';

/** Thrown to undo what was written. It never leaves the object. */
class Refused extends Error {
  readonly lines: readonly RefusedLine[];
  constructor(lines: readonly RefusedLine[]) {
    super('Lines of an import are refused.');
    this.lines = lines;
  }
}

interface Parts extends Ground {
  readonly replication: Replication;
}

export async function takeImport(
  parts: Parts,
  name: CollectionName,
  batch: ImportBatch,
): Promise<Outcome<ImportResult>> {
  const [line] = batch.lines;
  if (isWrittenAlone(name.type) && line !== undefined && 'document' in line && batch.stores) {
    return takeAlone(parts, name, line.at, line.document, batch.checked);
  }
  try {
    return await parts.writes.exclusive(() => ok(restoreAll(parts.tables, name.type, batch, Date.now())));
  } catch (error) {
    if (error instanceof Refused) return ok({ ok: false, refused: error.lines });
    throw error;
  }
}

/** Stores the lines of a batch, or throws `Refused`: the surrounding transaction must then be undone. */
function restoreAll(
  tables: Transactor,
  type: TypeName,
  { lines, stores, checked }: ImportBatch,
  now: number,
): ImportResult {
  const { records } = tables;
  const refused: RefusedLine[] = [];
  let count = 0;
  const made: DocumentId[] = [];
  records.together(() => {
    // No entity tag from elsewhere holds for what is stored here.
    records.begin(highestOf(lines));
    for (const line of lines) {
      const written = take(tables, type, line, checked, now);
      if (!written.ok) refused.push({ at: line.at, problems: written.problems });
      else if (written.value !== null) {
        count += 1;
        if ('document' in line) made.push(line.document.id);
      }
    }
  });
  if (refused.length > 0 || !stores) throw new Refused(refused);
  return { ok: true, stored: count, unchanged: lines.length - count, made };
}

/** Null where it is there already. */
function take(
  tables: Transactor,
  type: TypeName,
  line: ImportLine,
  checked: boolean,
  now: number,
): Outcome<object | true | null> {
  if ('document' in line) return tables.restore(type, line.document, checked, now);
  if ('deletion' in line) return tables.bury(type, line.deletion);
  return tables.remember(type, line.version);
}

async function takeAlone(
  { replication, tables }: Parts,
  name: CollectionName,
  at: number,
  document: WholeDocument,
  checked: boolean,
): Promise<Outcome<ImportResult>> {
  const now = Date.now();
  const { records } = tables;
  let count = 0;
  const work = (): WriteResult => {
    records.begin();
    const restored = tables.restore(name.type, document, checked, now);
    if (!restored.ok) return restored;
    count = restored.value === null ? 0 : 1;
    const left = restored.value ?? records.find(document.id);
    return left === undefined ? otherIsThere() : ok({ document: stored(left), readable: true });
  };
  const units = document.content.body.length;
  const written = await replication.write(name, null, units, work, () => document.id);
  if (!written.ok) return ok({ ok: false, refused: [{ at, problems: written.problems }] });
  return ok({ ok: true, stored: count, unchanged: 1 - count, made: count === 0 ? [] : [document.id] });
}

/** The highest version that tokens name which come with documents; 0 without any. */
function highestOf(lines: ImportBatch['lines']): number {
  const versions = lines.flatMap((line) => ('document' in line ? (line.document.versions ?? []) : []));
  return versions.reduce((highest, version) => Math.max(highest, version), 0);
}
