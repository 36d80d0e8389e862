/**
 * What a collection may hold of the quotas of its application. The registry of types grants it, in leases that never
 * exceed a quota together. Plain data: it crosses the objects' RPC.
 */
import type { CollectionName } from '../../../domain/documents.ts';
import type { Auditor } from './audit.ts';
import type { Requester } from '../../../domain/rules.ts';
import type { StorageQuotas } from '../../../domain/applications/quotas.ts';
import type { TypeName } from '../../../domain/types.ts';

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
