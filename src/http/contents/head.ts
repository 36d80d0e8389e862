/** What headers say of a content: those of a request, or of its part in a form. */
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import type { ContentRequest } from '../../modules/endpoint.ts';
import { readMediaType } from '../../modules/files/names.ts';
import { FORM, MEDIA_TYPE } from '../negotiation.ts';

export const CONTENT_TYPE = { header: 'Content-Type' };

/** What a file never is: these say how a body is made. */
const ENVELOPES: ReadonlySet<string> = new Set([MEDIA_TYPE, FORM]);

export function mediaTypeOf(header: string | null | undefined): Outcome<string> {
  const type = readMediaType(header ?? 'application/octet-stream');
  const [essence = ''] = type?.split(';') ?? [];
  if (type !== undefined && !ENVELOPES.has(essence)) return ok(type);
  const detail =
    type === undefined
      ? 'The Content-Type must be the media type of the file, such as image/png.'
      : 'Send the file itself, with its own media type; a form has other attributes in its part document.';
  return fail('unsupported-media-type', detail, CONTENT_TYPE);
}

/** The SHA-256 of a `Content-Digest` (RFC 9530), in hexadecimal; null where none is said. */
export function digestOf(header: string | null | undefined): Outcome<string | null> {
  if (header === null || header === undefined || !/(^|,)\s*sha-256=/i.test(header)) return ok(null);
  const [, said = ''] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/i.exec(header) ?? [];
  if (said !== '') return ok(Uint8Array.fromBase64(said).toHex());
  return fail('invalid-header', 'Content-Digest must be sha-256=:BASE64: with 32 bytes.', {
    header: 'Content-Digest',
  });
}

export function contentRequestOf({ headers, method }: Request): ContentRequest {
  return {
    isHead: method === 'HEAD',
    // Ranges are those of GET (RFC 9110, section 14.2).
    range: method === 'HEAD' ? null : headers.get('range'),
    ifRange: headers.get('if-range'),
    ifMatch: headers.get('if-match'),
    ifNoneMatch: headers.get('if-none-match'),
    ifUnmodifiedSince: headers.get('if-unmodified-since'),
    ifModifiedSince: headers.get('if-modified-since'),
    accept: headers.get('accept'),
  };
}
