/**
 * What was last known of each used token: a copy in KV, and one of that in each isolate. A copy decides nothing
 * but the end of a token. Otherwise it lets a read go ahead while the session of the holder is asked.
 */
import { waitUntil } from 'cloudflare:workers';
import { LOOKUP_TTL } from '../../collection/rpc/maintenance/lookup.ts';
import type { Environment } from '../../collection/rpc/environment.ts';
import { hourNow } from '../../collection/rpc/sessions/sessions.ts';
import type { TokenStanding } from '../../collection/rpc/sessions/contract.ts';
import { Lru } from '../../domain/caching/lru.ts';
import type { TokenClaims } from '../credentials.ts';

/** As the session told it; without groups where the token has ended. */
export interface TokenCopy extends Omit<TokenStanding, 'isFirst'> {
  /** When it was used last. */
  readonly hour?: number;
}

/** Milliseconds for which an isolate keeps what it has read: KV itself keeps it as long at the location. */
const CACHED_FOR = LOOKUP_TTL * 1_000;

/** The shortest lifetime that KV takes, in seconds. */
const SHORTEST = 60;

/** Of this isolate; null where KV has none. Only genuine tokens get here, so forged ones cannot fill it. */
const cache = new Lru<string, TokenCopy | null>(10_000, CACHED_FOR, true);

/** The copy of a token; null without one. If KV fails, there is none. */
export async function copyOf(environment: Environment, token: TokenClaims): Promise<TokenCopy | null> {
  const key = keyOfToken(token);
  const found = cache.get(key);
  if (found !== undefined) return found;
  const copy = await environment.TOKENS.get<TokenCopy>(key, { type: 'json', cacheTtl: LOOKUP_TTL }).catch(
    () => null,
  );
  cache.set(key, copy);
  return copy;
}

/** Keeps what the session has told, until the token ends by itself; `end` in seconds since 1970. */
export function keepCopy(
  environment: Environment,
  token: TokenClaims,
  end: number,
  standing: TokenStanding,
): void {
  const key = keyOfToken(token);
  const { stands, groups } = standing;
  const copy: TokenCopy =
    stands === true ? { stands, groups, hour: hourNow() } : { stands: false, groups: [] };
  cache.set(key, copy);
  const expirationTtl = Math.max(SHORTEST, end - Math.floor(Date.now() / 1000));
  // Without the copy the next reader asks the session.
  waitUntil(environment.TOKENS.put(key, JSON.stringify(copy), { expirationTtl }).catch(() => undefined));
}

export function isSame(copy: TokenCopy, truth: TokenStanding): boolean {
  return copy.stands === truth.stands && copy.groups.join() === truth.groups.join();
}

/** When each of at most a hundred tokens was used last, in hours since 1970, where a copy tells. */
export async function lastUses(
  environment: Environment,
  tokens: readonly TokenClaims[],
): Promise<readonly (number | undefined)[]> {
  const keys = tokens.map(keyOfToken);
  const copies = await environment.TOKENS.get<TokenCopy>(keys, 'json').catch(() => null);
  return keys.map((key) => copies?.get(key)?.hour);
}

/** With all that decides: whoever knows the secret could sign others with the same id, and these never stood. */
function keyOfToken({ application, holder, id, version }: TokenClaims): string {
  return `${application}/${holder.type}/${holder.id}/${id}/${version}`;
}
