/**
 * The writes of a collection. Each runs inside one transaction: the document, its number, its rights and every side
 * table change together or not at all. All checks come before the first statement.
 */
import { keyOf } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { provenanceText, readProvenance } from '../../domain/provenance.ts';
import { allRights, MEMBERS, type Acl, type AclLevel, type Grant, type Right } from '../../domain/rights.ts';
import { WORK } from '../../domain/limits.ts';
import { WorkBudget } from '../../domain/work.ts';
import { shows } from '../../domain/rules.ts';
import { factsOf, type TypeName } from '../../domain/types.ts';
import { allow, versionFor } from '../storage/checks.ts';
import { Obedience } from './obedience.ts';
import { applyChange, asksOfStored, blind, withinSize } from './change.ts';
import { grantsRefused, withGrants } from './grants.ts';
import { nextId } from '../storage/ids.ts';
import { Expiries } from '../storage/expiries.ts';
import { LinkTypes } from '../storage/beside/link-types.ts';
import { PathIndexes } from '../storage/indexes/path-indexes.ts';
import { stored, type Positioned } from '../storage/documents.ts';
import type { Readers } from '../storage/readers.ts';
import { Outcomes } from '../storage/beside/outcomes.ts';
import { RightsWriter } from '../storage/rights.ts';
import type { AclResult, DeleteResult, WriteResult } from '../rpc/results.ts';
import { Schemas } from '../storage/schemas.ts';
import { SettingsWriter } from '../storage/type-settings.ts';
import { UniqueValuesWriter } from '../storage/beside/unique-values.ts';
import { WordIndex } from '../storage/words.ts';
import { DocumentWriter } from '../storage/document-writer.ts';
import { EndedTokensWriter } from '../storage/beside/ended-tokens.ts';
import { MembersWriter } from '../storage/beside/members.ts';
import { CHOSEN_ID, changeRefused, ruleViolated } from '../rpc/refusals.ts';
import { Judge, tellsOfSeen } from '../rpc/rules.ts';
import type { Precondition } from '../rpc/precondition.ts';
import type { Change, Draft } from '../rpc/operations.ts';
import type { WholeDocument } from '../rpc/transfer.ts';
import { follows, isSame, otherIsThere, wasDeleted } from './restored.ts';
import { flatOf, type StoredContent } from '../rpc/packing/content.ts';

/** Expired documents that one write deletes: a write must not pay for many. */
const FORGOTTEN_AT_ONCE = 100;

export class Transactor implements Readers {
  readonly records: DocumentWriter;
  readonly rights: RightsWriter;
  readonly uniques: UniqueValuesWriter;
  readonly members: MembersWriter;
  readonly tokens: EndedTokensWriter;
  readonly words: WordIndex;
  readonly schemas: Schemas;
  readonly indexes: PathIndexes;
  readonly settings: SettingsWriter;
  readonly obedience: Obedience;
  readonly outcomes: Outcomes;
  readonly linkTypes: LinkTypes;
  readonly expiries: Expiries;
  /** What the updates of one list may still take; null for a single write. */
  #updates: WorkBudget | null = null;
  /** What rules say to all writes of one list; null for a single write. */
  #judge: Judge | null = null;

  constructor(sql: SqlStorage) {
    this.records = new DocumentWriter(sql);
    this.rights = new RightsWriter(sql);
    this.uniques = new UniqueValuesWriter(sql);
    this.members = new MembersWriter(sql);
    this.tokens = new EndedTokensWriter(sql);
    this.words = new WordIndex(sql);
    this.schemas = new Schemas(sql);
    this.indexes = new PathIndexes(sql);
    this.settings = new SettingsWriter(sql);
    this.obedience = new Obedience(this);
    this.outcomes = new Outcomes(sql);
    this.linkTypes = new LinkTypes(sql);
    this.expiries = new Expiries(sql);
  }

  /** To be called when there are tables, and after writes were undone. */
  load(): void {
    this.rights.forget();
    this.words.load();
    this.indexes.load();
    this.settings.load();
    this.linkTypes.load();
  }

  /** Performs several writes of one transaction, which share what is read and what they may take. */
  together<T>(work: () => T): T {
    this.#updates = new WorkBudget(WORK.updatesOfList);
    this.#judge = new Judge();
    try {
      return this.records.together(() => this.schemas.together(work));
    } finally {
      this.#updates = null;
      this.#judge = null;
    }
  }

