/**
 * The keys that OpenID Connect issuers publish, fetched and kept per isolate. What an issuer answers is foreign: it is
 * read within a time and a size, redirects are not followed, and every failure comes out as "no keys".
 */
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { Lru } from '../domain/lru.ts';
import { isSafeAddress } from './issuers.ts';

/** Milliseconds that fetched keys are used: what an issuer withdrew is refused after that at the latest. */
const LIFETIME = 10 * 60_000;

/** Milliseconds that one answer may take. */
const PATIENCE = 5000;

/** Bytes of one answer. */
const LARGEST = 256 * 1024;

/**
 * Fetches for one issuer in a minute: of the first keys, and again for keys nobody knows yet. Whoever makes tokens up
 * must not make this service a hammer.
 */
const FETCHES = { first: 100, again: 30 };
const MINUTE = 60_000;

/** Keys as of one fetch. */
export interface KeySet {
  readonly keys: JWTVerifyGetKey;
  readonly until: number;
}

/** Results only, never promises: a promise ends with the request that made it, and would leave others waiting. */
const keySets = new Lru<string, KeySet>(1000);
const fetches = new Lru<string, readonly number[]>(2000);

/** The issuer's keys, or null when they can not be had. */
export async function keysOf(issuer: string): Promise<KeySet | null> {
  const known = keySets.get(issuer);
  return known !== undefined && known.until > Date.now() ? known : fetchKeys(issuer, 'first');
}

/** The issuer's keys after some in which one was missing, or null when there is no newer set to be had. */
export async function newerKeysOf(issuer: string, former: KeySet): Promise<KeySet | null> {
  const known = keySets.get(issuer);
  return known !== undefined && known !== former ? known : fetchKeys(issuer, 'again');
}

/** By the issuer's published configuration (OpenID Connect Discovery 1.0, section 4). */
async function fetchKeys(issuer: string, reason: keyof typeof FETCHES): Promise<KeySet | null> {
  if (!mayFetch(issuer, reason)) return null;
  const configuration = await fetchObject(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  // A configuration of another issuer would let it speak for this one (section 4.3).
  if (configuration?.['issuer'] !== issuer) return null;
  const address = configuration['jwks_uri'];
  if (typeof address !== 'string' || !isSafeAddress(address)) return null;
  if (issuer.startsWith('https:') && !address.startsWith('https:')) return null;
  const set = await fetchObject(address);
  if (set === null) return null;
  try {
    const keySet = { keys: createLocalJWKSet(set as unknown as JSONWebKeySet), until: Date.now() + LIFETIME };
    keySets.set(issuer, keySet);
    return keySet;
  } catch {
    return null;
  }
}

function mayFetch(issuer: string, reason: keyof typeof FETCHES): boolean {
  const key = `${reason} ${issuer}`;
  const now = Date.now();
  const recent = (fetches.get(key) ?? []).filter((time) => time > now - MINUTE);
  if (recent.length >= FETCHES[reason]) return false;
  fetches.set(key, [...recent, now]);
  return true;
}

/** The JSON object at an address, or null for whatever else comes or does not come. */
async function fetchObject(address: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    });
    const text = response.status === 200 ? await readText(response) : undefined;
    const json = text === undefined ? null : (JSON.parse(text) as unknown);
    return typeof json === 'object' ? (json as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}

/** The body as text, or undefined as soon as it is too large. */
async function readText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const body: AsyncIterable<Uint8Array> | null = response.body;
  let text = '';
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > LARGEST) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
