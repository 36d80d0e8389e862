/** Files of an application whose contents are gone, and contents in the bucket that no collection knows of. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { storedId, type DocumentId } from '../../domain/ids.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { CORE } from '../../domain/types.ts';

/** Rows that are looked at together; milliseconds, and findings, after which no more are. */
const ROWS = 1_000;
const PATIENCE = 10_000;
const ENOUGH = 100;

const LAST = storedId('f'.repeat(24));

/** What is wrong with a document, or a place in it. */
export type Finding = Readonly<Record<'document' | 'pointer' | 'detail', string>>;

/** What is wrong, file by file, in the order of their ids. */
export async function orphansIn(caller: CallContext): Promise<readonly Finding[]> {
  const bucket = caller.environment.FILES;
  const findings: Finding[] = [];
  if (bucket === undefined) return findings;
  const files = collectionOf(caller, CORE.file);
  const keyOf = (id: DocumentId) => keyOfContent(caller.application, id);
  const prefix = keyOf(storedId(''));
  const tell = (id: DocumentId, detail: string) =>
    findings.push({ document: pathOfDocument(CORE.file, id), pointer: '', detail });
  const until = Date.now() + PATIENCE;
  for (let after = storedId(''); ;) {
    // The bucket first: a content has its row before it is there.
    const { objects, truncated } = await bucket.list({ prefix, startAfter: keyOf(after) });
    const ids = objects.map(({ key }) => storedId(key.slice(prefix.length)));
    const last = (truncated && ids.at(-1)) || LAST;
    const rows = await files.calls.contents(after, last, ROWS);
    const end = (rows.length === ROWS && rows.at(-1)?.id) || last;
    const [stored, known] = [new Set(ids), new Set(rows.map(({ id }) => id))];
    for (const { id, isKept } of rows) {
      if (!isKept || stored.has(id) || (await bucket.head(keyOf(id))) !== null) continue;
      if ((await files.read(id, TRUSTED)).state === 'found') tell(id, 'The content is not in the bucket.');
    }
    for (const id of ids) {
      if (known.has(id) || id > end || (await bucket.head(keyOf(id))) === null) continue;
      tell(id, `The bucket has ${keyOf(id)}, which is the content of no file.`);
    }
    if (end === LAST) return findings;
    if (Date.now() > until || findings.length > ENOUGH) {
      tell(end, 'Files after this one were not looked at: there are too many.');
      return findings;
    }
    after = end;
  }
}
