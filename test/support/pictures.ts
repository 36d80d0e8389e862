/** Pictures made byte by byte, for tests of what the service makes of them. */
import { crc32, deflateSync } from 'node:zlib';
import { imageSize } from 'image-size';
import { joined } from '../../src/domain/values/bytes.ts';
import type { Client } from './client.ts';
import { fetchContent, type Content } from './files.ts';

const text = (value: string) => new TextEncoder().encode(value);

function numberOf(value: number, bytes: 2 | 4): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 2) view.setUint16(0, value);
  else view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const body = joined(text(name), data);
  return joined(numberOf(data.length, 4), body, numberOf(crc32(body), 4));
}

/** A PNG: red on the left half, blue on the right. `rows`: how many of its rows are there. */
export function pngOf(
  width: number,
  height: number,
  { rows = height, before = new Uint8Array() } = {},
): Uint8Array {
  const row = new Uint8Array(1 + 3 * width);
  for (let at = 0; at < width; at += 1) row[1 + 3 * at + (at < width / 2 ? 0 : 2)] = 255;
  const pixels = new Uint8Array(row.length * rows);
  for (let at = 0; at < rows; at += 1) pixels.set(row, at * row.length);
  const head = joined(numberOf(width, 4), numberOf(height, 4), Uint8Array.of(8, 2, 0, 0, 0));
  return joined(
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    before,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  );
}

/** Where a picture was taken, as cameras write it. */
export const PLACE = 'Rua da Bica 7, Lisboa';

/** A JPEG with Exif: its GPS says `PLACE`, and it lies on its side. `beside`: bytes of other data before it. */
export function withExif(jpeg: Uint8Array, beside = 0): Uint8Array {
  const value = text(`${PLACE}\0`);
  const entry = (tag: number, kind: number, count: number, data: Uint8Array) =>
    joined(numberOf(tag, 2), numberOf(kind, 2), numberOf(count, 4), data);
  const tiff = joined(
    text('MM\0*'),
    numberOf(8, 4),
    numberOf(2, 2),
    entry(0x0112, 3, 1, joined(numberOf(6, 2), numberOf(0, 2))),
    entry(0x8825, 4, 1, numberOf(38, 4)),
    numberOf(0, 4),
    numberOf(1, 2),
    entry(0x001c, 7, value.length, numberOf(56, 4)),
    numberOf(0, 4),
    value,
  );
  const segment = (marker: number, data: Uint8Array) =>
    joined(Uint8Array.of(0xff, marker), numberOf(data.length + 2, 2), data);
  const others = Array.from({ length: Math.ceil(beside / 60_000) }, () =>
    segment(0xed, new Uint8Array(60_000)),
  );
  return joined(
    jpeg.subarray(0, 2),
    segment(0xe1, joined(text('Exif\0\0'), tiff)),
    ...others,
    jpeg.subarray(2),
  );
}

/** Whether bytes have a text in them. */
export const holds = (bytes: Uint8Array, value: string) =>
  new TextDecoder('latin1').decode(bytes).includes(value);

/** Media type, width and height of an answer's picture, or its status. */
export function shapeOf({ status, headers, bytes }: Content): string {
  if (status !== 200) return String(status);
  const { width, height } = imageSize(bytes);
  return `${headers.get('content-type') ?? ''} ${width}x${height}`;
}

export const fetchSize = (
  client: Client,
  id: string,
  query: string,
  headers: Readonly<Record<string, string>> = {},
) => fetchContent(client, id, headers, { query: `?${query}` });

/** The pictures that were made of an application's files, as the bucket has them. */
export async function picturesOf({ url, application }: Client): Promise<readonly string[]> {
  return (await fetch(`${url}/test/contents/pictures/${application}`)).json<string[]>();
}
