/** Who may read a file beside holders of the right on it: whoever may read a document that has it (docs/files.md). */
import { collectionOf } from '../../collection/rpc/client.ts';
import { attachingTypes, hasFile, type Attaching } from '../../collection/rpc/maintenance/applications.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ok } from '../../domain/problems.ts';
import { principalOf, type Principal } from '../../domain/rules.ts';
import { hiddenFields, type ReadPrincipal } from '../../domain/secrets.ts';
import { CORE } from '../../domain/types.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { idAmong } from '../../operators/filter/through.ts';
import { principalsOf } from '../documents/linked/principals.ts';
import type { RequestContext } from '../endpoint.ts';

/** Documents with a file that are looked at, for one whose own address the key permits. */
const LOOKED = 20;

/** Files at most that one request gives to documents without rights on them: each asks the documents that have it. */
const PASSED_ON = 20;

/**
 * Those of some files that a request may not give to documents: else their readers would read what the sender may not.
 */
export async function notToAttach(
  context: RequestContext,
  ids: readonly DocumentId[],
): Promise<ReadonlySet<DocumentId>> {
  const documents = ids.map((id) => [id, giverOf(context, id)] as const);
  const [[, principal] = []] = documents;
  if (principal === undefined) return new Set();
  const same = documents.filter(([, { rule }]) => rule === principal.rule).map(([id]) => id);
  const request = {
    ...principalOf(principal),
    hidden: hiddenFields(CORE.file, principal),
    limit: ids.length,
  };
  const conditions = [encodeText(idAmong(['id'], same))];
  const found = await collectionOf(context, CORE.file).matching({ ...request, conditions });
  const right = new Set(found.ok ? found.value?.flat() : []);
  const without = ids.filter((id) => !right.has(id));
  const passed = await Promise.all(
    without.slice(0, PASSED_ON).map((id) => mayReadByDocument(context, id, giverOf(context, id))),
  );
  return new Set(without.filter((_, at) => passed[at] !== true));
}

/** As whom a request reads a content; null where its key does not let it. */
export function readerOf({ access }: Pick<RequestContext, 'access'>, id: DocumentId): ReadPrincipal | null {
  const reading = access.viewerOf(`${pathOfDocument(CORE.file, id)}/content`);
  return reading === null || reading === 'exhausted' ? null : reading;
}

/** Where the key does not let it, the rights of its user count. */
function giverOf(context: RequestContext, id: DocumentId): ReadPrincipal {
  const { viewer, owner } = context.access;
  return readerOf(context, id) ?? { viewer, rule: null, owner };
}

/** Whether a document lets a file be read on which there is no right. A file that is not there takes as long. */
export async function mayReadByDocument(
  context: RequestContext,
  id: DocumentId,
  { viewer, rule }: Principal,
): Promise<boolean> {
  if (viewer === null) return false;
  const [read, isShown] = await Promise.all([
    // What the rule of the key hides, no document shows.
    collectionOf(context, CORE.file).read(id, { viewer: null, rule }),
    attachingTypes(context, LIMITS.linkedTypes).then(async (types) =>
      (await Promise.all(types.map((each) => showsOne(context, each, id)))).includes(true),
    ),
  ]);
  return read.state === 'found' && isShown;
}

/** Whether the request may read a document of a type that has the file, at its own address. */
async function showsOne(context: RequestContext, attaching: Attaching, id: DocumentId): Promise<boolean> {
  const { type } = attaching;
  const condition = encodeText(hasFile(attaching, id));
  const page = { offset: 0, limit: LOOKED, counted: false } as const;
  for (const principal of principalsOf(context, type) ?? []) {
    const request = {
      condition,
      sort: [],
      page,
      ...principalOf(principal),
      hidden: hiddenFields(type, principal),
    };
    const found = await collectionOf(context, type).list(request, (list) => Promise.resolve(ok(list)));
    const isRead = (document: DocumentId) => {
      const own = context.access.viewerOf(pathOfDocument(type, document));
      return own !== null && own !== 'exhausted' && own.rule === principal.rule;
    };
    if (found.ok && found.value.documents.some((each) => isRead(each.id))) return true;
  }
  return false;
}
