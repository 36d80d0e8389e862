/**
 * All tables of a collection that writes change, and side tables and indexes that follow each document: how they are
 * kept in step, within the transaction of a write.
 */
import type { DocumentId } from '../../domain/ids.ts';
import type { Outcome } from '../../domain/problems.ts';
import { WORK } from '../../domain/limits.ts';
import { WorkBudget } from '../../domain/work/work.ts';
import { keyOf } from '../../domain/documents.ts';
import { readAuditFields } from '../../domain/audit-fields.ts';
import { ownerOf } from '../../domain/rights.ts';
import { QuotaLease } from '../quotas/quota-lease.ts';
import { typeInfo, isFollowed, type CopiedPart } from '../../domain/types/facts.ts';
import type { TypeName } from '../../domain/types.ts';
import { noteReleased, fanOutOf, noteMail, notifyWebhooks, type Written } from './notify/webhooks.ts';
import { Audits } from './notify/audits.ts';
import { Claims } from './claims.ts';
import { Constraints } from './constraints.ts';
import { Contents } from '../storage/secondary/contents.ts';
import { TypeRules } from './rules/type-rules.ts';
import { Expiries } from '../storage/secondary/expiries.ts';
import { DirtyRanges, type Extents as Segmented } from '../storage/dirty-ranges.ts';
import { FeedTables } from '../storage/secondary/feed-tables.ts';
import { Versions } from '../storage/secondary/versions.ts';
import { Edits } from '../storage/secondary/edits.ts';
import { Outbox } from '../storage/outbox/outbox.ts';
import { StoredGroups } from '../storage/secondary/stored-groups.ts';
import { InheritedWriter, InheritorTables } from '../storage/secondary/inherited.ts';
import { Webhooks } from '../storage/secondary/webhooks.ts';
import { LinkTypes } from '../storage/secondary/link-types.ts';
import { CachedCounts } from '../storage/indexes/cached-counts.ts';
import { PathIndexes } from '../storage/indexes/path-indexes.ts';
import type { Positioned } from '../storage/documents/documents.ts';
import type { Readers } from '../storage/documents/readers.ts';
import { Outcomes } from '../storage/secondary/outcomes.ts';
import { RightsWriter } from '../storage/documents/rights.ts';
import { Schemas } from '../storage/schemas.ts';
import { SettingsWriter } from '../storage/type-settings.ts';
import { UniqueValuesWriter } from '../storage/secondary/unique-values.ts';
import { WordIndex } from '../storage/words.ts';
import { Touched } from '../storage/touched.ts';
import { DocumentWriter } from '../storage/documents/document-writer.ts';
import { TokensWriter } from '../storage/secondary/tokens.ts';
import { MembersWriter } from '../storage/secondary/members.ts';
import { Policy } from '../rpc/rules.ts';
import type { PushedDocument } from '../rpc/contract.ts';
import { flatOf, type StoredContent } from '../../domain/values/stored.ts';
import type { Amount, WriteTarget } from '../rpc/writes/target.ts';
import { Table } from '../storage/sql.ts';

/** Expired documents that one write deletes: a write must not pay for many. */
const FORGOTTEN_AT_ONCE = 100;

/** What is kept in memory together: positions in a row, and entries of an index. */
export interface Extents extends Segmented {
  readonly entries: number;
}

/** What the writes of one list share. */
interface ListState {
  /** What their updates may still take. */
  readonly updates: WorkBudget;
  /** Of the filters of webhooks. */
  readonly hearing: WorkBudget;
  readonly policy: Policy;
  readonly now: number | null;
  /** The id of the list. */
  readonly transaction: string | undefined;
}

/** What there is before all tables. */
class Given extends Table {
  protected readonly extents: Partial<Extents>;
  protected readonly epoch: string | undefined;

  constructor(sql: SqlStorage, extents: Partial<Extents> = {}, epoch?: string) {
    super(sql);
    this.extents = extents;
    this.epoch = epoch;
  }
}

