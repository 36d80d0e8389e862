/** The address of a request in the parts that the service asks for. */
import { Lru } from '../domain/lru.ts';

export interface Address {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Starts with a slash; dot segments are resolved. */
  readonly path: string;
  /** With its question mark; empty where there is none. */
  readonly query: string;
}

/** An address whose path and query are as the URL parser would leave them: nothing to resolve, nothing to encode. */
const PLAIN =
  /^(https?:\/\/[^/?#\\]+)((?:\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)+)(\?[A-Za-z0-9_.~%&=+,:;*!$()@/-]*)?$/;

/** Origins by what stands before the path. Few hosts serve one Worker, and parsing is what costs. */
const origins = new Lru<string, string>(100);

/** The parts of a request's URL, or null when host and path are no address together. */
export function addressOf(url: string): Address | null {
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
