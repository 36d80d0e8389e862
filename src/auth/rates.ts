/**
 * Requests a second, as quotas limit them: a bucket of tokens in this isolate's memory for each application and key
 * with a quota. A bucket holds what one second allows and fills evenly, so requests may come at once or one by one.
 */
import { Lru } from '../domain/caching/lru.ts';
import { fail, ok, type Outcome } from '../domain/problems.ts';
import type { ApiKey } from './keys.ts';
import type { Quotas } from '../domain/applications/quotas.ts';

interface Bucket {
  tokens: number;
  /** When it had them, in milliseconds since 1970. */
  at: number;
}

interface Rate {
  /** Whose bucket it is. */
  readonly key: string;
  /** The same for people. */
  readonly of: string;
  /** Tokens a second. */
  readonly rate: number;
}

/** Only of genuine credentials, so others cannot fill it. */
const buckets = new Lru<string, Bucket>(20_000);

const PAID = ok(null);

/** Takes a token from the key's bucket and one from the application's, or none of both: 429. */
export function paced({ application, id, requests }: ApiKey, quotas: Quotas): Outcome<null> {
  if (requests === null && quotas.requests === null) return PAID;
  const rates: Rate[] = [];
  if (requests !== null) rates.push({ key: `${application}/${id}`, of: 'API key', rate: requests });
  if (quotas.requests !== null) {
    rates.push({ key: application, of: 'application', rate: quotas.requests });
  }
  const now = Date.now();
  const filled = rates.map((each) => ({ ...each, tokens: tokensOf(each, now) }));
  const empty = filled.find(({ tokens }) => tokens < 1);
  for (const { key, tokens } of filled) {
    buckets.set(key, { tokens: empty === undefined ? tokens - 1 : tokens, at: now });
  }
  if (empty === undefined) return PAID;
  const { of, rate, tokens } = empty;
  return fail('rate-exceeded', `The ${of} may send ${rate} requests a second.`, undefined, {
    'retry-after': Math.ceil((1 - tokens) / rate),
  });
}

function tokensOf({ key, rate }: Rate, now: number): number {
  const bucket = buckets.get(key);
  if (bucket === undefined) return rate;
  // A clock that was set back takes nothing away.
  const seconds = Math.max(0, now - bucket.at) / 1000;
  return Math.min(rate, bucket.tokens + seconds * rate);
}
