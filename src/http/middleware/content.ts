/** The content of a file as the body of a request: what its headers say is checked before the first byte is taken. */
import { settingsOf } from '../../domain/settings.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { readMediaType, nameIn } from '../../modules/files/names.ts';
import { giveUp, storeFile, type SentFile } from '../../modules/files/upload.ts';
import { replyOfProblems } from '../answer.ts';
import { drainBriefly } from '../body.ts';
import { MEDIA_TYPE } from '../negotiation.ts';
import type { Step } from '../types.ts';
import { stillPermitted } from './body.ts';

/** Stores the content, for the handler that makes its document. */
export const content: Step = async (c) => {
  const begun = Date.now();
  const { application, quotas } = c.get('caller');
  const uploader = { environment: c.env, application, quotas };
  const { bodyDeadline, fileBytes } = settingsOf(c.env);
  const { body, headers } = c.req.raw;
  const sent = readHead(headers, body, fileBytes);
  const stored = sent.ok ? await storeFile(uploader, sent.value, bodyDeadline) : sent;
  if (!stored.ok) {
    if (body?.locked === false) await drainBriefly(body.getReader());
    return c.render(replyOfProblems(stored.problems));
  }
  c.set('stored', stored.value);
  const current = await stillPermitted(c, begun);
  if (current.ok) return undefined;
  await giveUp(uploader, stored.value.id);
  return c.render(replyOfProblems(current.problems));
};

function readHead(headers: Headers, body: SentFile['body'], most: number): Outcome<SentFile> {
  const mediaType = mediaTypeOf(headers.get('content-type'));
  if (!mediaType.ok) return mediaType;
  const length = headers.get('content-length');
  if (length === null || !/^\d{1,15}$/.test(length)) {
    return fail('length-required', 'Send the content with its Content-Length.', { header: 'Content-Length' });
  }
  const size = Number(length);
  if (size > most) {
    return fail('body-too-large', `A file has at most ${most} bytes.`, { header: 'Content-Length' });
  }
  const digest = digestOf(headers.get('content-digest'));
  if (!digest.ok) return digest;
  const name = nameIn(headers.get('content-disposition'));
  return ok({ name, mediaType: mediaType.value, size, digest: digest.value, body });
}

/** What a file never is: these say how a body is made. */
const ENVELOPES: ReadonlySet<string> = new Set([MEDIA_TYPE, 'multipart/form-data']);

function mediaTypeOf(header: string | null): Outcome<string> {
  const type = readMediaType(header ?? 'application/octet-stream');
  const [essence = ''] = type?.split(';') ?? [];
  if (type !== undefined && !ENVELOPES.has(essence)) return ok(type);
  const detail =
    type === undefined
      ? 'The Content-Type must be the media type of the file, such as image/png.'
      : 'Send the file itself as the body, with its own media type; its other attributes are changed by PATCH.';
  return fail('unsupported-media-type', detail, { header: 'Content-Type' });
}

/** The SHA-256 of a `Content-Digest` (RFC 9530), in hexadecimal; null where none is said. */
function digestOf(header: string | null): Outcome<string | null> {
  if (header === null || !/(^|,)\s*sha-256=/i.test(header)) return ok(null);
  const [, said = ''] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):\s*(?:,|$)/i.exec(header) ?? [];
  if (said !== '') return ok(Uint8Array.fromBase64(said).toHex());
  return fail('invalid-header', 'Content-Digest must be sha-256=:BASE64: with 32 bytes.', {
    header: 'Content-Digest',
  });
}
