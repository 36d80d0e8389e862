/**
 * What stands before a read or a write of one document: the viewer's right on it, then the precondition, then its
 * existence. Rights come first, so that whoever lacks them learns nothing, not even whether there is a document.
 */
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { Right, Viewer } from '../../domain/rights.ts';
import { holds, type IfMatch, type Precondition } from '../rpc/precondition.ts';
import type { DocumentReader, Positioned } from './documents.ts';
import type { Readers } from './readers.ts';
import { forbidden } from '../rpc/refusals.ts';

type Tables = Pick<Readers, 'records' | 'rights'>;

/** The document, if the viewer has the right, the precondition holds, and it exists. */
export function admit(
  { records, rights }: Tables,
  id: string,
  right: Right,
  { viewer, ifMatch }: Precondition,
  versionOf: (document: Positioned) => number = ({ version }) => version,
): Outcome<Positioned> {
  if (!hasRight({ records, rights }, id, right, viewer)) return forbidden();
  return admitTrusted(records.find(id), id, ifMatch, versionOf);
}

/**
 * Whether a viewer has a right on a document or, where there is none, may learn that it has gone. Nothing of the document
 * is read for that, or the time it takes would tell a large one from none.
 */
export function hasRight({ records, rights }: Tables, id: string, right: Right, viewer: Viewer): boolean {
  if (viewer === null) return true;
  const seq = records.seqOf(id);
  return seq === undefined ? knewDeleted(records, id, viewer) : rights.has(viewer, right, seq);
}

/** The same where nobody's rights are asked: for a service, or where there is nothing at all. */
export function admitTrusted(
  document: Positioned | undefined,
  id: string,
  ifMatch: IfMatch,
  versionOf: (document: Positioned) => number = ({ version }) => version,
): Outcome<Positioned> {
  if (!holds(ifMatch, document && versionOf(document))) {
    return fail('precondition-failed', 'The document is not as the If-Match header says.', {
      header: 'If-Match',
    });
  }
  return document === undefined ? fail('document-not-found', `There is no document ${id}.`) : ok(document);
}

/** Whether a viewer may learn that a document has gone: those who could read it may. */
export function knewDeleted(records: DocumentReader, id: string, viewer: Viewer): boolean {
  if (viewer === null) return true;
  const readers = records.deletion(id)?.readers ?? [];
  const identities = new Set(viewer);
  return readers.some((identity) => identities.has(identity));
}

/** Rights on rights are about the ACL, which has a version of its own. */
export function versionFor(right: Right): (document: Positioned) => number {
  return right === 'super-read' || right === 'super-update'
    ? ({ aclVersion }) => aclVersion
    : ({ version }) => version;
}
