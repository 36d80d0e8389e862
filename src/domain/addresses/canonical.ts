/**
 * The one form of a path that both routing and permissions see, so that no way of writing a path opens a second
 * way in (decisions, section 4). The URL parser has resolved dot segments before.
 */
import { LIMITS } from '../limits.ts';
import { fail, ok, type Outcome } from '../problems.ts';
import { isAggregateType } from '../types.ts';
import { decodedParts } from './decoding.ts';

export interface CanonicalPath {
  /** Each segment percent-encoded in one way; ids in lower case. */
  readonly path: string;
  /** The segments decoded. An encoded slash is a character of its segment, not a separator. */
  readonly segments: readonly string[];
}

const PLAIN = /^[A-Za-z0-9/_.-]*$/;
const HEX_ID = /^[0-9a-fA-F]{24}$/;
const UPPER = /[A-F]/;

export function canonicalPath(pathname: string): Outcome<CanonicalPath> {
  if (pathname.length > LIMITS.path) return fail('path-too-long', `A path has at most ${LIMITS.path} bytes.`);
  const raw = pathname.slice(1).split('/');
  const plain = PLAIN.test(pathname);
  const segments = plain ? raw : decodedParts(raw);
  if (segments === undefined) return fail('invalid-path', 'The path is not percent-encoded UTF-8.');
  const lowered = lowerId(segments);
  // What is plain is its own encoding.
  const path = plain && lowered === segments ? pathname : `/${lowered.map(encodeURIComponent).join('/')}`;
  return ok({ path, segments: lowered });
}

/** Documents of aggregates alone have ids that are not 24 hexadecimal digits, and keep their case. */
function lowerId(segments: readonly string[]): readonly string[] {
  const [, type = '', id] = segments;
  if (id === undefined || isAggregateType(type) || !HEX_ID.test(id) || !UPPER.test(id)) return segments;
  return segments.with(2, id.toLowerCase());
}
