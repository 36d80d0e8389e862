/**
 * The checks before a read or a write of one document: the viewer's right on it, then the precondition, then its
 * existence. Rights come first, so that a viewer without them learns nothing, not even whether the document exists.
 */
import type { DocumentId } from '../../../domain/ids.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import type { Right, Viewer } from '../../../domain/rights.ts';
import type { Principal } from '../../../domain/rules.ts';
import { holds, type Conditions, type IfMatch, type Precondition } from '../../rpc/writes/operations.ts';
import type { DocumentReader, Positioned } from './documents.ts';
import type { Readers } from './readers.ts';
import { forbidden, notAs } from '../../rpc/refusals.ts';
import type { Policy } from '../../rpc/rules.ts';

/** What is looked at, and who says what rules show. */
type Tables = Pick<Readers, 'records' | 'rights'> & { readonly policy: Policy };

/** The document, if the viewer has the right, the precondition holds, and it exists. */
export function allow(
  { records, rights, policy }: Tables,
  id: DocumentId,
  right: Right,
  { viewer, rule, ifMatch, ifNoneMatch = null }: Precondition,
  versionOf: (document: Positioned) => number = ({ version }) => version,
): Outcome<Positioned> {
  if (!hasRight({ records, rights }, id, right, viewer)) return forbidden(right, { viewer });
  const document = records.find(id);
  if (isUnseen(policy, { viewer, rule }, document)) return forbidden(right, { viewer });
  const known = { ifMatch: knownTo(records, ifMatch), ifNoneMatch: knownTo(records, ifNoneMatch) };
  return allowTrusted(document, id, known, versionOf);
}

export function asIfNoneMatch() {
  const detail = 'The document is as the If-None-Match header says.';
  return fail('precondition-failed', detail, { header: 'If-None-Match' });
}

/** The precondition without the counters of a past that is gone. */
function knownTo(records: DocumentReader, ifMatch: IfMatch): IfMatch {
  return ifMatch === null || ifMatch === 'any' ? ifMatch : ifMatch.filter((each) => records.knows(each));
}

/** Whether a deleted document meets a precondition: of a read that told of the deletion. `*` needs a document. */
export function isStillDeleted(records: DocumentReader, deletion: number, ifMatch: IfMatch): boolean {
  return ifMatch !== 'any' && holds(knownTo(records, ifMatch), deletion);
}

/**
 * Whether a viewer has a right on a document or, if there is no document, may learn that it was deleted. This does not
 * read the document, or the time would reveal its size.
 */
export function hasRight(
  { records, rights }: Omit<Tables, 'policy'>,
  id: DocumentId,
  right: Right,
  viewer: Viewer,
): boolean {
  if (viewer === null) return true;
  const seq = records.seqOf(id);
  return seq === undefined
    ? knewDeleted(records, id, rights.identitiesOf(viewer))
    : rights.has(viewer, right, seq);
}

/** Whether the rule of a permission hides a document, or that there is none. */
function isUnseen(policy: Policy, principal: Principal, document: Positioned | undefined): boolean {
  const sees = policy.visibilityOf(principal);
  return sees !== null && (document === undefined || !sees(document));
}

/** The same when no rights are checked: for a service, or for an unused type. */
export function allowTrusted(
  document: Positioned | undefined,
  id: DocumentId,
  { ifMatch, ifNoneMatch = null }: Conditions,
  versionOf: (document: Positioned) => number = ({ version }) => version,
): Outcome<Positioned> {
  const version = document && versionOf(document);
  if (!holds(ifMatch, version)) return notAs('If-Match');
  if (ifNoneMatch !== null && holds(ifNoneMatch, version)) return asIfNoneMatch();
  return document === undefined ? fail('document-not-found', `There is no document ${id}.`) : ok(document);
}

/** Whether a viewer may learn that a document was deleted: those who could read it may. */
function knewDeleted(records: DocumentReader, id: DocumentId, viewer: readonly string[]): boolean {
  const readers = records.deletion(id)?.readers ?? [];
  const identities = new Set(viewer);
  return readers.some((identity) => identities.has(identity));
}

/** Rights on rights concern the ACL, which has its own version. */
export function versionFor(right: Right): (document: Positioned) => number {
  return right === 'super-read' || right === 'super-update'
    ? ({ aclVersion }) => aclVersion
    : ({ version }) => version;
}
