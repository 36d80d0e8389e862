/**
 * What a collection can be asked and told: others see nothing else of its object. It answers in collection/calls; what
 * crosses has been packed by the client (client.ts).
 */
import type { KnownContent, Stepped, UploadBegun, UploadStep } from './maintenance/uploads.ts';
import type { Link } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { AclLevel, Grant, Right, Viewer } from '../../domain/rights.ts';
import type { Principal } from '../../domain/rules.ts';
import type { TypeSettings } from '../../domain/types/settings.ts';
import type { CopiedPart } from '../../domain/types/facts.ts';
import type { TypeName } from '../../domain/types.ts';
import type {
  AggregateRequest,
  OutputPage,
  AclReadResult,
  AclResult,
  DeleteResult,
  ListRequest,
  ReadManyRequest,
  ReadManyResult,
} from './results.ts';
import type {
  BulkRequest,
  Change,
  Draft,
  WriteList,
  WriteListResult,
  Once,
  Precondition,
} from './writes/operations.ts';
import type { StoredDocument } from '../../domain/values/stored.ts';
import type { FeedRequest, FeedResult } from './feed/feed.ts';
import type { TrashPage, VersionAsked, VersionRead, VersionsPage, Which } from './history.ts';
import type { MessagePage, QueueName, CountedRequests, TypeUsage } from './maintenance/usage.ts';
import type { Lookup, Withdrawal } from './maintenance/lookup.ts';
import type { ExportRequest, ExportPage, ImportBatch, ImportResult } from './maintenance/transfer.ts';
import type { Amount, LeaseRequest, Lease, WriteTarget } from './writes/target.ts';
import type { Erased, Person, Traces, RightsCursor, RightsPage, Reason } from './maintenance/rights.ts';
import type { PackedList, PackedRead, PackedWrite } from './packing/packing.ts';
import type {
  CountRequest,
  LinkedTypes,
  LinksFirst,
  MatchingRequest,
  MatchingResult,
  MatchingSince,
} from './related.ts';
import type {
  Decision,
  Preparation,
  PreparationResult,
  PreparedState,
  Transaction,
  TransactionResult,
} from './writes/transactions.ts';

/** A promise, or its value: an object that has the answer in memory returns it at once. */
type Soon<T> = T | Promise<T>;

/** A token that ends before its time: its holder, as `keyOf` writes it, and when it would have ended, in seconds. */
export interface EndedToken {
  readonly id: DocumentId;
  readonly holders: readonly string[];
  readonly until: number;
}

/** A document as it is pushed to the collection that it is for: as a JSON text of what that needs of it. */
export interface PushedDocument {
  readonly id: DocumentId;
  readonly content: string;
}

/** Reads: they change nothing that a caller can see. */
export interface Reads {
  /**
   * To be unpacked by `unpackRead`. Null stands for whom nothing limits: no object crosses. `auditFields`: with what
   * the service knows of the document; `counters`: as in a list.
   */
  read(
    id: DocumentId,
    principal: Principal | null,
    auditFields?: boolean,
    counters?: ListRequest['counters'],
  ): Soon<PackedRead>;
  /** The requested documents that exist and that the viewer may read. */
  readMany(request: ReadManyRequest): Soon<ReadManyResult>;
  /**
   * The ids in `ids` that no document has. `ever`: nor had. `claimed`: of the others, none goes for want of links until
   * `unclaim`, or for a minute.
   */
  missing(ids: readonly DocumentId[], how?: 'ever' | 'claimed'): Soon<readonly DocumentId[]>;
  unclaim(ids: readonly DocumentId[]): Soon<void>;
  /** Which of some numbers of entity tags this collection has given out, in the past that it has now. */
  knows(numbers: readonly number[]): Soon<readonly boolean[]>;
  /** Versions of a document that all of some principals may see, newest first, before one (`VersionsPage.next`). */
  versions(
    id: DocumentId,
    principals: readonly Principal[],
    before: number | null,
    limit: number,
  ): Soon<VersionsPage>;
  version(id: DocumentId, principals: readonly Principal[], which: Which): Soon<VersionRead>;
  /** Deleted documents that a principal may see, the last deletion first, after one (`TrashPage.next`). */
  trash(principal: Principal, after: string | null, limit: number): Soon<TrashPage>;
  readAcl(id: DocumentId, principal: Principal): Soon<AclReadResult>;
  findUnique(name: string, value: string): Soon<StoredDocument | null>;
  /** The groups that hold an identity. Only sessions ask: they are told of changes. */
  groupsOf(identity: string): Soon<readonly DocumentId[]>;
  /** The settings in force for the type; null for none. */
  settings(): Soon<TypeSettings | null>;
  /** Whether a token for a version of its holder stands (`Standing`). Only sessions ask: they are told of changes. */
  vouches(holder: Link, version: number, token: DocumentId): Soon<boolean | null>;
  /** Those of some tokens that ended before their time. */
  ended(tokens: readonly DocumentId[]): Soon<readonly DocumentId[]>;
  /** Asked of the registry of types: whether it contains a type. */
  hasType(type: string): boolean;
  /**
   * One page of the matching documents, and their total number, to be unpacked by `unpackList`; where `through` has
   * relationships, what they link to. The request comes from `packRequest`.
   */
  list(request: string): Soon<PackedList | LinksFirst>;
  /** What has changed since a mark; where `through` has relationships, what they link to. */
  feed(request: FeedRequest): Soon<FeedResult | LinksFirst>;
  /** Those of the names that are relationships of some document, with what they link to. */
  linkTypes(names: readonly string[]): Soon<readonly LinkedTypes[]>;
  /** Which documents that a viewer may read meet each of several conditions. */
  matching(request: MatchingRequest): Soon<MatchingResult>;
  /** The same, and the collection's counter before: from then on, a change may be one of these. */
  matchingSince(request: MatchingRequest): Soon<MatchingSince>;
  /** How many documents link to each of some, whoever may read them; null where that takes too much work. */
  counts(request: CountRequest): Soon<readonly (number | null)[]>;
  /** A caller that has received a large page of a list calls this after it has answered with it. */
  taken(): Soon<void>;
  /** The outputs of a pipeline over the documents that the viewer may read. */
  aggregate(request: AggregateRequest): Promise<Outcome<OutputPage>>;
  /** Whether a write of the document may go on: the checks that come before its content is looked at. */
  allows(id: DocumentId, right: Right, precondition: Precondition): Promise<Outcome<null>>;
  /** Why a viewer has a right on a document: some of the reasons, by its ACL and by the settings of the type. */
  reasons(id: DocumentId, right: Right, viewer: Viewer): Soon<readonly Reason[]>;
}

