/** What a content is by its first bytes: clients say many things of it. */
import { fileTypeFromBuffer } from 'file-type';
import { imageSize } from 'image-size';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { PICTURES } from './names.ts';
import type { Sink } from './sinks.ts';

/** Bytes that are looked at: those in which a picture says its size, unless it has more of other data before. */
export const LOOKED = 64 * 1024;

/** What is known of a content beside its bytes. */
export interface Look {
  readonly mediaType: string;
  /** Of a picture, in pixels, where its beginning says so. */
  readonly width?: number;
  readonly height?: number;
}

/** Keeps the first bytes of a content. */
export class Beginning implements Sink {
  readonly #bytes = new Uint8Array(LOOKED);
  #length = 0;
  #looked: Promise<Outcome<Look>> | undefined;

  /** Whether what comes now changes nothing of what it is. */
  get isFull(): boolean {
    return this.#length === LOOKED;
  }

  get bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  write(piece: Uint8Array): Promise<void> {
    const fitting = piece.subarray(0, LOOKED - this.#length);
    this.#bytes.set(fitting, this.#length);
    this.#length += fitting.length;
    return Promise.resolve();
  }

  /** What it is, said to be of a media type; refused if it is something else. To be asked once full, or at the end. */
  look(said: string): Promise<Outcome<Look>> {
    return (this.#looked ??= this.#look(said));
  }

  async #look(said: string): Promise<Outcome<Look>> {
    const { bytes } = this;
    const type = await fileTypeFromBuffer(bytes);
    const found = type?.mime === 'image/apng' ? 'image/png' : type?.mime;
    if (said === UNKNOWN) return ok({ mediaType: found ?? UNKNOWN, ...sizeOf(bytes, found) });
    if (!isRight(said, found, bytes)) {
      const detail = `The content is not ${said}${found === undefined ? '' : `: it begins as ${found}`}.`;
      return fail('unsupported-media-type', detail, { header: 'Content-Type' });
    }
    return ok({ mediaType: said, ...sizeOf(bytes, found) });
  }
}

const UNKNOWN = 'application/octet-stream';
const PDF = 'application/pdf';

/** Forms that are a zip, whose beginning need not tell which. Documents with a password are in another form. */
const ZIPPED =
  /^application\/(zip|epub\+zip|vnd\.(openxmlformats-officedocument|oasis\.opendocument)\.(?!.*[-+]xml$).+)$/;
const SEALED = 'application/x-cfb';

/** Sound and films share their forms, and not all of these are known. Much is a PDF that is called something else. */
function isRight(said: string, found: string | undefined, bytes: Uint8Array): boolean {
  const [essence = ''] = said.split(';');
  if (ZIPPED.test(essence))
    return (bytes[0] === 0x50 && bytes[1] === 0x4b) || (found === SEALED && essence !== 'application/zip');
  if (essence === PDF || PICTURES.has(essence) || PICTURES.has(found)) return essence === found;
  return !/^(audio|video)\//.test(essence) || found === undefined || /^(audio|video)\/|\/ogg$/.test(found);
}

function sizeOf(bytes: Uint8Array, found: string | undefined): Pick<Look, 'width' | 'height'> {
  if (!PICTURES.has(found)) return {};
  try {
    const { width, height } = imageSize(bytes);
    return { width, height };
  } catch {
    // It is cut off here, or broken.
    return {};
  }
}
