/**
 * Uploads in several requests, by the protocol of tus 1.0 (https://tus.io, docs/files.md): what has come stays where a
 * request is cut off, and another one goes on from there.
 */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { Stepped, UploadState } from '../../collection/rpc/maintenance/uploads.ts';
import { keyOfContent } from '../../collection/rpc/maintenance/contents.ts';
import { keyOf } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { noMemory } from '../../domain/work/memory.ts';
import { fail, failed, ok, type Outcome } from '../../domain/problems.ts';
import { settingsOf, type Settings } from '../../domain/environment/settings.ts';
import { CORE } from '../../domain/types.ts';
import { pathOfDocument } from '../../domain/addresses/paths.ts';
import { fromBase64 } from '../../domain/values/base64.ts';
import { mayWrite, notPermitted } from '../documents/rights/rules.ts';
import type { Answer, RequestContext } from '../endpoint.ts';
import { PathParameters } from '../path-parameters.ts';
import { createFile } from './handlers.ts';
import { Beginning, LOOKED } from './looks.ts';
import { cleanName, readMediaType } from './names.ts';
import { PartSink } from './part-sink.ts';
import { sourceOf } from './pieces.ts';
import { bytesOfSink } from './sinks.ts';
import { giveUp, noAnswer, type StoredFile } from './upload.ts';
import { withBucket } from './with-bucket.ts';

export const UPLOADS_PATH = '/files/uploads';

/** Bytes of the largest upload. */
export const mostOfUpload = ({ fileBytes }: Pick<Settings, 'fileBytes'>) => fileBytes * LIMITS.uploadTimes;

/** Begins an upload: nothing of the content comes yet. */
export const beginUpload = withBucket(async (context, bucket) => {
  const { headers } = sentIn(context);
  const versioned = checkVersion(headers);
  if (!versioned.ok) return versioned;
  const length = headers.get('upload-length') ?? '';
  if (!/^\d{1,15}$/.test(length)) {
    return fail('invalid-header', 'Upload-Length is the number of bytes.', { header: 'Upload-Length' });
  }
  const most = mostOfUpload(settingsOf(context.environment));
  if (Number(length) > most) {
    return fail('body-too-large', `An upload has at most ${most} bytes.`, { header: 'Upload-Length' });
  }
  const metadata = headers.get('upload-metadata') ?? undefined;
  const said = readMetadata(metadata);
  if (!said.ok) return said;
  if (said.value.name !== null && !mayWrite(context.access.rule, 'name')) {
    return failed(notPermitted('name', '/data/attributes/name'));
  }
  const size = Number(length);
  const begun = { ...said.value, size, owner: ownerOf(context), metadata };
  const { calls } = collectionOf(context, CORE.file);
  const reserved = await calls.reserveContent(size, begun);
  if (!reserved.ok) return reserved;
  const id = reserved.value;
  const made = size === 0 ? await finish(context, bucket, id, begun) : ok(null);
  if (!made.ok) return made;
  return ok({
    status: 201,
    location: `${context.base}${UPLOADS_PATH}/${id}`,
    headers: expiresAt(Date.now() + LIMITS.uploadWaits),
  });
});

/** Tells how far an upload has come; one whose document is there has come as a whole. */
export const lookAtUpload = withBucket(async (context) => {
  const found = await uploadOf(context);
  if (found === null) return noUpload();
  const { due, metadata, offset, size } = found;
  return ok({
    status: 204,
    confidential: true,
    headers: {
      ...{ 'Upload-Offset': String(offset), 'Upload-Length': String(size) },
      ...(due !== null && expiresAt(due)),
      ...(metadata !== undefined && { 'Upload-Metadata': metadata }),
    },
  });
});

/** Ends an upload that is not whole. */
export const endUpload = withBucket(async (context) => {
  const versioned = checkVersion(sentIn(context).headers);
  if (!versioned.ok) return versioned;
  const found = await uploadOf(context);
  if (found === null || found.due === null) return noUpload();
  await giveUp(context, context.parameters.id);
  return ok({ status: 204 });
});

/** Takes the next bytes, also of a client that goes away while they come; the last ones make the document. */
export const continueUpload = withBucket((context, bucket) => {
  const going = goOn(context, bucket);
  sentIn(context).outlive(going.catch(() => undefined));
  return going;
});