  /** What rules say to the write that is being done. */
  get judge(): Judge {
    return this.#judge ?? new Judge();
  }

  /** Does a part of a transaction, or nothing of it when it throws; `nested` undoes its statements. */
  attempt<T>(nested: (work: () => T) => T, work: () => T): T {
    const mark = this.records.mark();
    try {
      return nested(work);
    } catch (error) {
      // What failed before it wrote has left nothing in memory that the tables lack: a list may fail a thousand times.
      const hasWritten = mark === null || this.records.counter() !== mark.counter;
      this.records.reset(mark);
      if (hasWritten) this.load();
      throw error;
    }
  }

  /** `now`: milliseconds since 1970. */
  create(type: TypeName, draft: Draft, now: number): WriteResult {
    const { owners, viewer = null, ownsItself, rule, unique, grants, overlay = null } = draft;
    const seconds = Math.floor(now / 1000);
    const last = this.records.last();
    const named = draft.id === undefined ? ok(this.#newId(last, seconds)) : this.#chosenId(draft.id);
    const content = named.ok ? withOwnId(draft, named.value) : draft.content;
    const fits = withinSize(content);
    if (!fits.ok) return fits;
    const valid = this.schemas.check(content, overlay);
    if (!valid.ok) return valid;
    if (!named.ok) return named;
    const id = named.value;
    if (owners.length > 0 && Object.keys(grants ?? {}).length > 0 && this.obedience.givesRights)
      return grantsRefused();
    const known = { creator: draft.creator ?? null, created: now, updated: now };
    const provenance = provenanceText(known);
    // Before conflicts: those tell of documents that are there, even to whom the rule lets no such document be.
    const { judge } = this;
    if (!judge.mayLeave(rule, { id, body: content.body, provenance })) return ruleViolated();
    const taken = this.#conflict(type, id, null, content);
    if (!taken.ok) return taken;
    this.#forgetExpired(type, seconds);
    const version = last.version + 1;
    const inserted = { id, version, ...content, aclVersion: 0, provenance };
    const document = { ...inserted, seq: this.records.insert(inserted, known, draft.id !== undefined) };
    const { seq } = document;
    if (unique !== undefined) this.uniques.claim(unique.name, unique.value, id);
    this.#index(type, document, null);
    // Where settings give the rights, a creator gets no others.
    const made = this.obedience.givesRights ? [] : owners;
    const owned = allRights([...new Set([...made, ...(ownsItself ? [keyOf({ type, id })] : [])])]);
    const acl = withGrants(owned, grants);
    if (Object.keys(acl).length > 0) this.rights.set(seq, {}, acl, version);
    // Owners read what they have made; where settings give the rights, these say whether.
    const readable = !this.obedience.givesRights || this.rights.has(viewer, 'read', seq);
    return ok({ document: stored(document), readable: readable && judge.maySee({ rule }, document) });
  }

  /** Stores a document as it was elsewhere; null where it is there already. `checked`: whether schemas must hold. */
  restore(type: TypeName, whole: WholeDocument, checked: boolean, now: number): Outcome<Positioned | null> {
    const { id, acl, content, provenance } = whole;
    const found = this.records.find(id);
    if (found !== undefined) {
      return isSame(found, this.rights.of(found.seq), whole) ? ok(null) : otherIsThere();
    }
    if (this.records.deletion(id) !== undefined) return wasDeleted();
    const fits = withinSize(content);
    if (!fits.ok) return fits;
    const valid = checked ? this.schemas.check(content, null) : ok(null);
    if (!valid.ok) return valid;
    const taken = this.#conflict(type, id, null, content);
    if (!taken.ok) return taken;
    const last = this.records.last();
    const version = last.version + 1;
    const known = provenance ?? { creator: null, created: now, updated: now };
    const inserted = { id, version, ...content, aclVersion: 0, provenance: provenanceText(known) };
    const document = {
      ...inserted,
      seq: this.records.insert(inserted, known, !follows(id, last.id, now)),
    };
    this.#index(type, document, null);
    if (Object.keys(acl).length > 0) this.rights.set(document.seq, {}, acl, version);
    return ok(document);
  }

  #newId(
    { id: last, chosenIds }: Pick<ReturnType<DocumentWriter['last']>, 'id' | 'chosenIds'>,
    seconds: number,
  ): DocumentId {
    const id = nextId(last, seconds, crypto.getRandomValues(new BigUint64Array(1)));
    // A client may have chosen it.
    return chosenIds && this.records.isTaken(id) ? this.#newId({ id, chosenIds }, seconds) : id;
  }

