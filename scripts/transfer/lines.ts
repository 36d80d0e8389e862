/** The lines of a file, and the elements of a JSON array, one at a time: a file may be larger than memory. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { PassThrough, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Failure } from '../failure.ts';
import { isCompressed } from './format.ts';

/** A part of a file, with its number: that of its line, or of its record. */
export interface Part {
  readonly number: number;
  readonly text: string;
}

/** A file that is read from its beginning. */
export interface Source {
  readonly content: Readable;
  /** How much of the file was read, from 0 to 1. */
  readonly share: () => number;
}

/** `bytes`: where it ends for the reader, if that is before its end. */
export async function read(file: string, bytes?: number): Promise<Source> {
  const { size } = await stat(file);
  const end = bytes === undefined ? {} : { end: bytes - 1 };
  const stored = createReadStream(file, { highWaterMark: 256 * 1024, ...end });
  const content = new PassThrough();
  const done = isCompressed(file) ? pipeline(stored, createGunzip(), content) : pipeline(stored, content);
  // The reader of the content is told.
  done.catch((error: unknown) => content.destroy(error instanceof Error ? error : new Error(String(error))));
  return { content, share: () => (size === 0 ? 1 : stored.bytesRead / size) };
}

/** The text of a file in pieces. */
export async function* textOf(content: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  try {
    for await (const chunk of content) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw new Failure(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return 'The file is cut off: its compressed content has no end.';
  if (code.startsWith('Z_')) return 'The file is not compressed as its name says.';
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'The file is not UTF-8.';
  return error instanceof Error ? error.message : String(error);
}

/** The lines that are not empty. */
export async function* linesIn(text: AsyncIterable<string>): AsyncGenerator<Part> {
  let rest = '';
  let number = 0;
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      number += 1;
      const trimmed = line.trim();
      if (trimmed !== '') yield { number, text: trimmed };
    }
  }
  if (rest.trim() !== '') yield { number: number + 1, text: rest.trim() };
}

/** The elements of a JSON array of objects, as they stand there. `wrapped`: a brace follows the array. */
export async function* elementsIn(text: AsyncIterable<string>, wrapped = false): AsyncGenerator<Part> {
  let [depth, number, inString, escaped] = [0, 0, false, false];
  let element = '';
  for await (const piece of text) {
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const unit = piece.charCodeAt(at);
      if (inString) {
        if (escaped) escaped = false;
        else if (unit === BACKSLASH) escaped = true;
        else if (unit === QUOTE) inString = false;
      } else if (wrapped && depth === 0 && unit === CLOSE_OBJECT) {
        continue;
      } else if (depth < 2 && !isBetween(unit, depth)) {
        throw new Failure('The file must be an array of objects.');
      } else if (unit === QUOTE) inString = true;
      else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) {
        depth += 1;
        if (depth === 2) from = at;
      } else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) {
        depth -= 1;
        if (depth === 1) {
          number += 1;
          yield { number, text: element + piece.slice(from, at + 1) };
          element = '';
        }
      }
    }
    if (depth >= 2) element += piece.slice(from);
  }
  if (depth !== 0) throw new Failure('The array of the file has no end: it is cut off.');
}

/** Whether a character may stand outside of the elements: at depth 0 around the array, at depth 1 in it. */
function isBetween(unit: number, depth: number): boolean {
  if (BLANKS.includes(unit)) return true;
  return depth === 0 ? unit === OPEN_ARRAY : [COMMA, OPEN_OBJECT, CLOSE_ARRAY].includes(unit);
}

const BLANKS = [0x20, 0x09, 0x0a, 0x0d, 0xfeff];
const COMMA = 44;
const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125];
