/** The operator's endpoints for exports and imports, as a client sees them. What was not answered is asked again. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { CORE } from '../../src/domain/types.ts';
import { Failure } from '../failure.ts';
import { DOCUMENT, errorsOf, okay, Operator } from '../operator.ts';
import type { ExportRequest } from './targets.ts';
import type { Usage } from './usage.ts';

const LINES = 'application/x-ndjson';

/** Milliseconds before each further attempt. */
const ATTEMPTS = [500, 2_000, 5_000, 10_000];

export interface TypeHeld {
  readonly name: string;
  readonly documents: number;
  readonly bytes: number;
  readonly exported: boolean;
}

export interface BackupHeld {
  /** Its moment: `2026-11-22T03-17-00Z`. */
  readonly name: string;
  readonly bytes: number;
}

export interface BackedUp {
  readonly backup: string;
  readonly lines: number;
  readonly whole: boolean;
}

export interface Page {
  readonly text: string;
  /** What asks for the next page; null after the last. */
  readonly next: string | null;
}

/** Why a line was refused: its place among the lines that were sent, from 1. */
interface Refusal {
  readonly line: number;
  readonly reason: string;
}

export type Imported =
  | { readonly stored: number; readonly unchanged: number }
  | { readonly refusals: readonly Refusal[] };

/** How many contents of files came back, and how many are nowhere. */
export interface Brought {
  readonly restored: number;
  readonly missing: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly text: string;
}

type Sent = string | Blob;

