/**
 * Versions of documents, for those who may read the document now or, of a deleted one, could at its end. What a rule
 * hides now is not there, nor are versions that the rule would hide. One version is read at a time.
 */
import type { DocumentId } from '../domain/ids.ts';
import { shows, type Principal } from '../domain/rules.ts';
import type { StoredDocument } from '../domain/values/stored.ts';
import { readAuditFields } from '../domain/audit-fields.ts';
import type { Deleted, VersionEntry, TrashPage, VersionRead, VersionsPage, Which } from './rpc/history.ts';
import { Policy, visibilityOf } from './rpc/rules.ts';
import { hasRight } from './storage/documents/checks.ts';
import type { Positioned } from './storage/documents/documents.ts';
import type { NumberedEdit } from './storage/secondary/edits.ts';
import { endOf } from './storage/secondary/expiries.ts';
import { STEP_DOCUMENTS, STEP_UNITS, yieldToOthers } from './storage/steps.ts';
import type { Transactor } from './write/transactor.ts';
import { Part } from './write/ground.ts';

/** A version, and the one that has ended it; null for the newest. */
interface Step {
  readonly edit: NumberedEdit;
  readonly end: NumberedEdit | null;
}

/** To be used only when there are tables. */
export class History extends Part<Transactor> {
  versions(
    id: DocumentId,
    principals: readonly Principal[],
    before: number | null,
    limit: number,
  ): VersionsPage {
    if (this.parts.edits.retention === null) return { state: 'off' };
    const shows = this.#judgeOf(id, principals);
    if (shows === null) return { state: 'absent' };
    const edits: VersionEntry[] = [];
    let next = null;
    let left = STEP_UNITS;
    for (const step of this.#walk(id, before)) {
      if (edits.length === limit || left <= 0) return { state: 'found', edits, next };
      const judged = shows.all || step.edit.change === 'delete' ? null : this.#stateOf(id, step);
      left -= judged?.body.length ?? 0;
      if (judged === null || shows.state(judged)) edits.push(this.#entryOf(step, id, principals));
      next = step.edit.version;
    }
    return { state: 'found', edits, next: null };
  }

  version(id: DocumentId, principals: readonly Principal[], which: Which): VersionRead {
    if (this.parts.edits.retention === null) return { state: 'off' };
    const shows = this.#judgeOf(id, principals);
    const step = shows && this.#find(id, which);
    if (!step) return { state: 'absent' };
    const edit = this.#entryOf(step, id, principals);
    if (edit.change === 'delete') return { state: 'found', edit, document: null };
    const document = this.#stateOf(id, step);
    return shows.state(document) ? { state: 'found', edit, document } : { state: 'absent' };
  }

  /**
   * Deleted documents that are kept and that a principal could read at their end, the last deletion first. Unseen ones
   * neither shorten a page nor are in `next`; a page of large documents is shorter. In steps: there may be many.
   */
  async trash(principal: Principal, after: string | null, limit: number): Promise<TrashPage> {
    const { edits, rights, versions } = this.parts;
    if (edits.retention === null) return { state: 'off' };
    const sees = visibilityOf(principal);
    const identities = principal.viewer && new Set(rights.identitiesOf(principal.viewer));
    const deleted: Deleted[] = [];
    let next = null;
    let units = 0;
    let judged = 0;
    for (let from = after; ;) {
      const some = edits.deletions(from, STEP_DOCUMENTS);
      for (const { id, place, readers, ...edit } of some) {
        from = place;
        if (!this.#isInTime(edit, edit)) return { state: 'found', deleted, next: null };
        if (readers === null) continue;
        if (identities !== null && !readers.some((each) => identities.has(each))) continue;
        const last = versions.endedBy(id, edit.version);
        if (last === undefined) continue;
        const document = unnumbered(id, last);
        judged += last.body.length;
        if (judged > STEP_UNITS) {
          judged = 0;
          await yieldToOthers();
        }
        if (sees?.(document) === false) continue;
        if (deleted.length === limit || units > STEP_UNITS) return { state: 'found', deleted, next };
        units += last.body.length;
        deleted.push({ edit: this.#entryOf({ edit, end: edit }, id, [principal]), document });
        next = place;
      }
      if (some.length < STEP_DOCUMENTS) return { state: 'found', deleted, next: null };
      await yieldToOthers();
    }
  }

  /** Whether a principal could read a document at its end, as far as its versions tell. */
  couldRead(id: DocumentId, principal: Principal): boolean {
    return this.parts.edits.retention !== null && this.#judgeOf(id, [principal]) !== null;
  }

  /** What principals see of the versions of a document; null where they may not read it. */
  #judgeOf(id: DocumentId, principals: readonly Principal[]) {
    const { edits, records, versions } = this.parts;
    if (!principals.every(({ viewer }) => hasRight(this.parts, id, 'read', viewer))) return null;
    const policy = new Policy();
    const judges = principals.flatMap((principal) => policy.visibilityOf(principal) ?? []);
    const state = (document: StoredDocument) => judges.every((sees) => sees(document));
    const isThere = records.seqOf(id) !== undefined;
    const deletion = isThere ? undefined : records.deletion(id);
    if (!isThere && deletion === undefined) return null;
    if (judges.length === 0) return { all: true, state };
    const last = deletion === undefined ? records.find(id) : versions.endedBy(id, deletion.version);
    const [newest] = edits.before(id, Number.MAX_SAFE_INTEGER, 1);
    const isSeen = last !== undefined && state(unnumbered(id, last));
    return isSeen && (isThere || newest !== undefined) ? { all: false, state } : null;
  }

  /** The versions that are kept, newest first; before the one with a number. */
  *#walk(id: DocumentId, before: number | null): Generator<Step> {
    const { edits } = this.parts;
    const newest = this.#newest(id);
    if (newest === undefined) return;
    let end: NumberedEdit = newest;
    if (before === null) yield { edit: newest, end: null };
    else if (before < newest.version) {
      const [last] = edits.before(id, before + 1, 1);
      if (last === undefined) return;
      end = last;
    }
    for (;;) {
      const some = edits.before(id, end.version, STEP_DOCUMENTS);
      for (const edit of some) {
        if (!this.#isInTime(end, newest)) return;
        if (edit.change === 'delete' || end.former > 0) yield { edit, end };
        end = edit;
      }
      if (some.length < STEP_DOCUMENTS) return;
    }
  }

  #find(id: DocumentId, which: Which): Step | null {
    const { edits } = this.parts;
    const newest = this.#newest(id);
    if (newest && (typeof which === 'number' ? newest.n === which : newest.at <= which.at))
      return { edit: newest, end: null };
    const edit = edits.find(id, which);
    const end = edit && (edits.after(id, edit.version) ?? newest);
    if (edit === undefined || end === undefined || newest === undefined) return null;
    const isThere = edit.change === 'delete' || end.former > 0;
    return isThere && this.#isInTime(end, newest) ? { edit, end } : null;
  }

  /** The newest version, also of a document that has not changed since there is a history. */
  #newest(id: DocumentId): NumberedEdit | undefined {
    const { edits, records } = this.parts;
    const [last] = edits.before(id, Number.MAX_SAFE_INTEGER, 1);
    const document = last?.change === 'delete' ? undefined : records.find(id);
    if (document === undefined || document.version === last?.version) return last;
    return unknownOf(document, (last?.n ?? 0) + 1);
  }

  /** Whether the settings keep a version that was ended so. What they do not keep may not be deleted yet. */
  #isInTime(end: NumberedEdit, newest: NumberedEdit): boolean {
    const { edits } = this.parts;
    const { versions } = edits.retention ?? { versions: 0 };
    const isYoung = (edits.untilOf(end.at) ?? Infinity) >= Date.now();
    return isYoung && (versions === null || end.n > newest.n - versions);
  }

