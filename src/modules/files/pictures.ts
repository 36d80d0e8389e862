/** Cloudflare's Images makes pictures in sizes once; the bucket keeps them as long as the content they are made of. */
import type { CallContext } from '../../collection/rpc/call-context.ts';
import { prefixOfPictures } from '../../collection/rpc/maintenance/contents.ts';
import { LIMITS } from '../../domain/limits.ts';
import { noMemory, RequestMemory } from '../../domain/work/memory.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { joined } from '../../domain/values/bytes.ts';
import { within } from '../../domain/values/within.ts';
import type { Answer, ContentRequest } from '../endpoint.ts';
import { answerContent, type File, type ContentPlace } from './content.ts';
import { EXIF_WITHIN, exifIn } from './exif.ts';
import { faultOf, type Size } from './sizes.ts';
import { AGAIN } from './upload.ts';

/** A content, and the size in which it is asked for as a picture; null for the content as it is. */
export interface Sized extends File {
  readonly shownIn: Size | null;
}

/** The answer with a content, or with a picture made of it; null where the bucket has no such content. */
export async function answerSized(
  { environment: { IMAGES } }: Pick<CallContext, 'environment'>,
  place: ContentPlace,
  { shownIn, ...file }: Sized,
  request: ContentRequest,
): Promise<Outcome<Answer | null>> {
  if (shownIn === null) return answerContent(place, file, request);
  if (IMAGES === undefined) return fail('not-configured', 'The service makes no pictures in sizes.');
  const format = shownIn.format === 'auto' ? formatFor(request.accept) : shownIn.format;
  const { width, height, fit, metadata } = shownIn;
  const size = `${width}x${height}-${fit}-${format}${metadata === true ? '-metadata' : ''}`;
  const key = `${prefixOfPictures(place.key)}${size}-${file.digest}`;
  const stored = await place.bucket.head(key);
  const made =
    stored === null ? await makeInTurn(IMAGES, place, key, file, { ...shownIn, format }) : ok(stored);
  if (!made.ok || made.value === null) return made.ok ? ok(null) : made;
  const { etag, httpMetadata, uploaded } = made.value;
  const mediaType = httpMetadata?.contentType ?? `image/${format}`;
  const name = file.name?.replace(/(\.\w{1,5})?$/, `.${mediaType.slice('image/'.length)}`);
  const picture = { name, mediaType, size: made.value.size, digest: etag, created: uploaded.getTime() };
  return answerContent({ ...place, key }, picture, request);
}

/** What a client shows; AVIF takes ten times as long to make, and is made for whoever asks for it. */
export function formatFor(accept: string | null): Format {
  return /image\/webp(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept ?? '') ? 'webp' : 'jpeg';
}

/** Errors of Images that are those of a content: too large, none, of no known form. The simulation says 500. */
const OF_CONTENT: ReadonlySet<unknown> = new Set([9402, 9412, 9413, 9520]);

type Format = Exclude<Size['format'], 'auto'>;

type Making = Size & { readonly format: Format };

/** Decoding takes memory: a few large pictures are made at a time, or many small ones. */
async function makeInTurn(
  images: ImagesBinding,
  place: ContentPlace,
  key: string,
  file: File,
  making: Making,
): Promise<Outcome<R2Object | null>> {
  const { answersLeaving, pictureDeadline, picturePatience, picturePixels } = LIMITS;
  const memory = new RequestMemory();
  const bytes = Math.min(answersLeaving / 2, file.size + (file.pixels ?? picturePixels));
  if (!(await memory.hold(bytes, pictureDeadline, picturePatience))) return noMemory();
  try {
    // Another request may have made it meanwhile.
    const stored = await place.bucket.head(key);
    if (stored !== null) return ok(stored);
    const made = await within(pictureDeadline, make(images, place, file, making));
    if (made === 'late') return fail('unavailable', 'The picture takes too long to be made.');
    if (!made.ok || made.value === null) return made.ok ? ok(null) : made;
    const { bytes: content, contentType } = made.value;
    const options = { httpMetadata: { contentType }, onlyIf: { etagDoesNotMatch: '*' } };
    const put = (await place.bucket.put(key, content, options)) ?? (await place.bucket.head(key));
    // What deletes a content deletes its pictures afterwards: one that comes later finds no content.
    if ((await place.bucket.head(place.key)) !== null) return ok(put);
    await place.bucket.delete(key);
    return ok(null);
  } finally {
    memory.release();
  }
}

async function make(images: ImagesBinding, { bucket, key }: ContentPlace, file: File, making: Making) {
  const open = async (): Promise<ReadableStream<Uint8Array> | null> => (await bucket.get(key))?.body ?? null;
  const content = await open();
  if (content === null) return ok(null);
  try {
    const fault = faultOf({ ...file, pixels: file.pixels ?? (await pixelsOf(images, await open())) });
    if (fault !== null) return fail('not-found', fault);
    const { width, height, fit, format, metadata } = making;
    const input = images.input(content).transform({ width, height, fit });
    const made = await input.output({ format: `image/${format}`, anim: false });
    const bytes = new Uint8Array(await new Response(made.image()).arrayBuffer());
    const contentType = made.contentType();
    if (metadata !== true || contentType !== 'image/jpeg') return ok({ bytes, contentType });
    const beginning = await bucket.get(key, { range: { offset: 0, length: EXIF_WITHIN } });
    const exif = beginning && exifIn(new Uint8Array(await beginning.arrayBuffer()));
    return ok({
      bytes: exif === null ? bytes : joined(bytes.subarray(0, 2), exif, bytes.subarray(2)),
      contentType,
    });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (OF_CONTENT.has(code) || /Unexpected error response 500/.test(String(error)))
      return fail('not-found', 'The content is no whole picture: it has no sizes.');
    return fail('unavailable', 'Images makes no pictures now.', undefined, { 'retry-after': AGAIN });
  }
}

/** Of a picture whose beginning does not tell: after much other data, as some cameras have it. */
async function pixelsOf(images: ImagesBinding, content: ReadableStream<Uint8Array> | null): Promise<number> {
  const info = content && (await images.info(content));
  return info !== null && 'width' in info ? info.width * info.height : Infinity;
}
