/** Exif that a picture in a size keeps: what is whole, and nothing of bytes that lie (src/modules/files/exif.ts). */
import { describe, expect, test } from 'vitest';
import { exifIn } from '../../src/modules/files/exif.ts';
import { holds, PLACE, withExif } from '../support/pictures.ts';

const PHOTO = withExif(Uint8Array.of(0xff, 0xd8, 0xff, 0xd9));
const WHOLE = exifIn(PHOTO) ?? new Uint8Array();
/** Where the TIFF begins in the photo. */
const TIFF = 12;

/** The photo with other bytes from a place on. */
const changed = (at: number, ...bytes: readonly number[]) => {
  const copy = PHOTO.slice();
  copy.set(bytes, at);
  return copy;
};

/** The same values, the lowest byte first. */
function little(): Uint8Array {
  const copy = changed(TIFF, 0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 2, 0);
  for (const at of [10, 22]) copy.subarray(TIFF + at, TIFF + at + 2).reverse();
  copy.set([6, 0], TIFF + 18);
  return copy;
}

describe('Exif', () => {
  test.each<[string, Uint8Array]>([
    ['of the highest byte first', PHOTO],
    ['of the lowest byte first', little()],
    ['behind another segment', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 3, 0, ...PHOTO.subarray(2)])],
    ['whose orientation is a long', changed(TIFF + 12, 0, 4, 0, 0, 0, 1, 0, 0, 0, 6)],
  ])('%s is whole, upright, and without a thumbnail', (_, bytes) => {
    const found = exifIn(bytes) ?? new Uint8Array();
    expect(holds(found, PLACE)).toBe(true);
    const view = new DataView(found.buffer, found.byteOffset);
    const isLittle = view.getUint16(10) === 0x4949;
    const [kind, value] = [view.getUint16(10 + 12, isLittle), view.getUint16(10 + 18, isLittle)];
    expect([kind, value, view.getUint32(10 + 34)]).toEqual([3, 1, 0]);
  });

  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['one byte', Uint8Array.of(0xff)],
    ['another form', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
    ['a JPEG without Exif', Uint8Array.of(0xff, 0xd8, 0xff, 0xdb, 0, 4, 0, 0, 0xff, 0xe1, 0, 4, 0, 0)],
    ['segments without a length', new Uint8Array(100_000).fill(0xff, 1).fill(0xd8, 1, 2)],
    ['segments of no length, again and again', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['a segment that ends later', changed(4, 0xff, 0xff)],
    ['a segment that ends within its head', changed(4, 0, 8)],
    ['a table beyond the end', changed(TIFF + 4, 0, 0, 0xff, 0)],
    ['a table far beyond the end', changed(TIFF + 4, 0xff, 0xff, 0xff, 0xff)],
    ['more entries than there are bytes', changed(TIFF + 8, 0xff, 0xff)],
  ])('is not in %s', (_, bytes) => {
    expect(exifIn(bytes)).toBeNull();
  });

  test('of any bytes is a segment of a JPEG or nothing', () => {
    for (let at = 2; at < PHOTO.length; at += 1) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) {
        const found = exifIn(changed(at, byte));
        if (found !== null) expect(found.length).toBe(WHOLE.length);
        exifIn(PHOTO.subarray(0, at));
      }
    }
  });
});
