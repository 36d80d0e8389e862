/**
 * For whom a collection writes, what its audit trail notes of them, and what it may hold of its application's quotas:
 * the registry of types grants that, in leases that never exceed a quota together. Plain data: it crosses objects' RPC.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import type { Requester } from '../../../domain/rules.ts';
import type { StorageQuotas } from '../../../domain/applications/quotas.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { DocumentId } from '../../../domain/ids.ts';

/** A collection as a write names it; with the quotas that the write must obey, if there are any. */
export interface WriteTarget extends CollectionName {
  readonly quotas?: StorageQuotas;
  /** Who writes, where the application keeps an audit trail. */
  readonly auditor?: Auditor;
  /** Who writes, as checks of the type see it. */
  readonly requester?: Requester;
}

/** Documents, and bytes of a database. */
export interface Amount {
  readonly documents: number;
  readonly bytes: number;
}

export const NOTHING: Amount = { documents: 0, bytes: 0 };

/** What a collection asks for. */
export interface LeaseRequest {
  readonly type: TypeName;
  readonly quotas: StorageQuotas;
  /** What it holds. */
  readonly present: Amount;
  /** What it would hold. */
  readonly needed: Amount;
}

/** What it may hold. */
export interface Lease extends Amount {
  /** Whether the type is among those that may hold documents. */
  readonly admitted: boolean;
  /** Later grants have higher numbers. */
  readonly number: number;
}

/** The request that writes, where its application keeps an audit trail. */
export interface Auditor {
  /** Days for which an entry is kept. */
  readonly days: number;
  readonly key: DocumentId;
  /** Null for none. */
  readonly keyName: string | null;
  /** The user, as `keyOf` writes it, if the request says who that is. */
  readonly user: string | null;
  readonly request: string;
  readonly method: string;
}

export type ChangeKind = 'create' | 'update' | 'delete' | 'acl' | 'relationships' | 'restore';

/** A change of one document. Never a value of it. */
export interface Audited {
  /** The id of the entry: it is stored once, however often it is delivered. */
  readonly entry: DocumentId;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly type: string;
  /** Null of a user who was erased. */
  readonly id: DocumentId | null;
  readonly change: ChangeKind;
  /** Names of fields that have changed; the first of them. */
  readonly fields: readonly string[];
}

/** What one write has changed, on its way to the trail. */
export interface AuditMessage {
  readonly auditor: Auditor;
  readonly changes: readonly Audited[];
}
