/**
 * The keys that OpenID Connect issuers publish: a remote key set of jose's per issuer and isolate, which keeps them for
 * ten minutes, waits five seconds and follows no redirect. The function that fetches for jose adds what jose lacks: it
 * finds the keys by the issuer's configuration, and limits the size of its answers and the rate of requests.
 */
import { createRemoteJWKSet, customFetch, type FetchImplementation } from 'jose';
import { Lru } from '../domain/caching/lru.ts';
import { ANY_TENANT, isSafeAddress, ofTenant } from './issuers.ts';
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

/** Requests share a set, but in workerd no fetch: jose drops a pending one there, as it ends with its request. */
const keySets = new Lru<string, KeySet>(1000);
const fetches = new Lru<string, readonly number[]>(2000);

/** The issuer's keys. A lookup throws the reason why a key cannot be fetched. `outward`: reaches no private network. */
export function keysOf(issuer: string, outward?: Fetcher): KeySet {
  return recall(keySets, `${outward === undefined ? '' : 'outward '}${issuer}`, () =>
    keySetOf(issuer, senderOf(outward)),
  );
}

/** Sends requests to the world, or to the public part of it. */
type Send = typeof fetch;

function senderOf(outward: Fetcher | undefined): Send {
  return outward === undefined ? fetch : outward.fetch.bind(outward);
}

/** What an issuer publishes of itself: of all that, what logins need. */
export type Configuration = Readonly<Record<string, unknown>>;

const NEEDED = [
  ...['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint'],
  ...['token_endpoint_auth_methods_supported', 'authorization_response_iss_parameter_supported'],
];

/** Milliseconds that an issuer has to answer, and for which its configuration is kept. */
const PATIENCE = 5_000;
const CACHED_FOR = 600_000;

const configurations = new Lru<string, Configuration>(1000, CACHED_FOR);

/** The configuration of an issuer; throws the reason why there is none. */
export async function configurationOf(issuer: string, outward?: Fetcher): Promise<Configuration> {
  const known = configurations.get(issuer);
  if (known !== undefined) return known;
  countFetch(issuer, 'first');
  const answer = await fetchBounded(senderOf(outward), configurationAddress(issuer), {
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE),
  });
  const published = ofIssuer(issuer, answer.ok ? await answer.json() : null);
  const configuration = Object.fromEntries(NEEDED.map((name) => [name, published[name]]));
  configurations.set(issuer, configuration);
  return configuration;
}

interface Asking extends Omit<RequestInit, 'body' | 'headers'> {
  readonly body?: BodyInit | null | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an address of a provider answers; throws where it refuses. */
export async function askProvider(
  address: string,
  { body = null, headers, ...options }: Asking,
  outward?: Fetcher,
): Promise<Response> {
  const answer = await fetchBounded(senderOf(outward), address, {
    ...{ ...options, body },
    // GitHub answers nobody without a name.
    headers: { ...headers, 'user-agent': 'foredge' },
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!answer.ok) throw new Error(`The provider answered ${answer.status}.`);
  return answer;
}

function configurationAddress(issuer: string): string {
  return new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`).href;
}

/**
 * By the issuer's published configuration (OpenID Connect Discovery 1.0, section 4), which is read again with the keys.
 */
function keySetOf(issuer: string, send: Send): KeySet {
  const fetchKeys: FetchImplementation = async (published, options) => {
    countFetch(issuer, keySet.fresh ? 'again' : 'first');
    const answer = await fetchBounded(send, published, options);
    const configuration = ofIssuer(issuer, answer.ok ? await answer.json() : null);
    const address = addressIn(issuer, configuration, 'jwks_uri');
    return fetchBounded(send, address, options);
  };
  const keySet = createRemoteJWKSet(new URL(configurationAddress(issuer)), {
    cooldownDuration: 0,
    [customFetch]: fetchKeys,
  });
  return keySet;
}

/** A configuration of another issuer would let it speak for this one (section 4.3). */
function ofIssuer(issuer: string, configuration: unknown): Configuration {
  const read = Object(configuration) as Configuration;
  if (read['issuer'] !== issuer && read['issuer'] !== ofTenant(issuer, ANY_TENANT))
    throw new Error('The configuration is not that of the issuer.');
  return read;
}

/** An address in a configuration, as safe as that of the issuer. */
export function addressIn(issuer: string, configuration: Configuration, name: string): string {
  const address = configuration[name];
  if (typeof address !== 'string' || !isSafeAddress(address))
    throw new Error(`The ${name} is no safe address.`);
  if (issuer.startsWith('https:') && !address.startsWith('https:'))
    throw new Error(`The ${name} is in the open.`);
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
async function fetchBounded(send: Send, address: string, options: RequestInit): Promise<Response> {
  const { body, headers, status } = await send(address, options);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > LARGEST) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  const type = headers.get('content-type') ?? '';
  return new Response(new Blob(chunks), { status, headers: { 'content-type': type } });
}
