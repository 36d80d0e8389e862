/**
 * Imports: documents and deletions as they were elsewhere. A batch is one transaction, all or none. Documents of types
 * whose writes must reach others (replication.ts) come one at a time.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { isWrittenAlone } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { ImportBatch, ImportResult, RefusedLine } from '../../rpc/maintenance/transfer.ts';
import type { Replication } from '../notify/replication.ts';
import type { Transactor } from '../transactor.ts';
import type { Ground } from '../ground.ts';

const ANYHOW = { ...TRUSTED, ifMatch: null };

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
  const now = Date.now();
  const work = () => ok(restoreAll(parts.tables, name.type, batch, now));
  try {
    if (!isWrittenAlone(name.type) || line === undefined || !('document' in line) || !batch.stores)
      return await parts.writes.exclusive(work);
    const { document, replaces = null } = line;
    const written = await parts.replication.write(
      name,
      replaces,
      document.content.body.length,
      work,
      () => document.id,
    );
    return written.ok ? written : ok({ ok: false, refused: [{ at: line.at, problems: written.problems }] });
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
      const written =
        'document' in line
          ? line.replaces === undefined
            ? tables.restore(type, line.document, checked, now)
            : tables.update(
                type,
                line.replaces,
                { kind: 'merge', content: line.document.content },
                ANYHOW,
                null,
              )
          : 'deletion' in line
            ? tables.bury(type, line.deletion)
            : tables.remember(type, line.version);
      if (!written.ok) refused.push({ at: line.at, problems: written.problems });
      // Null where it is there already.
      else if (written.value !== null) {
        count += 1;
        if ('document' in line && line.replaces === undefined) made.push(line.document.id);
      }
    }
  });
  if (refused.length > 0 || !stores) throw new Refused(refused);
  return { ok: true, stored: count, made };
}

/** The highest version that tokens name which come with documents; 0 without any. */
function highestOf(lines: ImportBatch['lines']): number {
  const versions = lines.flatMap((line) => ('document' in line ? (line.document.versions ?? []) : []));
  return versions.reduce((highest, version) => Math.max(highest, version), 0);
}