  #chosenId(id: DocumentId): Outcome<DocumentId> {
    const pointer = '/data/id';
    if (this.settings.current?.clientIds !== true) {
      return fail('client-id', CHOSEN_ID, { pointer });
    }
    if (!this.records.isTaken(id)) return ok(id);
    return fail('id-conflict', 'There is a document with this id, or was one.', { pointer });
  }

  update(
    type: TypeName,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null,
  ): WriteResult {
    const { judge } = this;
    const before = this.#admit(judge, id, 'update', precondition);
    if (!before.ok) return before;
    const { seq, aclVersion } = before.value;
    const { viewer, rule, reader } = precondition;
    const readable =
      this.rights.has(viewer, 'read', seq) &&
      (reader === undefined || this.rights.has(reader.viewer, 'read', seq));
    // What a GET at its address would not show, no refusal tells.
    const isTold = readable && (reader === undefined || judge.maySee(reader, before.value));
    const isSeen = (name: string) => isTold && shows(rule, name) && shows(reader?.rule ?? null, name);
    if (asksOfStored(change, isSeen)) return changeRefused();
    const now = Date.now();
    const asked = change.kind === 'merge' || isSeen(change.name) ? change : blind(before.value, change);
    const changed = applyChange(before.value, asked, new Date(now), this.#updates);
    const known = { ...readProvenance(before.value.provenance), updated: now };
    const provenance = provenanceText(known);
    // Before conflicts, as in a create.
    if (changed.ok && !judge.mayLeave(rule, { id, body: changed.value.body, provenance }))
      return ruleViolated();
    const after = changed.ok ? this.#fitting(type, before.value, changed.value, overlay) : changed;
    if (!after.ok) {
      const { problems } = after;
      const told = [rule, reader?.rule ?? null].every((each) => tellsOfSeen(problems, each, change));
      return isTold && told ? after : changeRefused();
    }
    const version = this.records.nextVersion();
    const document = { seq, id, version, ...after.value, aclVersion, provenance };
    this.records.replace(document, known);
    this.#index(type, document, before.value);
    return ok({ document: stored(document), readable: readable && judge.maySee({ rule }, document) });
  }

  #admit(judge: Judge, id: DocumentId, right: Right, precondition: Precondition): Outcome<Positioned> {
    const { records, rights } = this;
    return allow({ records, rights, judge }, id, right, precondition, versionFor(right));
  }

  /** What a document is after a change, or why it cannot be that. Nothing is written. */
  #fitting(
    type: TypeName,
    { id, seq }: Positioned,
    after: StoredContent,
    overlay: string | null,
  ): Outcome<StoredContent> {
    const taken = this.#conflict(type, id, seq, after);
    if (!taken.ok) return taken;
    const valid = this.schemas.check(after, overlay);
    return valid.ok ? ok(after) : valid;
  }

  /** The conflicts of a content with other documents; `seq` is the document's position, null for a new one. */
  #conflict(type: TypeName, id: DocumentId, seq: number | null, content: StoredContent): Outcome<null> {
    this.#freeValues(type, id, content);
    const taken = this.uniques.conflict(type, id, content);
    if (!taken.ok) return taken;
    const obeyed = this.obedience.check(id, content);
    return obeyed.ok ? this.members.conflict(type, seq, content) : obeyed;
  }

  /** What has ended keeps no unique value, though it may not be deleted yet. */
  #freeValues(type: TypeName, id: DocumentId, content: StoredContent): void {
    if (this.expiries.ended === null) return;
    for (const rival of this.obedience.rivalsOf(id, content)) {
      const document = this.records.find(rival);
      if (document !== undefined && this.expiries.has(document)) this.#end(type, document);
    }
  }

  remove(type: TypeName, id: DocumentId, precondition: Precondition): DeleteResult {
    const before = this.#admit(this.judge, id, 'delete', precondition);
    if (!before.ok) return before;
    if (factsOf(type).keepsLast === true && this.records.count() === 1) {
      return fail('last-api-key', 'Without a key nobody could use the application: make another one first.');
    }
    const version = this.records.nextVersion();
    this.records.remove(id, version, this.#forget(type, before.value, version));
    return ok(version);
  }

  /** Deletes the documents at some positions, whose time has come. */
  expire(type: TypeName, seqs: readonly number[]): void {
    this.together(() => {
      for (const id of this.records.idsAt(seqs)) {
        const document = this.records.find(id);
        if (document !== undefined) this.#end(type, document);
      }
    });
  }

  #end(type: TypeName, document: Positioned): void {
    const version = this.records.nextVersion();
    this.records.remove(document.id, version, this.#forget(type, document, version));
  }

  /** Changes the given rights; the others stay. */
  updateAcl(
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): AclResult {
    const { viewer, rule } = precondition;
    const { judge } = this;
    const before = this.#admit(judge, id, 'super-update', precondition);
    if (!before.ok) return before;
    if (!judge.mayLeave(rule, before.value)) return ruleViolated();
    const { seq } = before.value;
    const acl = this.rights.of(seq);
    const changed = Object.entries(grants).flatMap(([member, grant]): [Right, Grant][] => {
      const right = MEMBERS[level][member];
      return right === undefined ? [] : [[right, grant]];
    });
    const after: Acl = { ...acl, ...Object.fromEntries(changed) };
    const version = this.records.nextVersion();
    this.rights.set(seq, acl, after, version);
    this.rights.give(seq, [...this.obedience.rowsOf(before.value)]);
    return ok({ acl: after, version, readable: this.rights.has(viewer, 'super-read', seq) });
  }

  /** The existing document with a unique value, or a new one that has it. */
  findOrCreate(type: TypeName, draft: Draft, now: number): WriteResult {
    const owner = draft.unique && this.uniques.owner(draft.unique.name, draft.unique.value);
    const existing = owner === undefined ? undefined : this.records.find(owner);
    return existing === undefined
      ? this.create(type, draft, now)
      : ok({ document: stored(existing), readable: true });
  }

  /** Ends a token early; fails when its holder no longer has such a token. */
  endToken(token: DocumentId, until: number, now: number): Outcome<null> {
    if (this.tokens.hasEnded(token)) return fail('document-not-found', 'The token has ended.');
    this.tokens.end(token, until, now);
    return ok(null);
  }

  /** Updates the side tables and indexes of a document; `before` is its former state, or null for a new one. */
  #index(type: TypeName, document: Positioned, before: Positioned | null): void {
    const { seq, id, relationships } = document;
    if (relationships !== null) this.linkTypes.note(seq);
    this.uniques.put(type, id, document);
    this.obedience.put(document, before);
    this.members.put(type, seq, document, before === null);
    this.#changeIndexes(type, seq, before, document);
  }

  /** Updates the indexes after a change of a document; null stands for none before or after. */
  #changeIndexes(type: TypeName, seq: number, before: Positioned | null, after: Positioned | null): void {
    if (!this.indexes.any && !this.words.covers(seq)) return;
    const old = before && flatOf(before);
    const current = after && flatOf(after);
    this.words.change(type, seq, old, current);
    this.indexes.change(seq, old, current);
  }

  /** Clears the side tables and indexes of a deleted document. Returns who could read it. */
  #forget(type: TypeName, document: Positioned, version: number): readonly string[] {
    const { seq, id } = document;
    const acl = this.rights.of(seq);
    const readers = this.obedience.readersOf(document, acl);
    this.rights.set(seq, acl, {}, version);
    this.obedience.forget(document);
    this.uniques.remove(id);
    this.members.remove(type, seq);
    this.#changeIndexes(type, seq, document, null);
    return readers;
  }

  /** Deletes expired documents without a tombstone: ids begin with the second of their creation. */
  #forgetExpired(type: TypeName, seconds: number): void {
    const lifetime = factsOf(type).lifetime;
    if (lifetime === undefined) return;
    for (const document of this.records.before(seconds - lifetime, FORGOTTEN_AT_ONCE)) {
      this.#forget(type, document, document.version);
      this.records.drop(document.id);
    }
  }
}

/** The content of a draft, with its links to itself. No text value contains the placeholder: quotes inside are escaped. */
function withOwnId({ content, own }: Draft, id: DocumentId): StoredContent {
  if (own === undefined) return content;
  return { ...content, body: content.body.replaceAll(`{"$oid":"${own}"}`, `{"$oid":"${id}"}`) };
}
