/** Files in the crash run: contents at once, in forms and in pieces, which go on after a death, and their deletions. */
import type { Client, Reply } from '../../support/client.ts';
import { digestOf, FILES, formOf, randomBytes, upload, uploadForm } from '../../support/files.ts';
import { begin, digestAt, offsetOf, send } from '../../support/resumable.ts';
import { answered } from './answered.ts';
import type { Random } from '../random.ts';

/** Files that are there at a time. */
const MOST = 40;
/** Bytes of a content; those of a large one, which has parts in the bucket. */
const SMALL = 100_000;
const LARGE = 7_000_000;

export class CrashFiles {
  /** The digests of files that are there, and of all contents that were sent. */
  readonly #stored = new Map<string, string>();
  readonly #sent = new Set<string>();
  /** Files whose deletion was answered, or is under way. */
  readonly #gone = new Set<string>();
  readonly #leaving = new Set<string>();
  /** Uploads in pieces, and how many of their bytes have come. */
  readonly #begun = new Map<string, { readonly bytes: Uint8Array; readonly offset: number }>();

  /** Writes until `over`, or until the service does not answer any more. */
  async run(client: Client, random: Random, over: () => boolean): Promise<void> {
    try {
      while (!over()) {
        const isFull = this.#stored.size >= MOST;
        const kind = random.weighted({ whole: isFull ? 0 : 8, form: 1, piece: 3, remove: isFull ? 20 : 4 });
        if (kind === 'whole') await this.#store(client, random, upload);
        else if (kind === 'form') await this.#store(client, random, storeForm);
        else if (kind === 'piece') await this.#goOn(client, random);
        else await this.#remove(client, random);
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** What is wrong with the files that are there after a crash. What was under way is then as it was found. */
  async compare(client: Client): Promise<{ readonly contents: number; readonly faults: readonly string[] }> {
    const faults: string[] = [];
    const listed = await idsOf(client);
    const found = new Map<string, string>();
    for (const [id, said] of listed) {
      const digest = await digestAt(client, id);
      found.set(id, digest);
      if (digest !== said) faults.push(`The file ${id} has another content than it says.`);
      if (!this.#sent.has(digest)) faults.push(`Nobody sent the content of ${id}.`);
      if (digest !== (this.#stored.get(id) ?? digest)) faults.push(`The file ${id} has changed.`);
      if (this.#gone.has(id)) faults.push(`The file ${id} was deleted and is there.`);
    }
    for (const id of this.#stored.keys()) {
      if (!found.has(id) && !this.#leaving.has(id)) faults.push(`The file ${id} was answered and is gone.`);
    }
    for (const [id, { bytes, offset }] of this.#begun) {
      const now = await offsetOf(client, id);
      if (now < offset || now > bytes.length)
        faults.push(`The upload ${id} was at ${offset}, and is at ${now}.`);
      this.#begun.set(id, { bytes, offset: now });
      if (now === bytes.length) this.#begun.delete(id);
    }
    for (const each of [this.#stored, this.#gone, this.#leaving]) each.clear();
    for (const [id, digest] of found) this.#stored.set(id, digest);
    return { contents: found.size, faults };
  }

  async #store(client: Client, random: Random, by: typeof storeForm): Promise<void> {
    const bytes = this.#bytes(random, by === upload ? SMALL : random.pick([SMALL, LARGE]));
    const made = await by(client, bytes);
    answered(made, 201);
    this.#stored.set(made.body.data.id, digestOf(bytes));
  }

  /** Begins an upload, or sends the next bytes of one: a few, or all. */
  async #goOn(client: Client, random: Random): Promise<void> {
    const [id] = this.#begun.keys();
    const upload = id === undefined ? undefined : this.#begun.get(id);
    if (id === undefined || upload === undefined) {
      const bytes = this.#bytes(random, random.pick([SMALL, LARGE]));
      const begun = await begin(client, bytes.length);
      answered(begun, 201);
      const made = begun.headers.get('location')?.split('/').at(-1) ?? '';
      this.#begun.set(made, { bytes, offset: 0 });
      return;
    }
    // Nobody else goes on with it meanwhile.
    const { bytes, offset } = upload;
    const next = offset + 1 + random.below(random.below(3) === 0 ? bytes.length - offset : SMALL);
    const reached = Math.min(next, bytes.length);
    answered(await send(client, id, offset, bytes.slice(offset, reached)), 204);
    this.#begun.set(id, { bytes, offset: reached });
    if (reached < bytes.length) return;
    this.#begun.delete(id);
    this.#stored.set(id, digestOf(bytes));
  }

  async #remove(client: Client, random: Random): Promise<void> {
    if (this.#stored.size === 0) return;
    const id = random.pick([...this.#stored.keys()]);
    this.#leaving.add(id);
    answered(await client.delete(`${FILES}/${id}`), 204);
    this.#leaving.delete(id);
    this.#stored.delete(id);
    this.#gone.add(id);
  }

  #bytes(random: Random, most: number): Uint8Array {
    const bytes = randomBytes(1 + random.below(most));
    this.#sent.add(digestOf(bytes));
    return bytes;
  }
}

function storeForm(client: Client, body: Uint8Array): Promise<Reply> {
  return uploadForm(client, formOf([{ name: 'content', filename: 'a.bin', body }]));
}

/** The files that are there, and the digests that they say. */
export async function idsOf(client: Client): Promise<ReadonlyMap<string, unknown>> {
  const { body, status, text } = await client.get(`${FILES}?page[limit]=1000`);
  if (status !== 200) throw new Error(text);
  return new Map(body.data.map(({ id, attributes }) => [id, attributes?.['sha-256']]));
}

/** Leaves an upload of which some parts are in the bucket. */
export async function leavePiece(client: Client): Promise<void> {
  const begun = await begin(client, 2 * LARGE);
  const id = begun.headers.get('location')?.split('/').at(-1) ?? '';
  answered(await send(client, id, 0, randomBytes(LARGE)), 204);
}