/** The tables of a collection, and what every write keeps in step. */
export class Tables extends Given implements Readers {
  readonly quotaLease = new QuotaLease();
  readonly touched = new Touched();
  readonly claims = new Claims();
  /** Changed users, groups and keys, and identities whose groups changed, until those are told who rely on them. */
  readonly concerned = new Set<string>();
  /** What reads keep in memory knows by these what has changed. */
  readonly dirtyRanges = new DirtyRanges(this.extents);
  /** Groups of aggregates that outlive the object's sleep. */
  readonly groups = new StoredGroups(this.sql);
  readonly records = new DocumentWriter(this.sql, this.epoch);
  readonly inherited = new InheritedWriter(this.sql);
  readonly inheritors = new InheritorTables(this.sql);
  readonly rights = new RightsWriter(this.sql, this);
  readonly uniques = new UniqueValuesWriter(this.sql, this.touched);
  readonly members = new MembersWriter(this.sql, this.concerned);
  readonly tokens = new TokensWriter(this.sql);
  readonly words = new WordIndex(this.sql, this.touched);
  readonly schemas = new Schemas(this.sql);
  readonly indexes = new PathIndexes(this.sql, this.touched, new CachedCounts(this.extents.entries));
  readonly settings = new SettingsWriter(this.sql);
  readonly expiries = new Expiries(this.sql);
  readonly constraints = new Constraints(this);
  readonly typeRules = new TypeRules(this);
  readonly outcomes = new Outcomes(this.sql);
  readonly linkTypes = new LinkTypes(this.sql);
  readonly contents = new Contents(this.sql);
  /** What writes tell others. */
  readonly outbox = new Outbox(this.sql);
  readonly audits = new Audits(this.outbox);
  readonly edits = new Edits(this.sql, this.settings, this.typeRules, () => this.now);
  readonly versions = new Versions(this.sql, this.edits);
  readonly feed = new FeedTables(this.sql, this.versions);
  /** Who hears of writes. */
  readonly webhooks = new Webhooks(this.sql);
  /** What the writes of one list share; null for a single write. */
  protected list: ListState | null = null;

  /** To be called when there are tables, and after writes were undone. */
  load(): void {
    this.rights.forget();
    this.inherited.load();
    this.inheritors.load();
    this.contents.load();
    this.words.load();
    this.indexes.load();
    this.settings.load();
    this.linkTypes.load();
    this.groups.load();
    this.feed.load();
    this.webhooks.load();
  }

  /** What the collection holds, as quotas count it. */
  get held(): Amount {
    return { documents: this.records.count(), bytes: this.records.bytes() + this.contents.bytes };
  }

  /** Performs several writes of one transaction, which share what is read, what they may take, and maybe their time. */
  together<T>(work: () => T, now: number | null = null, transaction?: string): T {
    const updates = new WorkBudget(WORK.updatesOfList);
    const hearing = new WorkBudget(WORK.webhookFilters);
    this.list = { updates, hearing, policy: new Policy(), now, transaction };
    try {
      return this.records.together(() => this.feed.within(transaction, () => this.schemas.together(work)));
    } finally {
      this.list = null;
    }
  }

  /** Runs a part of a transaction on behalf of who writes. */
  onBehalf<T>(target: WriteTarget, work: () => Outcome<T>): Outcome<T> {
    this.typeRules.begin(target.requester ?? null);
    this.audits.begin(target);
    this.quotaLease.running = target.quotas ?? null;
    try {
      const done = work();
      if (done.ok) this.audits.post();
      return done;
    } finally {
      this.typeRules.begin(undefined);
      this.audits.begin(null);
      this.quotaLease.running = null;
    }
  }

  /** The time of the write that is being done, in milliseconds since 1970. */
  protected get now(): number {
    return this.list?.now ?? Date.now();
  }

  /** What rules say to the write that is being done. */
  get policy(): Policy {
    return this.list?.policy ?? new Policy();
  }

  /** Does a part of a transaction, or nothing of it when it throws; `nested` undoes its statements. */
  attempt<T>(nested: (work: () => T) => T, work: () => T): T {
    const savepoint = this.records.savepoint();
    try {
      return nested(work);
    } catch (error) {
      // What failed before it wrote has left nothing in memory that the tables lack: a list may fail a thousand times.
      const hasWritten = savepoint === null || this.records.counter() !== savepoint.counter;
      this.records.reset(savepoint);
      this.groups.rollBack();
      if (hasWritten) this.load();
      throw error;
    }
  }

  /** The conflicts of a content with other documents; `seq` is the document's position, null for a new one. */
  protected conflict(
    type: TypeName,
    id: DocumentId,
    seq: number | null,
    content: StoredContent,
  ): Outcome<null> {
    this.#freeValues(type, id, content);
    const taken = this.uniques.conflict(type, id, content);
    if (!taken.ok) return taken;
    const few = fanOutOf(this.records, type, id, content);
    if (!few.ok) return few;
    const obeyed = this.constraints.check(id, content);
    return obeyed.ok ? this.members.conflict(type, seq, content) : obeyed;
  }