async function goOn(context: RequestContext, bucket: R2Bucket): Promise<Outcome<Answer>> {
  const { again, headers, reader } = sentIn(context);
  const { application, environment, memory, parameters } = context;
  const { id } = parameters;
  const checked = checkContinuation(headers);
  if (!checked.ok) return checked;
  const found = await uploadOf(context);
  if (found === null) return noUpload();
  const { checksum, offset } = checked.value;
  const claimed =
    found.due === null
      ? null
      : await collectionOf(context, CORE.file).calls.stepUpload(id, { kind: 'claim', offset });
  if (claimed === null) return conflict(found.offset);
  if (memory !== undefined && !(await memory.hold(bytesOfSink(claimed.state.size), LIMITS.contentDeadline)))
    return noMemory();
  const { calls } = collectionOf(context, CORE.file);
  const key = keyOfContent(application, id);
  const sink = new PartSink({ bucket, key, claimed, isHeldBack: checksum !== null }, (step) =>
    calls.stepUpload(id, step),
  );
  const taken = await take(sink, sourceOf(reader, settingsOf(environment).bodyDeadline), checksum);
  if (!taken.ok) return taken;
  const current = await again();
  if (!current.ok) return current;
  const { size } = claimed.state;
  if (sink.offset < size) {
    const noted = await sink.rest();
    return noted === null ? conflict(offset) : ok(answerAt(noted));
  }
  if (!(await sink.complete())) return conflict(offset);
  const made = await finish(current.value, bucket, id, claimed.state);
  return made.ok ? ok(answerAt({ ...claimed, state: { ...claimed.state, offset: size } }, context)) : made;
}

function answerAt({ due, state: { offset, size } }: Stepped, whole?: RequestContext): Answer {
  const made = whole && `${whole.base}${pathOfDocument(CORE.file, whole.parameters.id)}`;
  return {
    status: 204,
    headers: {
      'Upload-Offset': String(offset),
      'Upload-Length': String(size),
      ...(made === undefined ? expiresAt(due) : { 'Content-Location': made }),
    },
  };
}

interface Checksum {
  readonly algorithm: 'SHA-1' | 'SHA-256';
  /** In hexadecimal. */
  readonly digest: string;
}

/** Moves what comes into parts, as far as it comes; a wrong checksum drops all of it. */
async function take(
  sink: PartSink,
  source: ReturnType<typeof sourceOf>,
  checksum: Checksum | null,
): Promise<Outcome<null>> {
  const digests = checksum === null ? null : new crypto.DigestStream(checksum.algorithm);
  const digesting = digests?.getWriter();
  for (;;) {
    const piece = await source();
    if (!(piece instanceof Uint8Array)) {
      // Without its end nobody knows whether it is right.
      if (checksum === null || piece === null) break;
      return fail('body-too-slow', 'The bytes of the checksum have not arrived.');
    }
    if (!(await sink.write(piece)))
      return fail('body-too-large', 'More bytes have arrived than the upload has.');
    await digesting?.write(piece);
  }
  await digesting?.close();
  const digest = digests === null ? null : new Uint8Array(await digests.digest).toHex();
  if (checksum === null || digest === checksum.digest) return ok(null);
  return fail('checksum-differs', `The ${checksum.algorithm} of the bytes is ${digest}.`, {
    header: 'Upload-Checksum',
  });
}

/** Makes the document of a content that has come as a whole. */
async function finish(
  context: RequestContext,
  bucket: R2Bucket,
  id: DocumentId,
  { mediaType, name, size }: Pick<UploadState, 'mediaType' | 'name' | 'size'>,
): Promise<Outcome<Answer>> {
  const key = keyOfContent(context.application, id);
  if (size === 0) await bucket.put(key, new Uint8Array());
  const whole = await bucket.get(key);
  if (whole === null)
    return fail('unavailable', 'The content is not there yet.', undefined, { 'retry-after': 1 });
  const beginning = new Beginning();
  const digests = new crypto.DigestStream('SHA-256');
  try {
    const first = size === 0 ? null : await bucket.get(key, { range: { length: LOOKED } });
    if (first !== null) await beginning.write(new Uint8Array(await first.arrayBuffer()));
    // The runtime moves them by itself: millions of turns of ours would take minutes.
    await whole.body.pipeTo(digests, { signal: AbortSignal.timeout(LIMITS.contentDeadline) });
  } catch {
    return noAnswer();
  }
  const look = await beginning.look(mediaType);
  if (!look.ok) {
    await giveUp(context, id);
    return look;
  }
  const digest = new Uint8Array(await digests.digest).toHex();
  const stored: StoredFile = { id, name, size, ...look.value, digest };
  return createFile({ ...context, parameters: new PathParameters(CORE.file, { id }), stored });
}