  #entryOf({ edit, end }: Step, id: DocumentId, principals: readonly Principal[]): VersionEntry {
    const at = end?.at ?? (edit.change === 'delete' ? edit.at : this.#dateOf(id, principals));
    return { ...edit, until: at === null ? null : this.parts.edits.untilOf(at) };
  }

  /** When a document that is there will end, if all may know that; null where it stays. */
  #dateOf(id: DocumentId, principals: readonly Principal[]): number | null {
    const { records, settings } = this.parts;
    const name = settings.current?.expires ?? null;
    if (name === null || !principals.every(({ rule }) => shows(rule, name))) return null;
    const document = records.find(id);
    return document === undefined ? null : endOf(document, name);
  }

  #stateOf(id: DocumentId, { end }: Step): StoredDocument {
    const { records, versions } = this.parts;
    const state = end === null ? records.find(id) : versions.endedBy(id, end.version);
    if (state === undefined) throw new Error('A version that was found has no state.');
    return unnumbered(id, state);
  }
}

/** Numbers of the collection are nobody's business: a tag would seal them. */
function unnumbered(id: DocumentId, { body, relationships, auditFields }: State): StoredDocument {
  return { id, version: 0, aclVersion: 0, body, relationships, auditFields };
}

type State = Pick<Positioned, 'body' | 'relationships' | 'auditFields'>;

function unknownOf({ version, auditFields }: Positioned, n: number): NumberedEdit {
  const { created, updated } = readAuditFields(auditFields);
  return { version, former: 0, n, change: 'unknown', user: null, key: null, at: updated ?? created ?? 0 };
}
