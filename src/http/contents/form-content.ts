/** A content that comes in a form, beside the document that says more of it (docs/files.md). */
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { LIMITS } from '../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { joined } from '../../domain/values/bytes.ts';
import type { Parsed } from '../../domain/values/json.ts';
import { nameIn, partNameIn } from '../../modules/files/names.ts';
import type { Piece, Source } from '../../modules/files/pieces.ts';
import { giveUp, storeFile, type StoredFile } from '../../modules/files/upload.ts';
import { parsedBytes } from '../body.ts';
import { digestOf, mediaTypeOf } from './head.ts';
import type { Form, PartHead } from './form.ts';

/** Bytes that a form may have beside the content: its document, delimiters, headers. */
export const BESIDE_CONTENT = LIMITS.body + 64 * 1024;

/** Stores the content of a form, at most so many bytes. The document may come before or after it. */
export async function storeForm(
  uploader: CallContext,
  form: Form,
  most: number,
): Promise<Outcome<StoredFile>> {
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
  source: Source,
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

async function readDocument(read: Source): Promise<Outcome<Parsed>> {
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
