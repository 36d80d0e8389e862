/**
 * `GET …/findings` of an application: what is stored, and would be refused or warned of if written now; lists of
 * several types whose coordinator does not say whether they are committed; files without contents, or the reverse.
 */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { everyOf, typesOf } from '../../collection/rpc/maintenance/applications.ts';
import { pathOfDocument, pathOfType } from '../../domain/addresses/paths.ts';
import { ok, pointerIn } from '../../domain/problems.ts';
import { CORE } from '../../domain/types.ts';
import { findingsOf, type StoredRule } from '../documents/rights/stored-rules.ts';
import { kindOfType } from '../kinds.ts';
import { within } from './transfer/types.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { storedId, type DocumentId } from '../../domain/ids.ts';
import { TRUSTED } from '../../domain/rules.ts';

export const readFindings = within(async (inside) => {
  const rules: StoredRule[] = [];
  for (const type of [CORE.apiKey, CORE.webhook, CORE.typeSettings]) {
    for await (const document of everyOf(inside, type)) {
      const path = pathOfDocument(type, document.id);
      const own = kindOfType(type).rules?.(document, null) ?? [];
      rules.push(...own.map((each) => ({ ...each, pointer: `${path}#${each.pointer}` })));
    }
  }
  const { problems, warnings } = await findingsOf(inside, rules);
  const findings = [...problems, ...warnings].map((each) => {
    const [document = '', pointer = ''] = pointerIn(each).split('#');
    return { document, pointer, detail: each.detail };
  });
  for (const look of [refusedIn, stuckIn, orphansIn]) findings.push(...(await look(inside)));
  return ok({ status: 200, document: { meta: { findings } } });
});

/** What is refused now in definitions of aggregates. */
async function refusedIn(caller: CallContext) {
  const findings: Finding[] = [];
  for await (const definition of everyOf(caller, CORE.aggregate)) {
    const document = pathOfDocument(CORE.aggregate, definition.id);
    const problems = kindOfType(CORE.aggregate).validate?.(definition, true, null) ?? [];
    findings.push(...problems.map((each) => ({ document, pointer: pointerIn(each), detail: each.detail })));
  }
  return findings;
}

/** What is still prepared after its coordinator was asked. */
async function stuckIn(caller: CallContext) {
  const findings: Finding[] = [];
  for (const type of await typesOf(caller)) {
    const prepared = await collectionOf(caller, type).calls.prepared();
    if (prepared === null) continue;
    const since = new Date(prepared.since).toISOString();
    const list = `${prepared.coordinator} does not say whether it is committed`;
    const detail = `Writes have waited since ${since} for a list of several types: ${list}.`;
    findings.push({ document: pathOfType(type), pointer: '', detail });
  }
  return findings;
}

/** Rows that are looked at together; milliseconds, and findings, after which no more are. */
const ROWS = 1_000;
const PATIENCE = 10_000;
const ENOUGH = 100;

const LAST = storedId('f'.repeat(24));

/** What is wrong with a document, or a place in it. */
type Finding = Readonly<Record<'document' | 'pointer' | 'detail', string>>;

/** Files whose contents are gone, and contents in the bucket that no collection knows of, in the order of their ids. */
async function orphansIn(caller: CallContext): Promise<readonly Finding[]> {
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
    for (const { id, isStored } of rows) {
      if (!isStored || stored.has(id) || (await bucket.head(keyOf(id))) !== null) continue;
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