/** Writes: they are on disk when they answer. */
export interface Writes {
  /** Creates a document, unless there is one that has the draft's `unique` value: then that is the result. */
  create(draft: Draft): Promise<PackedWrite>;
  /** `overlay`: attributes as sent, where they are stored in another form. */
  update(
    id: DocumentId,
    change: Change,
    precondition: Precondition,
    overlay?: string | null,
    once?: Once,
  ): Promise<PackedWrite>;
  /** The JSON text of what the same write came to before; null if it was not done. */
  outcomeOf(once: Once): Soon<Outcome<string | null>>;
  /** Makes a version what the document is, which may be deleted. */
  restore(version: VersionAsked, precondition: Precondition, once?: Once): Promise<PackedWrite>;
  remove(id: DocumentId, precondition: Precondition): Promise<DeleteResult>;
  /** Performs a list of writes, all or none. Only for types that are neither published nor pushed. */
  writeList(list: WriteList): Promise<WriteListResult>;
  /** Performs a list of writes of several collections, all or none; this one decides. */
  transact(transaction: Transaction): Promise<TransactionResult>;
  /** Ids that documents of such a list will get. */
  reserveIds(count: number): Promise<Outcome<readonly DocumentId[]>>;
  /** Writes all documents that a search finds, or none; tells how many. Not for types that are published or pushed. */
  bulk(request: BulkRequest): Promise<Outcome<number>>;
  updateAcl(
    id: DocumentId,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult>;
  /** Makes room for the content of a file, and gives the id of content and document. */
  reserveContent(bytes: number, begun?: UploadBegun): Promise<Outcome<DocumentId>>;
  /** Goes on with an upload that comes in several requests; null where there is none to go on with. */
  stepUpload(id: DocumentId, step: UploadStep): Promise<Stepped | null>;
  noteUpload(id: DocumentId, upload: string): Promise<void>;
  /**
   * Gives a content up that was stored, or was to be, and gets no document. False where the collection was erased
   * meanwhile: nothing there deletes it.
   */
  releaseContent(id: DocumentId): Promise<boolean>;
  endTokens(tokens: readonly EndedToken[]): Promise<Outcome<null>>;
  /** Ends all tokens of a holder: no check, schema or setting has a say in that. */
  endTokensOf(holder: DocumentId): Promise<Outcome<null>>;
}

/** Exports and imports, for the operator. */
export interface Transfer {
  /** A page of all that the collection holds, as it was at the moment of the first page; `after` is null for that. */
  exportPage(after: string | null, limit: number, request: ExportRequest): Soon<Outcome<ExportPage>>;
  /** Stores the lines of a batch as they are, all or none. */
  importLines(batch: ImportBatch): Promise<Outcome<ImportResult>>;
  /** Some of the contents after an id, up to another one, in the order of their ids. */
  contents(after: DocumentId, last: DocumentId, limit: number): Soon<readonly KnownContent[]>;
  /** What the collection holds: documents, and bytes with indexes and contents. */
  holding(): Soon<Amount>;
  /** What the collection has of a person. */
  traces(person: Person): Soon<Traces>;
  /** Documents after a position that name an identity, and the position where others may follow; null for none. */
  named(
    identity: string,
    after: number,
    limit: number,
  ): Soon<{ ids: readonly DocumentId[]; next: number | null }>;
  /** Erases some of that: the documents that are theirs, and their name in others. May be repeated. */
  erasePerson(person: Person): Promise<Erased>;
  usage(): Soon<TypeUsage>;
  /** Asked of the registry of types: the requests of the application's keys. */
  requests(): Soon<CountedRequests>;
  /** Told to the registry of types: requests since the last time. */
  countRequests(counted: CountedRequests): Soon<void>;
}

/** Calls of the service itself, on behalf of no user. */
export interface Maintenance {
  /** The current copy of a document for lookups. Only for published types. */
  current(id: DocumentId): Lookup;
  /** Makes the same copy, and writes it to KV. */
  lookUp(id: DocumentId): Promise<Lookup>;
  /**
   * Applies schemas, or webhooks, to every write from now on. `number` orders pushes of a part: older ones change
   * nothing.
   */
  setPushed(part: CopiedPart, number: number, documents: readonly PushedDocument[]): Promise<void>;
  /** The messages of a queue that wait, and those that were given up. */
  messages(queue: QueueName): Soon<MessagePage>;
  /** Lets given-up messages of a queue wait again: some by their ids, or all; and tells how many these are. */
  sendAgain(queue: QueueName, ids: readonly string[] | null): Soon<number>;
  /**
   * Prepares settings of the type, and refuses those that the documents do not obey. From now on every write obeys what
   * is in force and what comes. `number` orders these calls.
   */
  stageSettings(number: number, settings: TypeSettings | null): Promise<Outcome<null>>;
  /** Puts settings into force, and what they replace out of it. They are those staged before, or those in force. */
  settleSettings(number: number, settings: TypeSettings | null): Promise<void>;
  /** Asked of the registry of types: how much of the application's quotas a type may use. */
  leaseQuota(request: LeaseRequest): Promise<Lease>;
  /** Keeps of its lease only what it holds, and tells that. Later calls have higher numbers. */
  giveBack(number: number): Soon<Amount>;
  /** The platform's bookmark of a time, in milliseconds since 1970; null where no past is kept. */
  bookmark(time: number): Promise<string | null>;
  /** Refuses writes, and withdraws some of the copies for look-ups. Fewer ids than `LOOKUPS_AT_ONCE` are the last. */
  withdrawLookups(withdrawal: Withdrawal): Promise<readonly DocumentId[]>;
  /** Refuses writes, and has the storage restored when the object begins again. */
  prepareRewind(bookmark: string): Promise<void>;
  /** Ends the object, and so this call; the next one finds the restored storage. */
  beginAgain(): void;
  /** Makes good what a restored storage does not hold: lookups, and versions that nobody has seen. */
  finishRewind(ids: readonly DocumentId[]): Promise<void>;
  /** From now on a type is told at once of changed users, groups or keys of this collection, while it has streams. */
  follow(follower: TypeName): Promise<void>;
  /** Tells all followers that everybody's credentials may have changed. */
  tellFollowers(): Promise<void>;
  /** Asks anew for the credentials of some identities, or all, that have streams. Whether there are any streams. */
  concern(identities: readonly string[] | null): Soon<boolean>;
  /**
   * What has changed of the rights on the documents here since a cursor; all of them, from none on. From now on the
   * inheritor, whose documents have rights through links to these, is told of changes.
   */
  rights(inheritor: TypeName, cursor: RightsCursor | null): Promise<Outcome<RightsPage>>;
  /** Tells an inheritor that rights on documents of a type have changed: it knows them when this resolves. */
  rightsChanged(type: TypeName): Promise<void>;
  /** Some documents, whoever may read them. From now on it tells the watcher, whose rules look at them, of changes. */
  watch(watcher: TypeName, ids: readonly DocumentId[]): Promise<ReadManyResult>;
  /**
   * Tells a watcher that documents of a type have changed, up to a counter, which it knows when this resolves. Whether
   * its streams want to know without a lease.
   */
  linkedChanged(type: TypeName, counter: number): Promise<boolean>;
  /** Checks a share of a transaction, and lets nothing be written until that is decided. */
  prepare(preparation: Preparation): Promise<PreparationResult>;
  /** Applies a share that was prepared, or forgets it. */
  decide(id: string, committed: boolean): Promise<void>;
  /** Asked of a coordinator: whether a transaction is committed. `patient`: once that is decided. */
  decided(id: string, patient: boolean): Promise<Decision>;
  /** The transaction that is prepared here and not decided, as far as its coordinator says. */
  prepared(): Promise<PreparedState | null>;
  /** Refuses every later write, forever. */
  seal(): void;
  /** Deletes everything, and refuses every later write. May be repeated. */
  erase(): Promise<void>;
}

export interface Calls extends Reads, Writes, Transfer, Maintenance {}

/** The object of a collection: all calls come through one method, which tells them whose collection it is. */
export interface CollectionObject extends Rpc.DurableObjectBranded {
  call(target: WriteTarget, name: keyof Calls, ...given: readonly unknown[]): unknown;
}

/** The same calls, as a client makes them. */
export type Remote = {
  readonly [Name in keyof Calls]: (
    ...given: Parameters<Calls[Name]>
  ) => Promise<Awaited<ReturnType<Calls[Name]>>>;
};
