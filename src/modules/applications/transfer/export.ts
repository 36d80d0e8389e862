/** `GET …/documents/{type}` of an application: one page of an export of the type, as lines of JSON. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import type { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import type { Exported, WholeDeletion, WholeVersion } from '../../../collection/rpc/maintenance/transfer.ts';
import { pathOfDocument } from '../../../domain/addresses/paths.ts';
import { fail, ok } from '../../../domain/problems.ts';
import { CORE, type TypeName } from '../../../domain/types.ts';
import { isExported, isHolderType, typeInfo } from '../../../domain/types/facts.ts';
import { EVERYONE, MEMBERS, presentGrant, type Acl, type AclLevel } from '../../../domain/rights.ts';
import type { Handler } from '../../endpoint.ts';
import { applicationInside } from './types.ts';
import { wrapText } from '../../../domain/values/present.ts';
import { presentAttributes, textOfLinkage } from '../../documents/answer/resource.ts';
import { openedRaw } from '../../documents/body/raw.ts';
import { presentUser } from '../../documents/versions.ts';
import { kindOfType } from '../../kinds.ts';

export const exportDocuments: Handler = async (context) => {
  const { type, id } = context.parameters;
  const { page, single, unpaged } = context.query;
  const [tokens, history] = [single.has('tokens'), single.has('history')];
  if (!tokens && !isExported(type)) return fail('not-found', `There is no endpoint ${context.path}.`);
  if (page.style !== 'cursor') {
    const detail = 'An export is read with page[after], empty for the first page, and page[size].';
    return fail('invalid-parameter', detail, { parameter: 'page[after]' });
  }
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const read = await linesOfPage(inside.value, type, page.after, page.size, { tokens, history });
  if (!read.ok) return read;
  const { text, next } = read.value;
  const path = `${pathOfDocument(CORE.application, id)}/documents/${type}`;
  const more = unpaged === '' ? '' : `&${unpaged}`;
  const following =
    next === null
      ? null
      : `${context.base}${path}?page%5Bafter%5D=${next}&page%5Bsize%5D=${page.size}${more}`;
  return ok({ status: 200, lines: { text, next: following }, confidential: true });
};

/**
 * A page of a type as lines, and what asks for the next one; null after the last. The caller is inside the application.
 * `tokens`: with what lets tokens stand elsewhere. `history`: with former versions.
 */
export async function linesOfPage(
  caller: CallContext,
  type: TypeName,
  after: string | null,
  size: number,
  { tokens = false, history = false }: { readonly tokens?: boolean; readonly history?: boolean },
) {
  const read = await collectionOf(caller, type).exportPage(after, size, {
    living: tokens && isHolderType(type),
    history,
  });
  if (!read.ok) return read;
  const { versions, documents, deletions, next } = read.value;
  const ended = await endedAmong(caller, type, documents);
  let text = versions.map((version) => `${lineOfVersion(type, version)}\n`).join('');
  for (const each of documents) {
    const { acl, document } = each;
    const { read = [] } = acl;
    const deletion = { id: document.id, readers: read === EVERYONE ? [EVERYONE] : read };
    const isOver = ended.has(each.document.id);
    text += `${isOver ? lineOfDeletion(type, deletion) : lineOf(type, each)}\n`;
  }
  for (const deletion of deletions) text += `${lineOfDeletion(type, deletion)}\n`;
  return ok({ text, lines: versions.length + documents.length + deletions.length, next });
}

/** Documents of tokens that have ended: a logout ends the token first, and may be cut off then. */
async function endedAmong(
  caller: CallContext,
  type: TypeName,
  documents: readonly Exported<LazyDocument>[],
): Promise<ReadonlySet<string>> {
  const { tokensOf } = typeInfo(type);
  if (tokensOf === undefined) return new Set();
  return new Set(
    await collectionOf(caller, tokensOf).calls.ended(documents.map(({ document }) => document.id)),
  );
}

/**
 * A resource object whose values keep their kinds, as in the extended-json profile, with all that the service knows of
 * it in `meta`. It depends on nothing but what is stored: what was imported is exported again to the byte.
 */
function lineOf(type: TypeName, exported: Exported<LazyDocument>, more = {}): string {
  const { document } = exported;
  const { relationships } = document;
  const attributes = attributesOf(type, document);
  let line = startOf(type, document.id);
  if (attributes !== '{}') line += `,"attributes":${attributes}`;
  const linkages = Object.entries(relationships).map(
    ([name, linkage]) => `${JSON.stringify(name)}:{"data":${textOfLinkage(linkage)}}`,
  );
  if (linkages.length > 0) line += `,"relationships":{${linkages.join(',')}}`;
  return `${line},"meta":${JSON.stringify({ ...metaOf(exported), ...more })}}`;
}

/** The line of a document that was deleted: answers still tell those who could read it. */
function lineOfDeletion(type: TypeName, { id, readers }: WholeDeletion): string {
  const meta = { deleted: true, readers: readers.includes('*') ? '*' : presentGrant(readers) };
  return `${startOf(type, id)},"meta":${JSON.stringify(meta)}}`;
}

/** How a version came about, and the document before it. */
function lineOfVersion(type: TypeName, { id, edit, former }: WholeVersion<Exported<LazyDocument>>): string {
  const { n: number, change, at, user, key } = edit;
  const meta = { history: { number, change, at: timeOf(at), user: presentUser(user), key } };
  return former === null
    ? `${startOf(type, id)},"meta":${JSON.stringify(meta)}}`
    : lineOf(type, former, meta);
}

function startOf(type: TypeName, id: string): string {
  return `{"type":"${type}","id":"${id}"`;
}

/** Attributes as text, most often without making their values. */
function attributesOf(type: TypeName, document: LazyDocument): string {
  const { raw } = kindOfType(type);
  if (raw === undefined && document.split !== null) return `${wrapText(document.split.attributes)}}`;
  const shown = openedRaw(document.attributes, raw ?? {});
  return JSON.stringify(presentAttributes(shown, { wrapped: true }, type));
}

function metaOf({ acl, document, versions }: Exported<LazyDocument>) {
  const { creator = null, created = null, updated = null } = document.auditFields ?? {};
  const own = presentGrants(acl, 'acl');
  const superAcl = presentGrants(acl, 'super');
  return {
    created: timeOf(created),
    updated: timeOf(updated),
    creator: creator && { type: creator.type, id: creator.id },
    ...(Object.keys(own).length > 0 && { acl: own }),
    ...(Object.keys(superAcl).length > 0 && { 'acl.acl': superAcl }),
    ...(versions !== undefined && { versions }),
  };
}

function timeOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** The rights of a level that somebody has. */
function presentGrants(acl: Acl, level: AclLevel) {
  return Object.fromEntries(
    Object.entries(MEMBERS[level]).flatMap(([member, right]) => {
      const grant = acl[right];
      return grant === undefined || grant.length === 0 ? [] : [[member, presentGrant(grant)]];
    }),
  );
}
