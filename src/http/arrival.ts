/** The address of a request, before anything else is checked, and the path by which Hono finds routes. */
import { canonicalPath, type CanonicalPath } from '../domain/addresses/canonical.ts';
import { fail, type Outcome } from '../domain/problems.ts';
import { Lru } from '../domain/caching/lru.ts';

interface Address {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Starts with a slash; dot segments are resolved. */
  readonly path: string;
  /** With its question mark; empty if there is none. */
  readonly query: string;
}

export interface Arrival {
  /** True when the request came over TLS. */
  readonly secure: boolean;
  /** Null when host and path do not form an address. */
  readonly address: Address | null;
  readonly canonical: Outcome<CanonicalPath>;
}

/** A cache of one: Hono needs the path, and then the middleware needs the rest. */
let last: { readonly url: string; readonly arrival: Arrival } | undefined;

/** The parts of a request's URL. */
export function arrivalOf(url: string): Arrival {
  if (last?.url === url) return last.arrival;
  const address = addressOf(url);
  const canonical =
    address === null
      ? fail('invalid-path', 'Host and path are no address together.')
      : canonicalPath(address.path);
  const arrival = { secure: url.startsWith('https:'), address, canonical };
  last = { url, arrival };
  return arrival;
}

/**
 * The canonical path, for Hono's `getPath`: routing and permissions see the same one. Without one, a path that no route
 * has; the middleware `requestLine` refuses it.
 */
export function getPath(request: Request): string {
  const { canonical } = arrivalOf(request.url);
  return canonical.ok ? canonical.value.path : '//';
}

/** An address that the URL parser would not change: nothing to resolve, nothing to encode. */
const PLAIN =
  /^(https?:\/\/[^/?#\\]+)((?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)(\?[A-Za-z0-9_.~%&=+,:;*!$()@/-]*)?$/;

/** Origins by the text before the path. One Worker has few hosts, and parsing is expensive. */
const origins = new Lru<string, string>(100);

function addressOf(url: string): Address | null {
  const [, host, path, query = ''] = PLAIN.exec(url) ?? [];
  if (host !== undefined && path !== undefined) {
    const known = origins.get(host);
    if (known !== undefined) return { origin: known, path, query };
  }
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  if (host !== undefined) origins.set(host, parsed.origin);
  return { origin: parsed.origin, path: parsed.pathname, query: parsed.search };
}
