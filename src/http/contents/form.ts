/** The parts of a body of multipart/form-data (RFC 7578), one after the other: each is read piece by piece. */
import { joined } from '../../domain/values/bytes.ts';
import type { Piece, PieceSource } from '../../modules/files/pieces.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const LINE = bytesOf('\r\n');
const BLANK = bytesOf('\r\n\r\n');
const LAST = bytesOf('--');

/** Bytes of the headers of one part. */
const HEAD = 16 * 1024;

/** The headers of a part, by their names in lower case. */
export type PartHead = ReadonlyMap<string, string>;

export class Form {
  readonly #source: PieceSource;
  readonly #delimiter: Uint8Array;
  /** What has come and was not given: as if a line had ended before the first delimiter. */
  #held: Uint8Array = LINE;
  /** Whether the bytes to come are those of a part, or stand before the first one. */
  #isInside = true;

  constructor(source: PieceSource, boundary: string) {
    this.#source = source;
    this.#delimiter = bytesOf(`\r\n--${boundary}`);
  }

  /** The headers of the next part, after what is left of this one; null after the last. */
  async next(): Promise<PartHead | Exclude<Piece, Uint8Array>> {
    while (this.#isInside) {
      const piece = await this.read();
      if (piece === 'broken' || piece === 'late') return piece;
    }
    const after = await this.#atLeast(LAST.length);
    if (after !== null) return after;
    if (startsWith(this.#held, LAST)) return null;
    for (;;) {
      const end = indexOf(this.#held, BLANK);
      if ((end === -1 ? this.#held.length : end) > HEAD) return 'broken';
      if (end !== -1) return this.#opened(end);
      const more = await this.#atLeast(this.#held.length + 1);
      if (more !== null) return more;
    }
  }

  /** The next bytes of the part; null at its end. */
  readonly read = async (): Promise<Piece> => {
    if (!this.#isInside) return null;
    for (;;) {
      const at = indexOf(this.#held, this.#delimiter);
      if (at > 0) return this.#take(at);
      if (at === 0) {
        this.#take(this.#delimiter.length);
        this.#isInside = false;
        return null;
      }
      // The last bytes may be the beginning of a delimiter.
      const safe = this.#held.length - this.#delimiter.length + 1;
      if (safe > 0) return this.#take(safe);
      const more = await this.#atLeast(this.#held.length + 1);
      if (more !== null) return more;
    }
  };

  #opened(end: number): PartHead | 'broken' {
    const [padding = '', ...lines] = new TextDecoder().decode(this.#take(end)).split('\r\n');
    this.#take(BLANK.length);
    // Blanks may follow a delimiter (RFC 2046, section 5.1.1).
    if (/[^ \t]/.test(padding)) return 'broken';
    this.#isInside = true;
    return new Map(
      lines.map((line) => {
        const [name = ''] = line.split(':', 1);
        return [name.toLowerCase(), line.slice(name.length + 1).trim()] as const;
      }),
    );
  }

  #take(length: number): Uint8Array {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  /** Waits for so many bytes: null when they are there. */
  async #atLeast(length: number): Promise<'broken' | 'late' | null> {
    while (this.#held.length < length) {
      const piece = await this.#source();
      if (!(piece instanceof Uint8Array)) return piece ?? 'broken';
      this.#held = joined(this.#held, piece);
    }
    return null;
  }
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

/** A delimiter has its first byte nowhere else, so this takes one look at each byte, and one more at some. */
function indexOf(bytes: Uint8Array, sought: Uint8Array): number {
  const [first = 0] = sought;
  let at = bytes.indexOf(first);
  while (at !== -1 && !startsWith(bytes.subarray(at, at + sought.length), sought)) {
    at = bytes.indexOf(first, at + 1);
  }
  return at;
}
