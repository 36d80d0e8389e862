/**
 * Quotas: what an application, or an API key, may use (docs/operating.md). They are the attribute `quotas` of the
 * application's document, which only the operator writes, and of the key's. A leaf without I/O.
 */
import { LIMITS } from '../limits.ts';
import { unknownName } from '../names.ts';
import { isFields, type Value } from '../values/values.ts';

/** What an application may store; null for any number. */
export interface StorageQuotas {
  /** Of all types but tokens, together. */
  readonly documents: number | null;
  /** Of the databases of all types, indexes included. */
  readonly bytes: number | null;
  /** Types, chosen by clients, that hold documents. */
  readonly types: number | null;
}

export interface Quotas extends StorageQuotas {
  /** Requests a second, in one isolate; null for any number. */
  readonly requests: number | null;
}

export type QuotaName = keyof Quotas;

export const NO_QUOTAS: Quotas = { requests: null, documents: null, bytes: null, types: null };

/** The quotas that an application may have, and those of an API key. */
export const APPLICATION_QUOTAS: readonly QuotaName[] = ['requests', 'documents', 'bytes', 'types'];
export const KEY_QUOTAS: readonly QuotaName[] = ['requests'];

/** The least and the largest number of each. */
const BOUNDS: Readonly<Record<QuotaName, readonly [number, number]>> = {
  requests: [1, LIMITS.requestsQuota],
  documents: [0, Number.MAX_SAFE_INTEGER],
  bytes: [0, Number.MAX_SAFE_INTEGER],
  types: [0, Number.MAX_SAFE_INTEGER],
};

/** A fault of an attribute `quotas`: the faulty member, or null for the whole. */
interface QuotaFault {
  readonly member: string | null;
  readonly detail: string;
}

/** An attribute `quotas` that may have these members; null or absent for none. What is faulty limits nothing. */
export function readQuotas(value: Value | undefined, names: readonly QuotaName[]) {
  if (value === undefined || value === null) return { quotas: NO_QUOTAS, faults: [] };
  if (!isFields(value)) {
    const detail = `The quotas must be null, or an object with ${names.join(', ')}.`;
    return { quotas: NO_QUOTAS, faults: [{ member: null, detail }] };
  }
  const faults: QuotaFault[] = [];
  const quotas: Record<QuotaName, number | null> = { ...NO_QUOTAS };
  for (const [member, number] of Object.entries(value)) {
    const name = names.find((each) => each === member);
    if (name === undefined) {
      faults.push({ member, detail: unknownName(member, { what: 'quota', names }) });
      continue;
    }
    const [least, most] = BOUNDS[name];
    if (number === null) continue;
    if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) {
      quotas[name] = number;
    } else {
      faults.push({ member, detail: `A quota must be a whole number from ${least} to ${most}, or null.` });
    }
  }
  return { quotas, faults };
}

/** What limits storing; undefined where nothing does. */
export function storageQuotasOf({ documents, bytes, types }: Quotas): StorageQuotas | undefined {
  return documents === null && bytes === null && types === null ? undefined : { documents, bytes, types };
}
