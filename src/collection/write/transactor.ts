/**
 * The writes of a collection. Each runs inside one transaction: the document, its number, its rights and every side
 * table change together or not at all. All checks come before the first statement.
 */
import { keyOf, linksOf } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { auditFieldsText, readAuditFields } from '../../domain/audit-fields.ts';
import {
  allRights,
  MEMBERS,
  withGrants,
  withoutIdentity,
  type Acl,
  type AclLevel,
  type Grant,
  type Right,
} from '../../domain/rights.ts';
import { shows } from '../../domain/rules.ts';
import { isToken, typeInfo } from '../../domain/types/facts.ts';
import type { TypeName } from '../../domain/types.ts';
import { allow, allowTrusted, versionFor } from '../storage/documents/checks.ts';
import { applyChange, asksOfStored, blind, withinSize, givenBy } from './document/change.ts';
import { namesChanged, namesIn } from './notify/audits.ts';
import { newIdIn, sizeIn } from './document/contents.ts';
import { stored, type Positioned } from '../storage/documents/documents.ts';
import type { AclResult, DeleteResult, WriteResult, Written } from '../rpc/results.ts';
import {
  CHOSEN_ID,
  changeRefused,
  createForbidden,
  grantsRefused,
  ruleViolated,
  seenChanged,
} from '../rpc/refusals.ts';
import { type Policy, disclosesOnlySeen } from '../rpc/rules.ts';
import {
  type Precondition,
  unitsOfChange,
  unitsOfGrants,
  type Change,
  type Draft,
} from '../rpc/writes/operations.ts';
import type { EndedToken } from '../rpc/contract.ts';
import type { EditKind } from '../rpc/history.ts';
import type { WholeDeletion } from '../rpc/maintenance/transfer.ts';
import { otherIsThere, restorable, Restorer } from './document/restorer.ts';
import { packContent, type StoredContent, unpackContent } from '../../domain/values/stored.ts';
import type { NamedPeople } from '../storage/secondary/people.ts';
import { memberOf } from '../../domain/values/tree.ts';
import { seenBy } from './rules/violations.ts';

type Kind = Exclude<EditKind, 'unknown'>;

export class Transactor extends Restorer {
  /** `now`: milliseconds since 1970. */
  create(type: TypeName, draft: Draft, now: number): WriteResult {
    const { owners = [], viewer = null, ownsItself = false, rule, unique, grants, overlay = null } = draft;
    const seconds = Math.floor(now / 1000);
    const named =
      draft.id === undefined ? ok(draft.given ?? newIdIn(this.records, seconds)) : this.#chosenId(draft.id);
    const sent = named.ok ? withOwnId(draft, named.value) : draft.content;
    const fits = withinSize(sent);
    if (!fits.ok) return fits;
    // Before anything is said of what it links to.
    if (!this.constraints.mayCreate(viewer, sent)) return createForbidden();
    const known = { creator: draft.creator ?? null, created: now, updated: now };
    const auditFields = auditFieldsText(known);
    const isSeen = (name: string) => shows(rule, name);
    const write = { type, before: null, auditFields, now };
    const computed = named.ok
      ? this.typeRules.computed(sent, { ...write, id: named.value }, isSeen)
      : ok(sent);
    if (!computed.ok) return computed;
    const content = computed.value;
    const valid = this.schemas.check(content, overlay);
    if (!valid.ok) return valid;
    if (!named.ok) return named;
    const id = named.value;
    if (owners.length > 0 && Object.keys(grants ?? {}).length > 0 && this.constraints.givesRights)
      return grantsRefused();
    // Before conflicts: those tell of documents that are there, even to whom the rule lets no such document be.
    const { policy } = this;
    const after = { id, ...content, auditFields };
    const refused = this.refusal(policy, rule, { ...write, after }, () => ({ isSeen, content }));
    if (refused !== null) return refused;
    const taken = this.conflict(type, id, null, content);
    if (!taken.ok) return taken;
    const room = this.quotaLease.admits(this, 1, content.body.length);
    if (!room.ok) return room;
    const { hasContent = false, schemaTarget = false } = typeInfo(type);
    if (hasContent && !this.contents.waits(id, now))
      return fail('body-too-slow', 'The content has waited too long for its document.');
    this.forgetExpired(type, seconds);
    // Where settings give the rights, a creator gets no others.
    const made = this.constraints.givesRights ? [] : owners;
    const owned = allRights([...new Set([...made, ...(ownsItself ? [keyOf({ type, id })] : [])])]);
    const acl = withGrants(owned, grants);
    // Of these types, the collection itself has given out the ids that are given.
    const isOwn = schemaTarget && draft.id === undefined;
    const isNext = isOwn && (draft.given === undefined || this.records.isHighest(id));
    const chosen = isOwn ? !isNext : (draft.id ?? draft.given) !== undefined;
    const document = this.insert(type, { id, content, acl, known }, chosen ? 'chosen' : 'next', 'create');
    if (hasContent) this.contents.keep(id, sizeIn(content));
    if (unique !== undefined) this.uniques.claim(unique.name, unique.value, id);
    this.audits.note(id, 'create', () => namesIn(content));
    // Owners read what they have made; where settings give the rights, these say whether.
    const readable = !this.constraints.givesRights || this.rights.has(viewer, 'read', document.seq);
    this.notify(type, { before: null, after: document });
    return ok({ document: stored(document), readable: readable && policy.maySee({ rule }, document) });
  }

