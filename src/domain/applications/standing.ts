/**
 * What of an application's document every request of its keys goes by: whether it is to be deleted, what it may use,
 * whether changes are noted. A leaf without I/O.
 */
import { APPLICATION_QUOTAS, NO_QUOTAS, readQuotas, type Quotas } from './quotas.ts';
import { memberOf } from '../values/tree.ts';
import type { Fields } from '../values/values.ts';

/** When the application is to be deleted: an attribute that the service makes. */
export const ENDS = 'ends';
export const AUDIT_DAYS = 'audit-days';

export interface ApplicationStanding {
  /** Milliseconds since 1970; null where it is not to be deleted. Until then its keys are not known. */
  readonly ends: number | null;
  readonly quotas: Quotas;
  /** Days for which the audit trail keeps an entry; null where there is none. */
  readonly auditDays: number | null;
}

/** That of an application of which nobody has said anything. */
export const PLAIN_STANDING: ApplicationStanding = { ends: null, quotas: NO_QUOTAS, auditDays: null };

/** The standing that stored attributes say. */
export function standingOf(attributes: Fields): ApplicationStanding {
  const ends = memberOf(attributes, ENDS);
  const auditDays = memberOf(attributes, AUDIT_DAYS);
  return {
    ends: ends instanceof Date ? ends.getTime() : null,
    quotas: readQuotas(memberOf(attributes, 'quotas'), APPLICATION_QUOTAS).quotas,
    auditDays: typeof auditDays === 'number' ? auditDays : null,
  };
}
