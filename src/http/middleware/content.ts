/** The content of a file as the body of a request: what its headers say is checked before the first byte is taken. */
import type { Context } from 'hono';
import { namedBy } from '../../auth/rules.ts';
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { LIMITS } from '../../domain/limits.ts';
import { noMemory, type RequestMemory } from '../../domain/work/memory.ts';
import { settingsOf } from '../../domain/environment/settings.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { nameIn, partNameIn } from '../../modules/files/names.ts';
import { readerOf, sourceOf, type PieceSource, type Piece } from '../../modules/files/pieces.ts';
import type { Endpoint } from '../../modules/endpoint.ts';
import { giveUp, storeFile, type SentFile, type StoredFile } from '../../modules/files/upload.ts';
import { replyOfProblems } from '../answer.ts';
import { drainBriefly, parsedBytes } from '../body.ts';
import { bytesOfSink } from '../../modules/files/sinks.ts';
import { Form, type PartHead } from '../contents/form.ts';
import { CONTENT_TYPE, digestOf, mediaTypeOf } from '../contents/head.ts';
import { boundaryOf } from '../negotiation.ts';
import type { RequestCheck, Types } from '../types.ts';
import { stillPermitted } from './body.ts';
import { joined } from '../../domain/values/bytes.ts';
import type { Parsed } from '../../domain/values/json.ts';

/** Stores the content, for the handler that makes its document. */
export function content({ stores }: Endpoint): RequestCheck {
  return (c) => contentStep(c, stores);
}

async function contentStep(c: Context<Types>, stores: Endpoint['stores']): Promise<Response | undefined> {
  const begun = Date.now();
  const { access, apiKey, application, quotas } = c.get('caller');
  const { memory } = c.get('surroundings');
  const requester = { key: apiKey, named: namedBy(access.holder) };
  const uploader = { environment: c.env, application, quotas, requester };
  const { bodyDeadline, fileBytes } = settingsOf(c.env);
  const { body, headers } = c.req.raw;
  const reader = body === null ? undefined : readerOf(body);
  const sent = readHead(headers, fileBytes);
  const source = sourceOf(reader, bodyDeadline);
  const stored = sent.ok
    ? await storeSent(sent.value, source, { uploader, memory, stores: stores?.(c.get('parameters')) })
    : sent;
  if (!stored.ok) {
    await drainBriefly(reader);
    return c.render(replyOfProblems(stored.problems));
  }
  c.set('stored', stored.value);
  const current = await stillPermitted(c, begun);
  if (current.ok) return undefined;
  await giveUp(uploader, stored.value.id);
  return c.render(replyOfProblems(current.problems));
}

/** What the headers of the request say of its content, or the boundary of the form that has it. */
interface Head extends Omit<SentFile, 'source' | 'isExact'> {
  readonly boundary: string | null;
}

interface Storing {
  readonly uploader: CallContext;
  readonly memory: RequestMemory;
  readonly stores: typeof storeFile | undefined;
}

async function storeSent(
  { boundary, ...said }: Head,
  source: PieceSource,
  { uploader, memory, stores = storeFile }: Storing,
): Promise<Outcome<StoredFile>> {
  if (boundary === null) return stores(uploader, { ...said, isExact: true, source });
  const isHeld = await memory.hold(
    bytesOfSink(said.size) + Math.min(said.size, LIMITS.body),
    LIMITS.contentDeadline,
  );
  return isHeld ? storeForm(uploader, new Form(source, boundary), said.size) : noMemory();
}

