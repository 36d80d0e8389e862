/**
 * What this collection may hold of its application's quotas, as the registry of types has told it, and whether a write
 * stays within. It is known in memory alone: after a restart nothing is allowed until the registry is asked.
 */
import { fail, ok, type Outcome, type Problem } from '../../domain/problems.ts';
import type { StorageQuotas } from '../../domain/applications/quotas.ts';
import { NOTHING, type Amount, type Lease } from '../rpc/writes/target.ts';

/** Seconds within which a change of quotas is obeyed everywhere. */
const AGAIN = 60;

export class QuotaLease {
  #lease: Lease = { documents: 0, bytes: 0, admitted: false, number: 0 };
  /** What this must be at least for the write that was refused last. */
  lacked: Amount = NOTHING;
  /** The quotas that the write which runs must obey; null for none. */
  running: StorageQuotas | null = null;

  get lease(): Lease {
    return this.#lease;
  }

  /** Takes what the registry grants, unless it has asked for it back since. */
  take(lease: Lease): void {
    if (lease.number > this.#lease.number) this.#lease = lease;
  }

  /** Keeps only what the collection holds. */
  giveBack({ documents, bytes }: Amount, number: number): void {
    this.take({ documents, bytes, admitted: documents > 0, number });
  }

  /** Whether the write that runs may add so many documents, and about so many bytes, to what tables hold. */
  admits(tables: { readonly held: Amount }, documents: number, bytes: number): Outcome<null> {
    const quotas = this.running;
    if (quotas === null) return ok(null);
    const { held } = tables;
    const lacking = this.lacking(quotas, held, { documents, bytes });
    if (lacking === null) return ok(null);
    this.lacked = { documents: held.documents + documents, bytes: held.bytes + bytes };
    return exceeded(quotas, lacking);
  }

  /** The quota of which more is needed for a write; null for none. */
  lacking(quotas: StorageQuotas, held: Amount, { documents, bytes }: Amount): keyof StorageQuotas | null {
    const lease = this.#lease;
    if (documents > 0) {
      if (quotas.types !== null && !lease.admitted) return 'types';
      if (quotas.documents !== null && held.documents + documents > lease.documents) return 'documents';
    }
    return bytes > 0 && quotas.bytes !== null && held.bytes + bytes > lease.bytes ? 'bytes' : null;
  }
}

/** 507: a quota is used up. */
export function exceeded(quotas: StorageQuotas, quota: keyof StorageQuotas): Outcome<never> {
  const what = quota === 'types' ? 'documents of' : 'at most';
  const detail = `The application may hold ${what} ${quotas[quota]} ${quota}.`;
  return fail('quota-exceeded', detail, undefined, { quota, 'retry-after': AGAIN });
}

/** The setting of files that limits what one user stores: no lease gives more of it. */
const OF_USER = 'bytes-per-user';

export function userHasEnough(held: number, most: number): Outcome<never> {
  const detail = `A user may store files of ${most} bytes together, and this one has ${held}.`;
  return fail('quota-exceeded', detail, undefined, { quota: OF_USER });
}

/** Whether problems say that a lease lacks something. */
export function areOfQuota(problems: readonly Problem[]): boolean {
  return problems.some(({ code, meta }) => code === 'quota-exceeded' && meta?.['quota'] !== OF_USER);
}