  /** Notes a deletion; null where it is known. No document goes by that, but one of a token, which has ended. */
  bury(type: TypeName, { id, readers }: WholeDeletion): Outcome<true | null> {
    const found = this.records.find(id);
    if (found !== undefined && !isToken(type)) return otherIsThere();
    if (this.records.deletion(id) !== undefined) return ok(null);
    const version = this.records.nextVersion();
    if (found === undefined) {
      this.records.bury(id, version, readers);
      this.edits.adopt(id, version, true);
    } else {
      this.edits.note(id, version, 'delete', true);
      this.records.remove(id, version, this.forget(type, found, version));
    }
    return ok(true);
  }

  #chosenId(id: DocumentId): Outcome<DocumentId> {
    const pointer = '/data/id';
    if (this.settings.current?.clientIds !== true) {
      return fail('client-id', CHOSEN_ID, { pointer });
    }
    if (!this.records.isTaken(id)) return ok(id);
    return fail('id-conflict', 'There is a document with this id, or was one.', { pointer });
  }

  /** `before`: UTF-16 units of the body that there was. */
  update(
    type: TypeName,
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay: string | null,
  ): Outcome<Written & { readonly before: number }> {
    const { policy } = this;
    const before = this.#admit(policy, id, 'update', precondition);
    if (!before.ok) return before;
    const { viewer, rule, reader } = precondition;
    const { readable, isShown, isSeen } = seenBy(this.rights, policy, before.value, precondition);
    const isRestored = change.kind === 'merge' && change.whole === true;
    if (asksOfStored(change, isSeen)) return changeRefused();
    const given = isRestored ? ok(null) : this.typeRules.admits(() => givenBy(change));
    if (!given.ok) return given;
    const { now } = this;
    const effective = change.kind === 'merge' || isSeen(change.name) ? change : blind(before.value, change);
    const applied = applyChange(before.value, effective, new Date(now), this.list?.updates);
    if (applied.ok && !this.constraints.mayCreate(viewer, applied.value, before.value))
      return createForbidden();
    const auditFields = auditFieldsText({ ...readAuditFields(before.value.auditFields), updated: now });
    const write = { type, before: before.value, now };
    const computing = { ...write, id, auditFields, sent: () => givenBy(change) };
    const changed = applied.ok ? this.typeRules.computed(applied.value, computing, isSeen) : applied;
    // Before conflicts, as in a create.
    if (changed.ok) {
      const written = { ...write, after: { ...changed.value, id, auditFields } };
      const { value: content } = changed;
      const refused = this.refusal(policy, rule, written, () => ({ isSeen, content, change }));
      if (refused !== null) return refused;
      const writable = isRestored ? restorable(rule, namesChanged(before.value, content)) : ok(null);
      if (!writable.ok) return writable;
    }
    const after = changed.ok ? this.#fitting(type, before.value, changed.value, overlay) : changed;
    if (!after.ok) {
      const { problems } = after;
      const isDisclosed = [rule, reader?.rule ?? null].every((each) =>
        disclosesOnlySeen(problems, each, change),
      );
      return isShown && isDisclosed ? after : changeRefused();
    }
    // A history keeps what there was. Who may not read the document does not learn its size.
    const gone = this.versions.isHistory ? 0 : before.value.body.length;
    const grown = isShown ? after.value.body.length - gone : unitsOfChange(change);
    const room = this.quotaLease.admits(this, 0, grown);
    if (!room.ok) return room;
    const kind = isRestored ? 'restore' : change.kind === 'merge' ? 'update' : 'relationships';
    const document = this.#replace(type, kind, before.value, after.value);
    const isReadable = readable && policy.maySee({ rule }, document);
    return ok({ document: stored(document), readable: isReadable, before: before.value.body.length });
  }

  /** Stores what a document is from now on, and tells it. */
  #replace(type: TypeName, kind: Kind, before: Positioned, content: StoredContent): Positioned {
    const { id } = before;
    const known = { ...readAuditFields(before.auditFields), updated: this.now };
    const version = this.records.nextVersion();
    const document = { ...before, ...content, version, auditFields: auditFieldsText(known) };
    this.edits.note(id, version, kind);
    this.records.replace(document, known);
    this.index(type, document, before);
    this.notify(type, { before, after: document });
    this.audits.note(id, kind, () => namesChanged(before, content));
    return document;
  }

  #admit(policy: Policy, id: DocumentId, right: Right, precondition: Precondition): Outcome<Positioned> {
    const { records, rights } = this;
    return allow({ records, rights, policy }, id, right, precondition, versionFor(right));
  }

  /** What a document is after a change, or why it cannot be that. Nothing is written. */
  #fitting(
    type: TypeName,
    { id, seq }: Positioned,
    after: StoredContent,
    overlay: string | null,
  ): Outcome<StoredContent> {
    const taken = this.conflict(type, id, seq, after);
    if (!taken.ok) return taken;
    const valid = this.schemas.check(after, overlay);
    return valid.ok ? ok(after) : valid;
  }

  remove(type: TypeName, id: DocumentId, precondition: Precondition): DeleteResult {
    const before = this.#admit(this.policy, id, 'delete', precondition);
    if (!before.ok) return before;
    const written = { type, before: before.value, after: null, now: this.now };
    const refused = this.refusal(this.policy, null, written, () => ({
      ...seenBy(this.rights, this.policy, before.value, precondition),
      content: null,
    }));
    if (refused !== null) return refused;
    if (typeInfo(type).keepsLast === true && this.records.count() === 1) {
      return fail('last-api-key', 'Without a key nobody could use the application: make another one first.');
    }
    if (precondition.unclaimed === true && this.claims.has(id, Date.now()))
      return fail('change-refused', 'A link to it is being written.');
    const version = this.records.nextVersion();
    this.edits.note(id, version, 'delete');
    this.records.remove(id, version, this.forget(type, before.value, version));
    this.notify(type, { before: before.value, after: null });
    this.audits.note(id, 'delete', () => []);
    return ok(version);
  }

  /** Changes the given rights; the others stay. */
  updateAcl(
    type: TypeName,
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): AclResult {
    const { viewer, rule } = precondition;
    const { policy } = this;
    const before = this.#admit(policy, id, 'super-update', precondition);
    if (!before.ok) return before;
    const written = { type, before: before.value, after: before.value, now: this.now };
    const isAllowed =
      policy.violated(rule, before.value).length === 0 &&
      this.typeRules.violated(policy, rule, written, []).length === 0;
    if (this.typeRules.looked.isWanting) return seenChanged();
    if (!isAllowed) return ruleViolated();
    const { seq } = before.value;
    const acl = this.rights.of(seq);
    const changed = Object.entries(grants).flatMap(([member, grant]): [Right, Grant][] => {
      const right = MEMBERS[level][member];
      return right === undefined ? [] : [[right, grant]];
    });
    const after: Acl = { ...acl, ...Object.fromEntries(changed) };
    const readable = this.rights.has(viewer, 'super-read', seq);
    const former = readable ? Object.fromEntries(changed.map(([right]) => [right, acl[right] ?? []])) : {};
    const room = this.quotaLease.admits(this, 0, unitsOfGrants(grants) - unitsOfGrants(former));
    if (!room.ok) return room;
    const version = this.records.nextVersion();
    this.rights.set(seq, acl, after, version);
    this.rights.give(seq, [...this.constraints.rowsOf(before.value)]);
    const prefix = level === 'acl' ? 'acl' : 'acl.acl';
    this.audits.note(id, 'acl', () => Object.keys(grants).map((member) => `${prefix}.${member}`));
    return ok({ acl: after, version, readable: this.rights.has(viewer, 'super-read', seq) });
  }

  /**
   * Takes an identity out of a document: as its creator, of its rights and of its members. Schemas and settings have no
   * say in that. False where there is no such document.
   */
  disown(type: TypeName, id: DocumentId, identity: string, people: NamedPeople): boolean {
    const before = this.records.find(id);
    if (before === undefined) return false;
    const { seq } = before;
    const known = readAuditFields(before.auditFields);
    const isCreator = known.creator !== null && keyOf(known.creator) === identity;
    const creator = isCreator ? null : known.creator;
    const content = withoutMember(type, before, identity);
    const version = this.records.nextVersion();
    const after = { ...before, ...content, version, auditFields: auditFieldsText({ ...known, creator }) };
    if (isCreator) people.dropCreator(seq);
    if (isCreator || content !== null) {
      this.edits.note(id, version, 'unknown', true);
      this.records.replace(after, known);
      this.index(type, after, before);
    }
    const acl = this.rights.of(seq);
    this.rights.set(seq, acl, withoutIdentity(acl, identity), version);
    this.rights.give(seq, [...this.constraints.rowsOf(after)]);
    return true;
  }

  findOrCreate(type: TypeName, draft: Draft, now: number): WriteResult {
    const owner = draft.unique && this.uniques.owner(draft.unique.name, draft.unique.value);
    const existing = owner === undefined ? undefined : this.records.find(owner);
    return existing === undefined
      ? this.create(type, draft, now)
      : ok({ document: stored(existing), readable: true });
  }

  /** Ends all tokens of a holder, by a version that none of them names: nothing refuses that. */
  endTokensOf(type: TypeName, id: DocumentId): Outcome<null> {
    const holder = allowTrusted(this.records.find(id), id, { ifMatch: null });
    if (holder.ok) this.#replace(type, 'update', holder.value, holder.value);
    return holder.ok ? ok(null) : holder;
  }

  /** Ends tokens early. */
  endTokens(tokens: readonly EndedToken[], now: number): null {
    for (const { id, holders, until } of tokens) {
      // Also of a token that has ended: a crash may have kept its session from being told.
      for (const holder of holders) this.concerned.add(holder);
      this.tokens.end(id, until, now);
    }
    return null;
  }
}

/** The content of a group that somebody has left; null for all else. */
function withoutMember(type: TypeName, before: StoredContent, identity: string): StoredContent | null {
  const name = typeInfo(type).members;
  const { attributes, relationships } = unpackContent(before);
  const members = name === undefined ? undefined : memberOf(relationships, name);
  if (name === undefined || members === undefined) return null;
  const left = linksOf(members).filter((link) => keyOf(link) !== identity);
  if (left.length === linksOf(members).length) return null;
  return packContent({ attributes, relationships: { ...relationships, [name]: left } });
}

/** The content of a draft, with its links to itself. No text has the placeholder: quotes inside are escaped. */
function withOwnId({ content, own }: Draft, id: DocumentId): StoredContent {
  if (own === undefined) return content;
  return { ...content, body: content.body.replaceAll(`{"$oid":"${own}"}`, `{"$oid":"${id}"}`) };
}