export class Service extends Operator {
  /** The attributes of an application. */
  async application(id: string): Promise<Readonly<Record<string, unknown>>> {
    const { text } = okay(await this.#send('GET', `/${id}`));
    const { data } = JSON.parse(text) as {
      readonly data: { readonly attributes: Readonly<Record<string, unknown>> } | null;
    };
    if (data === null) throw new Failure(`The application ${id} was deleted.`);
    return data.attributes;
  }

  async types(id: string): Promise<readonly TypeHeld[]> {
    const answer = await this.#send('GET', `/${id}/types`);
    return (metaOf(answer) as { readonly types: readonly TypeHeld[] }).types;
  }

  async usage(id: string): Promise<Usage> {
    return metaOf(await this.#send('GET', `/${id}/usage`)) as Usage;
  }

  /** The first page of a type, or the one that `next` asks for; null where its moment is not kept any more. */
  async page(
    { application, tokens = false, history = false }: Omit<ExportRequest, 'type'>,
    type: string,
    next: string | null,
  ): Promise<Page | null> {
    // An export goes on after a whole page, with the contents of its files.
    const size = type === CORE.file ? 20 : 1000;
    const more = `${tokens ? '&tokens=true' : ''}${history ? '&history=true' : ''}`;
    const query = next ?? `?page%5Bafter%5D=&page%5Bsize%5D=${size}${more}`;
    const path = `/${application}/documents/${encodeURIComponent(type)}${query}`;
    const answer = await this.#send('GET', path);
    if (answer.status === 410) return null;
    const [, address] = /<([^>]*)>; rel="next"/.exec(okay(answer).headers.get('link') ?? '') ?? [];
    // The address may begin with another origin, and with a path in front.
    return { text: answer.text, next: address === undefined ? null : new URL(address).search };
  }

  async import(application: string, type: string, lines: readonly string[]): Promise<Imported> {
    const path = `/${application}/documents/${encodeURIComponent(type)}`;
    const answer = await this.#send('POST', path, lines.map((line) => `${line}\n`).join(''));
    const errors = answer.status < 400 ? [] : errorsOf(answer);
    const refusals = errors.flatMap(({ detail, source, meta }) => {
      const place = source?.pointer ?? '';
      const reason = `${detail}${place === '' ? '' : ` (${place})`}`;
      return meta?.line === undefined ? [] : [{ line: meta.line, reason }];
    });
    if (refusals.length > 0) return { refusals };
    return metaOf(answer) as Imported;
  }

  /** Some bytes of the content of a file; null where it is not there. */
  async content(application: string, id: string, first: number, last: number): Promise<Uint8Array | null> {
    const range = { range: `bytes=${first}-${last}` };
    const answer = await this.#send('GET', `/${application}/contents/${id}`, undefined, range);
    return answer.status === 404 ? null : okay(answer).bytes;
  }

  /** Hands over the content of a file; returns why it is refused, if it is. */
  async storeContent(application: string, id: string, content: Blob): Promise<string | null> {
    const answer = await this.#send('POST', `/${application}/contents/${id}`, content);
    return answer.status < 400
      ? null
      : (errorsOf(answer)[0]?.detail ?? `The service answered ${answer.status}.`);
  }

  /** Brings back contents of files after a restore from a backup of an application. */
  async restoreContents(application: string, from: string): Promise<Brought> {
    const all = { restored: 0, missing: 0 };
    for (let offset = 0; ;) {
      const body = JSON.stringify({ meta: { from, offset } });
      const answer = await this.#send('POST', `/${application}/contents`, body, DOCUMENT);
      const meta = metaOf(answer) as Brought & { readonly offset: number; readonly more: boolean };
      all.restored += meta.restored;
      all.missing += meta.missing;
      if (!meta.more) return all;
      offset = meta.offset;
    }
  }

  async backups(application: string): Promise<readonly BackupHeld[]> {
    const answer = await this.#send('GET', `/${application}/backups`);
    return (metaOf(answer) as { readonly backups: readonly BackupHeld[] }).backups;
  }

  /** Goes on with a backup for some seconds, or begins one, perhaps with history; null while another run makes one. */
  async backUp(application: string, history = false): Promise<BackedUp | null> {
    const answer = await this.#send('POST', `/${application}/backups${history ? '?history=true' : ''}`);
    if (answer.status === 409) return null;
    return metaOf(answer) as BackedUp;
  }

  /** Puts an application back to a moment; returns how many types have gone back. */
  async rewind(application: string, moment: string): Promise<number> {
    const answer = await this.#send('POST', `/${application}/history/${moment}`);
    return (metaOf(answer) as { readonly types: number }).types;
  }

  /** Writes a backup to a file. */
  async download(application: string, name: string, file: string): Promise<void> {
    const response = await this.request('GET', `/${application}/backups/${encodeURIComponent(name)}`);
    const { status, headers } = response;
    const body: ReadableStream<Uint8Array> | null = response.body;
    if (status >= 400 || body === null) {
      okay({ status, headers, bytes: new Uint8Array(), text: await response.text() });
      throw new Failure('The backup is empty.');
    }
    await pipeline(chunksOf(body), createWriteStream(file, { mode: 0o600 }));
  }

  /** Every request may be repeated: an import stores nothing twice. */
  async #send(method: string, path: string, body?: Sent, headers = {}): Promise<Answer> {
    for (let attempt = 0; ; attempt += 1) {
      const pause = ATTEMPTS[attempt];
      try {
        const answer = await this.#once(method, path, body, headers);
        if (pause === undefined || ![429, 502, 503, 504].includes(answer.status)) return answer;
      } catch (error) {
        if (pause === undefined || attempt === 0) {
          // A first request that nobody takes: nothing is there.
          const isNobody = error instanceof TypeError && attempt === 0 && isRefused(error);
          if (pause === undefined || isNobody) {
            throw this.nobody(error);
          }
        }
      }
      await wait(pause);
    }
  }

  async #once(method: string, path: string, body?: Sent, sent = {}): Promise<Answer> {
    const typed = body !== undefined && {
      'content-type': body instanceof Blob ? 'application/octet-stream' : LINES,
    };
    const response = await this.request(method, path, body, { ...typed, ...sent });
    const { headers, status } = response;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status, headers, bytes, text: new TextDecoder().decode(bytes) };
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

function isRefused({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

function metaOf(answer: Answer): unknown {
  return (JSON.parse(okay(answer).text) as { readonly meta: unknown }).meta;
}
