/**
 * A line of an export: a resource object whose values keep their kinds, as in the extended-json profile, with all that
 * the service knows of the document in `meta`. The text depends on nothing but what is stored, so that what was imported
 * is exported again to the byte.
 */
import type { LazyDocument } from '../../../collection/rpc/packing/documents.ts';
import type { Exported, WholeDeletion, WholeVersion } from '../../../collection/rpc/maintenance/transfer.ts';
import { MEMBERS, presentGrant, type Acl, type AclLevel } from '../../../domain/rights.ts';
import type { TypeName } from '../../../domain/types.ts';
import { wrapText } from '../../../domain/values/present.ts';
import { presentAttributes, textOfLinkage } from '../../documents/answer/resource.ts';
import { showRaw, showRawMembers } from '../../documents/body/raw.ts';
import { presentUser } from '../../documents/versions.ts';
import { kindOfType } from '../../kinds.ts';

export function lineOf(type: TypeName, exported: Exported<LazyDocument>, more = {}): string {
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
export function lineOfDeletion(type: TypeName, { id, readers }: WholeDeletion): string {
  const meta = { deleted: true, readers: readers.includes('*') ? '*' : presentGrant(readers) };
  return `${startOf(type, id)},"meta":${JSON.stringify(meta)}}`;
}

/** How a version came about, and the document before it. */
export function lineOfVersion(
  type: TypeName,
  { id, edit, former }: WholeVersion<Exported<LazyDocument>>,
): string {
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
  const { rawAttributes = [], rawMembers = {} } = kindOfType(type);
  const isPlain = [...rawAttributes, ...Object.keys(rawMembers)].length === 0;
  if (isPlain && document.split !== null) return `${wrapText(document.split.attributes)}}`;
  let shown = document.attributes;
  for (const name of rawAttributes) shown = showRaw(shown, name);
  for (const [name, members] of Object.entries(rawMembers)) shown = showRawMembers(shown, name, members);
  return JSON.stringify(presentAttributes(shown, { wrapped: true }, type));
}

function metaOf({ acl, document, versions }: Exported<LazyDocument>) {
  const { creator = null, created = null, updated = null } = document.provenance ?? {};
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
