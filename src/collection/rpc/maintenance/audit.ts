/** The audit trail: who writes, and what was changed. Plain data: it crosses the objects' RPC. */
import type { DocumentId } from '../../../domain/ids.ts';

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
  readonly id: DocumentId;
  readonly change: ChangeKind;
  /** Names of fields that have changed; the first of them. */
  readonly fields: readonly string[];
}

/** What one write has changed, on its way to the trail. */
export interface AuditMessage {
  readonly auditor: Auditor;
  readonly changes: readonly Audited[];
}
