/**
 * Which documents a file brings, and in which line: a link may lead to a later document. Kept as digests of 53 bits in
 * tables of numbers: 24 bytes for each document, whatever the length of the file.
 */
import type { Subject } from './format.ts';

export class Coming {
  #digests = new Float64Array(1024);
  #lines = new Uint32Array(1024);
  #count = 0;

  add(subject: Subject, line: number): void {
    if (this.#count * 2 >= this.#digests.length) this.#grow();
    this.#put(digestOf(subject), line);
  }

  /** Notes a document that no line brings, and that is missed nowhere: it comes after every line. */
  addAbsent(subject: Subject): void {
    this.add(subject, 0xff_ff_ff_ff);
  }

  /** Whether a document comes after a line. */
  isAfter(subject: Subject, line: number): boolean {
    const at = this.#placeOf(digestOf(subject));
    return this.#digests[at] !== 0 && (this.#lines[at] ?? 0) > line;
  }

  #put(digest: number, line: number): void {
    const at = this.#placeOf(digest);
    if (this.#digests[at] === 0) this.#count += 1;
    this.#digests[at] = digest;
    this.#lines[at] = line;
  }

  /** Where a digest is, or would be. */
  #placeOf(digest: number): number {
    const mask = this.#digests.length - 1;
    let at = digest % this.#digests.length;
    for (let found = this.#digests[at]; found !== 0 && found !== digest; found = this.#digests[at]) {
      at = (at + 1) & mask;
    }
    return at;
  }

  #grow(): void {
    const [digests, lines] = [this.#digests, this.#lines];
    this.#digests = new Float64Array(digests.length * 2);
    this.#lines = new Uint32Array(digests.length * 2);
    this.#count = 0;
    digests.forEach((digest, at) => {
      if (digest !== 0) this.#put(digest, lines[at] ?? 0);
    });
  }
}

/** Never 0, which stands for no digest. */
function digestOf({ type, id }: Subject): number {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  const text = `${type} ${id}`;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2654435761);
    other = Math.imul(other ^ unit, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & other) + (one >>> 0) || 1;
}
