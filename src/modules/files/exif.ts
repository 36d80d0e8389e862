/** Exif, in which cameras write place, time and more: a segment of a JPEG with a TIFF in it (CIPA DC-008). */

/** Bytes of a JPEG that are looked at: Exif is among its first segments, each of which has 64 KB at most. */
export const EXIF_WITHIN = 128 * 1024;

/** `ff d8`, `ff e1`, the first four signs of `Exif`. */
const JPEG = 0xffd8;
const APP1 = 0xffe1;
const EXIF = 0x45786966;
const ORIENTATION = 0x0112;
const SHORT = 3;
/** Bytes before the TIFF, and of an entry in it. */
const HEAD = 10;
const ENTRY = 12;

/** Exif at the beginning of a JPEG, as the segment of a picture made of it; null where none is whole. */
export function exifIn(beginning: Uint8Array): Uint8Array | null {
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.length);
  if (view.byteLength < 2 || view.getUint16(0) !== JPEG) return null;
  for (let at = 2; at + HEAD <= view.byteLength;) {
    const marker = view.getUint16(at);
    const end = at + 2 + view.getUint16(at + 2);
    // What comes behind the segments of applications is the picture.
    if (marker < 0xffe0 || marker === 0xffff || end > view.byteLength) return null;
    if (marker === APP1 && view.getUint32(at + 4) === EXIF) return upright(beginning.slice(at, end));
    at = end;
  }
  return null;
}

/** The picture has been turned, so its orientation is 1; and the former one's thumbnail is not its own. */
function upright(segment: Uint8Array<ArrayBuffer>): Uint8Array | null {
  if (segment.length < HEAD + 8) return null;
  const tiff = new DataView(segment.buffer, HEAD);
  const isLittle = tiff.getUint16(0) === 0x4949;
  const first = tiff.getUint32(4, isLittle) + 2;
  if (first > tiff.byteLength) return null;
  const end = first + ENTRY * tiff.getUint16(first - 2, isLittle);
  if (end + 4 > tiff.byteLength) return null;
  for (let at = first; at < end; at += ENTRY) {
    if (tiff.getUint16(at, isLittle) !== ORIENTATION) continue;
    tiff.setUint16(at + 2, SHORT, isLittle);
    tiff.setUint32(at + 4, 1, isLittle);
    tiff.setUint16(at + 8, 1, isLittle);
  }
  tiff.setUint32(end, 0, isLittle);
  return segment;
}