  /** What has ended keeps no unique value, though it may not be deleted yet. */
  #freeValues(type: TypeName, id: DocumentId, content: StoredContent): void {
    if (this.expiries.ended === null) return;
    for (const rival of this.constraints.rivalsOf(id, content)) {
      const document = this.records.find(rival);
      if (document === undefined || !this.expiries.has(document)) continue;
      const { checkpoint } = this.touched;
      this.end(type, document);
      this.touched.unseen(checkpoint);
    }
  }

  /** Deletes the documents at some positions, whose time has come. */
  expire(type: TypeName, seqs: readonly number[]): void {
    this.together(() => {
      for (const id of this.records.idsAt(seqs)) {
        const document = this.records.find(id);
        if (document !== undefined) this.end(type, document);
      }
    });
  }

  protected end(type: TypeName, document: Positioned): void {
    const version = this.records.nextVersion();
    this.edits.note(document.id, version, 'delete', true);
    const readers = this.forget(type, document, version);
    if (typeInfo(type).forgotten === true) this.records.drop(document.id);
    else this.records.remove(document.id, version, readers);
    this.notify(type, { before: document, after: null });
  }

  /** Tells a write to those who hear of it. New documents of imports are not told: they were made elsewhere. */
  protected notify(type: TypeName, written: Written): void {
    const { hearing, transaction } = this.list ?? {};
    notifyWebhooks(this, type, { ...written, transaction }, hearing);
    noteMail(this.outbox, type, written);
  }

  /** Takes what was pushed for the type, unless newer is there. */
  setPushed(part: CopiedPart, number: number, documents: readonly PushedDocument[]): void {
    if (part === 'schemas') {
      this.schemas.replace(number, documents);
      return;
    }
    for (const addressee of this.webhooks.replace(number, documents) ?? []) {
      const queue = { kind: 'webhook', addressee } as const;
      // Of a changed webhook, what waits goes out as it is now; of one that went, nothing does.
      if (this.webhooks.find(addressee) === undefined) this.outbox.drop(queue);
      else this.outbox.wake(queue);
    }
  }

  /** Updates the side tables and indexes of a document; `before` is its former state, or null for a new one. */
  protected index(type: TypeName, document: Positioned, before: Positioned | null): void {
    const { seq, id, relationships } = document;
    if (relationships !== null) this.linkTypes.note(seq);
    this.uniques.put(type, id, document);
    this.constraints.put(document, before);
    this.members.put(type, seq, document, before === null);
    // Nobody has a token of a holder that was not there.
    if (before !== null) {
      this.#concern(type, id);
      noteReleased(this, before, document);
    }
    this.#changeIndexes(type, seq, before, document);
  }

  #concern(type: TypeName, id: DocumentId): void {
    if (isFollowed(type)) this.concerned.add(keyOf({ type, id }));
  }

  /** Updates the indexes after a change of a document; null stands for none before or after. */
  #changeIndexes(type: TypeName, seq: number, before: Positioned | null, after: Positioned | null): void {
    this.dirtyRanges.note(seq);
    this.groups.note(this.dirtyRanges.indexOf('segment', seq));
    if (!this.indexes.any && !this.words.covers(seq)) return;
    const old = before && flatOf(before);
    const current = after && flatOf(after);
    this.words.change(type, seq, old, current);
    this.indexes.change(seq, old, current);
  }

  /** Clears the side tables and indexes of a deleted document. Returns who could read it. */
  protected forget(type: TypeName, document: Positioned, version: number): readonly string[] {
    const { seq, id } = document;
    const acl = this.rights.of(seq);
    const readers = this.constraints.readersOf(document, acl);
    const { creator } = readAuditFields(document.auditFields);
    this.outbox.own(id, ownerOf(acl, creator && keyOf(creator)));
    this.rights.set(seq, acl, {}, version);
    this.constraints.forget(document);
    if (typeInfo(type).hasContent === true) this.contents.release(id, Date.now());
    noteReleased(this, document, null);
    this.uniques.remove(id);
    this.members.remove(type, seq);
    this.#concern(type, id);
    this.#changeIndexes(type, seq, document, null);
    return readers;
  }

  /** Deletes expired documents without a tombstone: ids begin with the second of their creation. */
  protected forgetExpired(type: TypeName, seconds: number): void {
    const lifetime = typeInfo(type).lifetime;
    if (lifetime === undefined) return;
    for (const document of this.records.before(seconds - lifetime, FORGOTTEN_AT_ONCE)) {
      this.forget(type, document, document.version);
      this.records.drop(document.id);
    }
  }
}
