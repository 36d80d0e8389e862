/** Puts an upload into parts, and notes them in the collection of files, which has the last word on who goes on. */
import type { Stepped, UploadStep } from '../../collection/rpc/maintenance/uploads.ts';
import { bytesOfSink, PART } from './sinks.ts';

interface Going {
  readonly bucket: R2Bucket;
  readonly key: string;
  readonly claimed: Stepped;
  /** Whether nothing is noted before all has come. */
  readonly isHeldBack: boolean;
}

type Note = (step: UploadStep) => Promise<Stepped | null>;

export class PartSink {
  readonly #going: Going;
  readonly #note: Note;
  readonly #held: Uint8Array<ArrayBuffer>;
  #length: number;
  /** Of the bytes that are held, those that are noted. */
  #noted: number;
  #upload: R2MultipartUpload | null;
  #parts: R2UploadedPart[] = [];
  #parted: number;
  #isOvertaken = false;

  constructor(going: Going, note: Note) {
    const { bucket, claimed, key } = going;
    const { parted, upload } = claimed.state;
    this.#going = going;
    this.#note = note;
    this.#held = new Uint8Array(bytesOfSink(claimed.state.size));
    this.#held.set(claimed.tail);
    this.#length = claimed.tail.length;
    this.#noted = claimed.tail.length;
    this.#upload = upload === null ? null : bucket.resumeMultipartUpload(key, upload);
    this.#parted = parted;
  }

  get offset(): number {
    return this.#parted + this.#length;
  }

  /** False where the upload would have more bytes than was said. */
  async write(piece: Uint8Array): Promise<boolean> {
    if (this.offset + piece.length > this.#going.claimed.state.size) return false;
    for (let at = 0; at < piece.length;) {
      if (this.#length === PART) await this.#flush();
      // What an overtaken request still sends goes nowhere.
      if (this.#isOvertaken) break;
      const fitting = piece.subarray(at, at + PART - this.#length);
      this.#held.set(fitting, this.#length);
      this.#length += fitting.length;
      at += fitting.length;
    }
    return true;
  }

  /** Notes what fills no part yet; null where somebody else goes on. */
  async rest(): Promise<Stepped | null> {
    // A full part has to be one: what is noted beside parts fills none.
    if (this.#length === PART) await this.#flush();
    return this.#isOvertaken ? null : this.#noteAll();
  }

  /** Makes the content of all that has come; false where somebody else goes on. */
  async complete(): Promise<boolean> {
    const { bucket, claimed, key } = this.#going;
    // A former request may have come so far, and no further.
    if ((await bucket.head(key))?.size === claimed.state.size) return true;
    if (this.#upload === null && this.#parts.length === 0) {
      // Another request may have got there since: its content has a document, or gets one.
      const isNew = { etagDoesNotMatch: '*' };
      await bucket.put(key, this.#held.subarray(0, this.#length), { onlyIf: isNew });
      return true;
    }
    await this.#flush();
    if (this.#isOvertaken || this.#upload === null) return false;
    await this.#upload.complete([...claimed.state.parts, ...this.#earlier, ...this.#parts]);
    return true;
  }

  /** Parts that this request has noted already. */
  readonly #earlier: R2UploadedPart[] = [];

  async #flush(): Promise<void> {
    const { bucket, claimed, isHeldBack, key } = this.#going;
    if (this.#isOvertaken) return;
    const { claim, size } = claimed.state;
    const begun = this.#upload ?? (await bucket.createMultipartUpload(key));
    const stepped = await this.#note({ kind: 'number', claim, upload: begun.uploadId });
    if (stepped === null) {
      this.#isOvertaken = true;
      if (this.#upload === null) await begun.abort();
      return;
    }
    this.#upload = begun;
    this.#parts.push(await begun.uploadPart(stepped.state.numbers, this.#held.subarray(0, this.#length)));
    this.#parted += this.#length;
    this.#length = 0;
    this.#noted = 0;
    // The last part is noted with the document: what is noted is less than all until then.
    if (!isHeldBack && this.#parted < size) await this.#noteAll();
  }

  async #noteAll(): Promise<Stepped | null> {
    const { claim } = this.#going.claimed.state;
    const tail = this.#held.slice(this.#noted, this.#length);
    const parts = this.#parts.splice(0);
    const noted = await this.#note({ kind: 'note', claim, parts, parted: this.#parted, tail });
    this.#earlier.push(...parts);
    this.#noted = this.#length;
    this.#isOvertaken ||= noted === null;
    return noted;
  }
}
