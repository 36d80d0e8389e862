/**
 * The keys that OpenID Connect issuers publish: a remote key set of jose's per issuer and isolate, which keeps them for
 * ten minutes, waits five seconds and follows no redirect. The function that fetches for jose adds what jose lacks: it
 * finds the keys by the issuer's configuration, and limits the size of an issuer's answers and the rate of requests to
 * it.
 */
import { createRemoteJWKSet, customFetch, type FetchImplementation } from 'jose';
import { Lru } from '../domain/caching/lru.ts';
import { isSafeAddress } from './issuers.ts';
import { recall } from '../domain/caching/recall.ts';

/** Bytes of one answer. */
const LARGEST = 256 * 1024;

/**
 * Fetches for one issuer in a minute: of keys when there are none, and again for a key that the set lacks. Forged
 * tokens must not make this service flood the issuer. jose's cooldown would leave a new key unknown for half a minute.
 */
const FETCHES = { first: 100, again: 30 };
const MINUTE = 60_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/**
 * Requests share a set, but in workerd no fetch: jose drops a pending one there, because it ends with the request that
 * began it.
 */
const keySets = new Lru<string, KeySet>(1000);
const fetches = new Lru<string, readonly number[]>(2000);

/** The issuer's keys. A lookup throws the reason why a key cannot be fetched. */
export function keysOf(issuer: string): KeySet {
  return recall(keySets, issuer, keySetOf);
}

/**
 * By the issuer's published configuration (OpenID Connect Discovery 1.0, section 4), which is read again with the keys.
 */
function keySetOf(issuer: string): KeySet {
  const fetchKeys: FetchImplementation = async (configurationAddress, options) => {
    countFetch(issuer, keySet.fresh ? 'again' : 'first');
    const configuration = await fetchBounded(configurationAddress, options);
    const address = keysAddress(issuer, configuration.ok ? await configuration.json() : null);
    return fetchBounded(address, options);
  };
  const address = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const keySet = createRemoteJWKSet(address, { cooldownDuration: 0, [customFetch]: fetchKeys });
  return keySet;
}

/** The address of the keys in a configuration. */
function keysAddress(issuer: string, configuration: unknown): string {
  const { issuer: named, jwks_uri: address } = Object(configuration) as Readonly<Record<string, unknown>>;
  // A configuration of another issuer would let it speak for this one (section 4.3).
  if (named !== issuer) throw new Error('The configuration is not that of the issuer.');
  if (typeof address !== 'string' || !isSafeAddress(address))
    throw new Error('The keys have no safe address.');
  if (issuer.startsWith('https:') && !address.startsWith('https:'))
    throw new Error('The keys come in the open.');
  return address;
}

function countFetch(issuer: string, reason: keyof typeof FETCHES): void {
  const key = `${reason} ${issuer}`;
  const now = Date.now();
  const recent = (fetches.get(key) ?? []).filter((time) => time > now - MINUTE);
  if (recent.length >= FETCHES[reason]) throw new Error('The issuer has been asked too often.');
  fetches.set(key, [...recent, now]);
}

/** A complete answer, or an error as soon as it is too large. */
async function fetchBounded(address: string, options: RequestInit): Promise<Response> {
  const { body, status } = await fetch(address, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  return new Response(new Blob(chunks), { status });
}
