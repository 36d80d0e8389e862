/** Documents that are there again, with their ids and their rights: from an import, or after their deletion. */
import { type DocumentId, secondsOf } from '../../../domain/ids.ts';
import type { AuditFields } from '../../../domain/documents.ts';
import { fail, failed, ok, type Outcome } from '../../../domain/problems.ts';
import { auditFieldsText, readAuditFields } from '../../../domain/audit-fields.ts';
import type { Acl, Viewer } from '../../../domain/rights.ts';
import { shows, type Rule } from '../../../domain/rules.ts';
import { isToken, typeInfo } from '../../../domain/types/facts.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { StoredContent } from '../../../domain/values/stored.ts';
import type { EditKind } from '../../rpc/history.ts';
import type { WholeDocument, WholeVersion } from '../../rpc/maintenance/transfer.ts';
import type { Precondition } from '../../rpc/writes/operations.ts';
import { changeRefused, createForbidden, forbidden, ruleViolated, seenChanged } from '../../rpc/refusals.ts';
import type { WriteResult } from '../../rpc/results.ts';
import { disclosesOnlySeen, type Policy } from '../../rpc/rules.ts';
import { allowTrusted, asIfNoneMatch, isStillDeleted } from '../../storage/documents/checks.ts';
import { stored, type Positioned } from '../../storage/documents/documents.ts';
import { aclOf, rowsOfAcl } from '../../storage/documents/rights.ts';
import { withinSize } from './change.ts';
import { sizeIn } from './contents.ts';
import { namesIn } from '../notify/audits.ts';
import type { Written } from '../rules/type-rules.ts';
import { seenOfKey, seenOfType, type Disclosure } from '../rules/violations.ts';
import { Tables } from '../tables.ts';
import { decodeText, encodeText } from '../../../domain/values/codec.ts';

export class Restorer extends Tables {
  /** Stores a document as it was elsewhere; null where it is there already. `checked`: whether schemas must hold. */
  restore(type: TypeName, whole: WholeDocument, checked: boolean, now: number): Outcome<Positioned | null> {
    const { id, content, versions = [] } = whole;
    const found = this.records.find(id);
    if (found !== undefined) {
      if (!isSame(found, this.rights.of(found.seq), whole)) return otherIsThere();
      // A number of this collection may be that of a former version, whose tokens have ended.
      const strange = versions.filter((version) => !this.records.knows(version));
      this.tokens.carry(id, strange, found.version);
      return ok(null);
    }
    // A token that has ended here has ended.
    if (this.records.deletion(id) !== undefined) return isToken(type) ? ok(null) : wasDeleted();
    const fits = withinSize(content);
    if (!fits.ok) return fits;
    const last = this.records.last();
    const place = follows(id, last.id, now) ? 'next' : 'chosen';
    const put = this.#put(type, whole, place, checked, now);
    if (put.ok) {
      this.tokens.carry(id, versions, put.value.version);
      this.edits.adopt(id, put.value.version, false);
    }
    return put;
  }

  /**
   * Stores a version that a document had elsewhere, before the document or its deletion: what is there, or was, has a
   * history of its own. Null where the version is there, or not taken.
   */
  remember(type: TypeName, version: WholeVersion): Outcome<true | null> {
    const { id, edit } = version;
    if (this.edits.retention === null) {
      const detail = `Documents of type ${type} have no history here: leave their versions out, or give the type one.`;
      return fail('invalid-body', detail, { pointer: '/meta/history' });
    }
    if (this.records.seqOf(id) !== undefined || this.records.deletion(id) !== undefined) return ok(null);
    const [last] = this.edits.before(id, Number.MAX_SAFE_INTEGER, 1);
    if (last !== undefined && last.n >= edit.n) return ok(null);
    this.edits.take(version, this.records.nextVersion());
    return ok(true);
  }

