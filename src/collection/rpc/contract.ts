/** What can be asked of a collection: the interface that its object implements, and all that anyone else sees of it. */
import type { CollectionName } from '../../domain/documents.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { AclLevel, Grant, Right, Viewer } from '../../domain/rights.ts';
import type { AggregateRequest, OutputPage } from './aggregates.ts';
import type { StoredDocument } from './content.ts';
import type { Lookup } from './lookup.ts';
import type { Change, Draft, WriteList, WriteListResult } from './operations.ts';
import type { PackedList, PackedRead } from './packing.ts';
import type { Precondition } from './precondition.ts';
import type {
  AclReadResult,
  AclResult,
  DeleteResult,
  ListRequest,
  ReadManyRequest,
  ReadManyResult,
  WriteResult,
} from './results.ts';

/** A promise, or what it would give: an object that has the answer at hand gives it at once. */
type Soon<T> = T | Promise<T>;

/** One schema as it is pushed: the JSON text of its content. */
export interface PushedSchema {
  readonly id: string;
  readonly content: string;
}

/** Reads: they change nothing that anyone is told of. */
interface Reads {
  /** To be unpacked by `unpackRead`. */
  read(id: string, viewer: Viewer): Soon<PackedRead>;
  /** The documents among those asked for that there are and that the viewer may read. */
  readMany(request: ReadManyRequest): Soon<ReadManyResult>;
  /** Those of `ids` that no document has. */
  missing(ids: readonly string[]): Soon<readonly string[]>;
  readAcl(id: string, viewer: Viewer): Soon<AclReadResult>;
  /** The document that has a unique value. */
  findUnique(name: string, value: string): Soon<StoredDocument | null>;
  /** The groups that hold an identity. */
  groupsOf(identity: string): Soon<readonly string[]>;
  /** Whether a token of a holder in a version still stands. */
  vouches(id: string, version: number, token: string): Soon<boolean>;
  /** Of the registry of types: whether it has one. */
  hasType(type: string): boolean;
  /** One page of the documents that match, and how many match in all, to be unpacked by `unpackList`. */
  list(name: CollectionName, request: ListRequest): Soon<PackedList>;
  /** To be called by whoever has taken a large page of a list, that is, has answered with it. */
  taken(): Soon<void>;
  /** What a pipeline makes of the documents that the viewer may read. */
  aggregate(name: CollectionName, request: AggregateRequest): Promise<Outcome<OutputPage>>;
  /** Whether a write of the document may go on: the checks that come before its content is looked at. */
  admits(id: string, right: Right, precondition: Precondition): Promise<Outcome<null>>;
}

/** Writes: done, and on the disk, when they answer. */
interface Writes {
  create(name: CollectionName, draft: Draft): Promise<WriteResult>;
  /** The document that has the draft's unique value; made now if there is none. */
  findOrCreate(name: CollectionName, draft: Draft): Promise<WriteResult>;
  /** `overlay`: attributes as sent, where they are stored in another form. */
  update(
    name: CollectionName,
    id: string,
    change: Change,
    precondition: Precondition,
    overlay?: string | null,
  ): Promise<WriteResult>;
  remove(name: CollectionName, id: string, precondition: Precondition): Promise<DeleteResult>;
  /** Does a list of writes, all or nothing. For types that are neither published nor pushed. */
  writeList(name: CollectionName, list: WriteList): Promise<WriteListResult>;
  updateAcl(
    id: string,
    level: AclLevel,
    grants: Readonly<Record<string, Grant>>,
    precondition: Precondition,
  ): Promise<AclResult>;
  /** Ends one token of a holder; `until` is when it would have ended by itself, in seconds. */
  endToken(token: string, until: number): Promise<Outcome<null>>;
}

/** What the service itself asks for, on nobody's behalf. */
interface Upkeep {
  /** The copy of a document for look-ups, as it now is. For published types only. */
  current(id: string): Lookup;
  /** The same, written to KV on the way. */
  lookUp(name: CollectionName, id: string): Promise<Lookup>;
  /** Puts schemas into force for every write from now on. `number` orders pushes: an older one changes nothing. */
  setSchemas(name: CollectionName, number: number, schemas: readonly PushedSchema[]): Promise<void>;
  /** Refuses every later write, for good. */
  seal(): void;
  /** Deletes everything, and refuses every later write. Gives the ids whose look-ups it ended. May be repeated. */
  erase(name: CollectionName): Promise<readonly string[]>;
}

export interface CollectionObject extends Reads, Writes, Upkeep, Rpc.DurableObjectBranded {}