function readHead(headers: Headers, most: number): Outcome<Head> {
  const boundary = boundaryOf(headers.get('content-type'));
  if (boundary === '') return fail('unsupported-media-type', 'A form has a boundary.', CONTENT_TYPE);
  const mediaType = boundary === null ? mediaTypeOf(headers.get('content-type')) : ok('');
  if (!mediaType.ok) return mediaType;
  const length = headers.get('content-length');
  if (length === null || !/^\d{1,15}$/.test(length)) {
    return fail('length-required', 'Send the content with its Content-Length.', { header: 'Content-Length' });
  }
  const size = Number(length);
  if (size > most + (boundary === null ? 0 : BESIDE_CONTENT)) {
    return fail('body-too-large', `A file has at most ${most} bytes.`, { header: 'Content-Length' });
  }
  const digest = digestOf(headers.get('content-digest'));
  if (!digest.ok) return digest;
  if (boundary !== null && digest.value !== null) {
    const detail = 'Send the digest of the content as a header of its part of the form.';
    return fail('invalid-header', detail, { header: 'Content-Digest' });
  }
  const name = nameIn(headers.get('content-disposition'));
  return ok({ name, mediaType: mediaType.value, size: Math.min(size, most), digest: digest.value, boundary });
}

/** Bytes that a form may have beside the content: its document, delimiters, headers. */
const BESIDE_CONTENT = LIMITS.body + 64 * 1024;

/** Stores the content of a form, at most so many bytes. The document may come before or after it. */
async function storeForm(uploader: CallContext, form: Form, most: number): Promise<Outcome<StoredFile>> {
  const parts: { content?: StoredFile; document?: Parsed } = {};
  const read = await readParts(uploader, form, most, parts);
  const { content, document } = parts;
  if (read.ok && content !== undefined) return ok({ ...content, document });
  if (content !== undefined) await giveUp(uploader, content.id);
  return read.ok ? fail('invalid-body', `The form has no content. ${PARTS}`) : read;
}

const PARTS = 'Its parts are content, which is the file, and document, which is optional: {"data": …}.';

/** Reads all parts of a form, and notes what has come. */
async function readParts(
  uploader: CallContext,
  form: Form,
  most: number,
  parts: { content?: StoredFile; document?: Parsed },
): Promise<Outcome<null>> {
  for (;;) {
    const head = await form.next();
    if (head === null) return ok(null);
    if (head === 'broken' || head === 'late') return notCome(head);
    const name = partNameIn(head.get('content-disposition'));
    if (name === 'content' && parts.content === undefined) {
      const stored = await storePart(uploader, head, form.read, most);
      if (!stored.ok) return stored;
      parts.content = stored.value;
    } else if (name === 'document' && parts.document === undefined) {
      const document = await readDocument(form.read);
      if (!document.ok) return document;
      parts.document = document.value;
    } else {
      const what = name === 'content' || name === 'document' ? 'two such parts' : 'a part of another name';
      return fail('invalid-body', `The form has ${what}. ${PARTS}`);
    }
  }
}

function storePart(
  uploader: CallContext,
  head: PartHead,
  source: PieceSource,
  size: number,
): Outcome<never> | Promise<Outcome<StoredFile>> {
  const mediaType = mediaTypeOf(head.get('content-type'));
  if (!mediaType.ok) return mediaType;
  const digest = digestOf(head.get('content-digest'));
  if (!digest.ok) return digest;
  const name = nameIn(head.get('content-disposition') ?? null, true);
  const said = { name, mediaType: mediaType.value, digest: digest.value };
  return storeFile(uploader, { ...said, size, isExact: false, source });
}

async function readDocument(read: PieceSource): Promise<Outcome<Parsed>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const piece = await read();
    if (piece === null) return parsedBytes(joined(...pieces), LIMITS.jsonDepth);
    if (piece === 'broken' || piece === 'late') return notCome(piece);
    size += piece.length;
    if (size > LIMITS.body) {
      return fail('body-too-large', `The document of a form has at most ${LIMITS.body} bytes.`);
    }
    pieces.push(piece);
  }
}

function notCome(piece: Extract<Piece, string>): Outcome<never> {
  return piece === 'late'
    ? fail('body-too-slow', 'The form has not arrived in time.')
    : fail('invalid-body', 'The body is no form with this boundary, or has not arrived as a whole.');
}