  /** Adds a document with the id and the rights that it has already. */
  #put(
    type: TypeName,
    { id, acl, content, auditFields }: WholeDocument,
    place: 'next' | 'chosen' | number,
    checked: boolean,
    now: number,
    change?: EditKind,
  ): Outcome<Positioned> {
    const valid = checked ? this.schemas.check(content, null) : ok(null);
    if (!valid.ok) return valid;
    const taken = this.conflict(type, id, null, content);
    if (!taken.ok) return taken;
    const known = auditFields ?? { creator: null, created: now, updated: now };
    if (typeInfo(type).hasContent === true) this.contents.reserve(id, sizeIn(content), null, known.creator);
    return ok(this.insert(type, { id, content, acl, known }, place, change));
  }

  /** Adds a document that nothing refuses any more. */
  protected insert(
    type: TypeName,
    {
      id,
      content,
      acl,
      known,
    }: Pick<WholeDocument, 'id' | 'content' | 'acl'> & { readonly known: AuditFields },
    place: 'next' | 'chosen' | number,
    change?: EditKind,
  ): Positioned {
    const version = this.records.nextVersion();
    this.edits.note(id, version, change ?? 'create', change === undefined);
    const inserted = { id, version, ...content, aclVersion: 0, auditFields: auditFieldsText(known) };
    const document = { ...inserted, seq: this.records.insert(inserted, known, acl, place) };
    this.index(type, document, null);
    this.rights.add(document.seq, acl);
    return document;
  }

  /** A deleted document that is kept: its deletion, and what it was then. */
  #endOf(id: DocumentId) {
    const deletion = this.records.deletion(id);
    const last = deletion && this.versions.endedBy(id, deletion.version);
    return last && { deletion, last };
  }

  /** Whether a viewer could delete a document at its end, which is kept. */
  couldDelete(id: DocumentId, viewer: Viewer): boolean {
    const last = this.#endOf(id)?.last;
    if (viewer === null || last === undefined) return last !== undefined;
    const own = this.constraints.rowsOf({ ...last, id, version: 0, aclVersion: 0 });
    const rows = new Set([...rowsOfAcl(aclOf(last.acl)), ...own]);
    return this.rights.identitiesOf(viewer).some((identity) => rows.has(`delete ${identity}`));
  }

  /**
   * Brings a deleted document back with one of its contents, and its rights at the end: whoever could delete it may.
   * Who could not read it (`isRead`), or not all of it, is not told why it does not come.
   */
  revive(
    type: TypeName,
    id: DocumentId,
    { former, isRead }: { readonly former: StoredContent; readonly isRead: boolean },
    { viewer, rule, reader, ifMatch, ifNoneMatch = null }: Precondition,
    now: number,
  ): WriteResult {
    const end = this.#endOf(id);
    if (end === undefined || !isStillDeleted(this.records, end.deletion.version, ifMatch)) {
      const none = allowTrusted(undefined, id, { ifMatch });
      return none.ok ? changeRefused() : none;
    }
    const { deletion, last } = end;
    if (!this.couldDelete(id, viewer)) return forbidden('delete', { viewer });
    if (ifNoneMatch !== null && isStillDeleted(this.records, deletion.version, ifNoneMatch))
      return asIfNoneMatch();
    if (!this.constraints.mayCreate(viewer, former)) return createForbidden();
    const known = { ...readAuditFields(last.auditFields), updated: now };
    const auditFields = auditFieldsText(known);
    const { policy } = this;
    const before = { ...last, id };
    const write = { type, before, now };
    const rules = [rule, reader?.rule ?? null];
    const isSeen = (name: string) => isRead && rules.every((each) => shows(each, name));
    const told = ({ problems }: Extract<WriteResult, { readonly ok: false }>) =>
      isRead && rules.every((each) => disclosesOnlySeen(problems, each))
        ? failed(...problems)
        : changeRefused();
    const computed = this.typeRules.computed(former, { ...write, id, auditFields }, isSeen);
    if (!computed.ok) return told(computed);
    const content = computed.value;
    const after = { id, ...content, auditFields };
    const refused = this.refusal(policy, rule, { ...write, after }, () => ({ isSeen, content }));
    if (refused !== null) return refused;
    const writable = restorable(rule, namesIn(content));
    if (!writable.ok) return isRead ? writable : changeRefused();
    const room = this.quotaLease.admits(this, 1, content.body.length);
    if (!room.ok) return room;
    // Lists go on having it where it was, unless another document has its place, or a younger one a place before.
    const isFree = last.seq > 0 && this.records.wouldAscend(last.seq, id);
    const place = isFree ? last.seq : 'chosen';
    const whole = { id, acl: aclOf(last.acl), content, auditFields: known };
    const put = this.#put(type, whole, place, true, now, 'restore');
    if (!put.ok) return told(put);
    const document = put.value;
    this.records.exhume(id);
    this.versions.exhumed(id, document.version, deletion.readers);
    this.feed.forgetDeletion(id, deletion.version);
    this.audits.note(id, 'restore', () => namesIn(content));
    this.notify(type, { before: null, after: document });
    const readable = this.rights.has(viewer, 'read', document.seq);
    return ok({ document: stored(document), readable: readable && policy.maySee({ rule }, document) });
  }

  /** The refusal of a write by the rule of the permission, or by the checks of the type; null where all hold. */
  protected refusal(policy: Policy, rule: Rule | null, written: Written, disclosure: () => Disclosure) {
    const { after } = written;
    const ofKey = after === null ? [] : policy.violated(rule, after);
    if (ofKey.length > 0) return ruleViolated(seenOfKey(ofKey, disclosure()));
    const ofType = this.typeRules.violated(policy, rule, written);
    if (this.typeRules.looked.isWanting) return seenChanged();
    return ofType.length === 0 ? null : ruleViolated(seenOfType(ofType, written, disclosure()));
  }
}

/** Whether a rule lets fields be written, as a restored version has them. */
export function restorable(rule: Rule | null, names: readonly string[]): Outcome<null> {
  const strange = names.find((name) => rule?.write?.includes(name) === false);
  if (strange === undefined) return ok(null);
  return fail(
    'field-not-permitted',
    'The API key does not permit fields to be written that this would change.',
  );
}

/** Whether an id is one that the service could have made by now, after the last one that it has made. */
function follows(id: DocumentId, last: DocumentId | null, now: number): boolean {
  return (last === null || id > last) && secondsOf(id) * 1000 <= now;
}

/** Whether what is stored is what an import brings, as far as that says. */
function isSame(found: Positioned, acl: Acl, whole: WholeDocument): boolean {
  const { content, auditFields } = whole;
  return (
    isSameBody(found.body, content.body) &&
    found.relationships === content.relationships &&
    (auditFields === undefined || found.auditFields.trimEnd() === auditFieldsText(auditFields).trimEnd()) &&
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

function wasDeleted(): Outcome<never> {
  return fail('id-conflict', 'A document with this id was deleted here.', { pointer: '/id' });
}
