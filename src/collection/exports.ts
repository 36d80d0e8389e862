/**
 * Exports of a collection, page by page: versions if those are asked for, documents in the order of creation, then
 * deletions in the order of ids, all as they were when the first page was read: a snapshot.
 */
import { typeOfHolders } from '../domain/rights.ts';
import { idOfSecond, isId, type DocumentId } from '../domain/ids.ts';
import { LIMITS } from '../domain/limits.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import { TOKEN_OVER } from '../domain/types/facts.ts';
import { idOfExported, type ExportRequest, type ExportPage } from './rpc/maintenance/transfer.ts';
import { ringBy } from './storage/alarm.ts';
import { randomHex } from './storage/ids.ts';
import type { Ground } from './write/ground.ts';
import type { Transactor } from './write/transactor.ts';

/** Milliseconds after the end of a snapshot when the alarm removes what it has left. */
const LATER = 1_000;

/** The snapshot, then the last position read, `d` and the id of a deletion, or `v` and the row of a version. */
const CURSOR = /^([0-9a-f]{16})-(?:(\d{1,15})|d([0-9a-f]+)?|v(\d{1,15}))$/;

interface ExportCursor {
  readonly snapshot: string;
  /** Null once all documents are read. */
  readonly position: number | null;
  /** The last deletion; null before the first. */
  readonly deletion: DocumentId | null;
  /** The row of the last version; null where no more are asked for. */
  readonly edit: number | null;
}

interface Request extends ExportRequest {
  /** Whether the documents are tokens themselves. */
  readonly areTokens: boolean;
}

/** The page after a cursor, null for the first, of at most so many rows. To be called only when there are tables. */
export async function exportPage(
  ground: Ground,
  text: string | null,
  limit: number,
  request: Request,
): Promise<Outcome<ExportPage>> {
  const cursor = text === null ? null : readCursor(text);
  if (cursor === undefined) {
    return fail('invalid-parameter', 'A page of an export begins where another has ended.', {
      parameter: 'page[after]',
    });
  }
  const page = ground.storage.transactionSync(() => readPage(ground.tables, cursor, limit, request));
  // What is kept goes with the alarm, also when nobody reads on.
  if (page.ok) await remindOfExports(ground);
  return page;
}

function readPage(
  { edits: log, tokens, versions: states }: Transactor,
  cursor: ExportCursor | null,
  limit: number,
  { areTokens, history, living }: Request,
): Outcome<ExportPage> {
  const now = Date.now();
  const snapshot = cursor === null ? states.now() : states.resume(cursor.snapshot, now);
  if (snapshot === undefined) {
    const minutes = LIMITS.exportPatience / 60_000;
    const detail = `The moment of the export is not kept any more: begin again, and read on within ${minutes} minutes.`;
    return fail('export-ended', detail, { parameter: 'page[after]' });
  }
  const id = snapshot.id ?? randomHex();
  const begun = history && cursor === null ? 0 : (cursor?.edit ?? null);
  const edits = begun === null ? [] : log.exported(snapshot, begun, limit, LIMITS.exportPage);
  const edit = edits.at(-1);
  if (edit !== undefined) {
    if (snapshot.id === null) states.keep(snapshot, id, now);
    const versions = edits.map(({ id, former, ...edit }) => ({ id, edit, former }));
    return ok({ versions, documents: [], deletions: [], next: `${id}-v${edit.row}` });
  }
  const from = cursor === null ? 0 : cursor.position;
  const documents = from === null ? [] : states.documents(snapshot, from, limit, LIMITS.exportPage);
  const position = documents.at(-1)?.seq ?? from;
  const isFull = position !== null && documents.length > 0 && states.hasAfter(snapshot, position);
  const room = limit - documents.length;
  // The end of a token that is over by itself is of no use to anybody.
  const oldest = areTokens ? idOfSecond(Math.floor(now / 1000) - TOKEN_OVER) : null;
  const first = cursor?.deletion ?? oldest;
  const deletions = isFull || room === 0 ? [] : states.deletions(snapshot, first, room);
  const last = deletions.at(-1)?.id ?? first;
  const more = isFull || states.deletions(snapshot, last, 1).length > 0;
  if (more && snapshot.id === null) states.keep(snapshot, id, now);
  if (!more && snapshot.id !== null) states.linger(snapshot.id, now);
  const ids = documents.map(({ packed }) => idOfExported(packed));
  return ok({
    ...(living && { living: tokens.living(ids, snapshot.counter) }),
    versions: [],
    documents: documents.map(({ packed }) => packed),
    deletions: deletions.map(({ id, readers }) => ({
      id,
      // Rights that came through links are not those of an identity.
      readers: (JSON.parse(readers ?? '[]') as string[]).filter((each) => typeOfHolders(each) === null),
    })),
    next: more ? `${id}-${isFull ? String(position) : `d${last ?? ''}`}` : null,
  });
}

/** Sets the alarm for the end of the next snapshot. */
export async function remindOfExports({ storage, tables }: Ground): Promise<void> {
  const next = tables.versions.next();
  if (next !== null) await ringBy(storage, next + LATER);
}

function readCursor(text: string): ExportCursor | undefined {
  const [, snapshot, position, deletion, edit] = CURSOR.exec(text) ?? [];
  if (snapshot === undefined) return undefined;
  const cursor = { snapshot, position: null, deletion: null, edit: null };
  if (edit !== undefined) return { ...cursor, position: 0, edit: Number(edit) };
  if (position !== undefined) return { ...cursor, position: Number(position) };
  if (deletion === undefined) return cursor;
  return isId(deletion) ? { ...cursor, deletion } : undefined;
}