/** The upload of a request, which must be that of its user. `due`: when it ends; null where its document is there. */
async function uploadOf(context: RequestContext) {
  const { id } = context.parameters;
  const collection = collectionOf(context, CORE.file);
  const looked = await collection.calls.stepUpload(id, { kind: 'look' });
  if (looked === null) {
    const read = await collection.read(id, { viewer: context.access.viewer, rule: null });
    const size = read.state === 'found' ? read.document.attributes['size'] : undefined;
    return typeof size === 'number' ? { offset: size, size, metadata: undefined, due: null } : null;
  }
  const { due, state } = looked;
  return state.owner === ownerOf(context) ? { ...state, due } : null;
}

function ownerOf({ access: { creator } }: RequestContext): string | null {
  return creator === null ? null : keyOf(creator);
}

function sentIn({ sent }: RequestContext) {
  if (sent === undefined) throw new Error('The request has no stream.');
  return sent;
}

function checkVersion(headers: Headers): Outcome<null> {
  if (headers.get('tus-resumable') === '1.0.0') return ok(null);
  return fail('precondition-failed', 'Send Tus-Resumable: 1.0.0.', { header: 'Tus-Resumable' });
}

function checkContinuation(headers: Headers) {
  const versioned = checkVersion(headers);
  if (!versioned.ok) return versioned;
  if (headers.get('content-type') !== 'application/offset+octet-stream') {
    const detail = 'Send the bytes as application/offset+octet-stream.';
    return fail('unsupported-media-type', detail, { header: 'Content-Type' });
  }
  const offset = headers.get('upload-offset') ?? '';
  if (!/^\d{1,15}$/.test(offset)) {
    return fail('invalid-header', 'Upload-Offset is a number of bytes.', { header: 'Upload-Offset' });
  }
  const checksum = readChecksum(headers.get('upload-checksum'));
  return checksum.ok ? ok({ offset: Number(offset), checksum: checksum.value }) : checksum;
}

const ALGORITHMS: ReadonlyMap<string, Checksum['algorithm']> = new Map([
  ['sha1', 'SHA-1'],
  ['sha256', 'SHA-256'],
]);

function readChecksum(header: string | null): Outcome<Checksum | null> {
  if (header === null) return ok(null);
  const [name = '', text = ''] = header.split(' ');
  const algorithm = ALGORITHMS.get(name);
  const bytes = fromBase64(text);
  if (algorithm !== undefined && bytes !== undefined && bytes.length > 0) {
    return ok({ algorithm, digest: bytes.toHex() });
  }
  const detail = 'Upload-Checksum is sha1 or sha256, and the digest in base64.';
  return fail('invalid-header', detail, { header: 'Upload-Checksum' });
}

/** `filename` and `filetype`; what else a client says has no meaning here. */
function readMetadata(header = '') {
  if (header.length > LIMITS.uploadMetadata) {
    const most = `Upload-Metadata has at most ${LIMITS.uploadMetadata} characters.`;
    return fail('invalid-header', most, { header: 'Upload-Metadata' });
  }
  const said = new Map(
    header.split(',').map((pair) => {
      const [key = '', text = ''] = pair.trim().split(' ');
      const bytes = fromBase64(text);
      return [key, bytes && new TextDecoder().decode(bytes)] as const;
    }),
  );
  const name = said.get('filename');
  if (name === undefined && said.has('filename'))
    return fail('invalid-header', 'The filename is in base64.', { header: 'Upload-Metadata' });
  // Browsers have an empty type of files that they do not know.
  const type = said.has('filetype') ? said.get('filetype') : '';
  const mediaType = type === '' ? 'application/octet-stream' : readMediaType(type ?? '');
  if (mediaType !== undefined) return ok({ name: name === undefined ? null : cleanName(name), mediaType });
  const detail = 'The filetype is a media type such as image/png, in base64.';
  return fail('unsupported-media-type', detail, { header: 'Upload-Metadata' });
}

function expiresAt(due: number) {
  return { 'Upload-Expires': new Date(due).toUTCString() };
}

function noUpload() {
  return fail('not-found', 'There is no such upload, or it has ended.');
}

function conflict(offset: number) {
  const detail = `The upload is not there, or somebody else goes on with it: it has ${offset} bytes.`;
  return fail('offset-conflict', detail, { header: 'Upload-Offset' });
}
