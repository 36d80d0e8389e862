/** Documents that an import brings, beside those that are there. */
import { secondsOf, type DocumentId } from '../../../domain/ids.ts';
import { fail, type Outcome } from '../../../domain/problems.ts';
import type { Acl } from '../../../domain/rights.ts';
import { provenanceText } from '../../../domain/provenance.ts';
import { decodeText, encodeText } from '../../../domain/values/codec.ts';
import type { WholeDocument } from '../../rpc/maintenance/transfer.ts';
import type { Positioned } from '../../storage/documents/documents.ts';
import { rowsOfAcl } from '../../storage/documents/rights.ts';

/** Whether an id is one that the service could have made by now, after the last one that it has made. */
export function follows(id: DocumentId, last: DocumentId | null, now: number): boolean {
  return (last === null || id > last) && secondsOf(id) * 1000 <= now;
}

/** Whether what is stored is what an import brings, as far as that says. */
export function isSame(found: Positioned, acl: Acl, whole: WholeDocument): boolean {
  const { content, provenance } = whole;
  return (
    isSameBody(found.body, content.body) &&
    found.relationships === content.relationships &&
    (provenance === undefined || found.provenance.trimEnd() === provenanceText(provenance).trimEnd()) &&
    rowsOf(acl) === rowsOf(whole.acl)
  );
}

/** A former release may have written the same value in another way. */
function isSameBody(one: string, other: string): boolean {
  return one === other || encodeText(decodeText(one)) === other;
}

function rowsOf(acl: Acl): string {
  return [...rowsOfAcl(acl)].sort().join();
}

export function otherIsThere(): Outcome<never> {
  return fail('id-conflict', 'There is another document with this id.', { pointer: '/id' });
}

export function wasDeleted(): Outcome<never> {
  return fail('id-conflict', 'A document with this id was deleted here.', { pointer: '/id' });
}
