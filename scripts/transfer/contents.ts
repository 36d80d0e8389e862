/**
 * Contents of files in an export: pieces in lines of their own, after those of their documents. An import joins the
 * pieces of a content on the disk, and hands it over as a whole.
 */
import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { openAsBlob } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../older-node.ts';
import { CORE } from '../../src/domain/types.ts';
import { subjectOf } from './format.ts';
import type { Service } from './service.ts';

/** Bytes of a piece: its line has a third more. */
const PIECE = 768 * 1024;

const START = '{"foredge":{"content":';

interface Piece {
  readonly id: string;
  /** Bytes of the whole content, and of it before this piece. */
  readonly size: number;
  readonly at: number;
  /** In base64. */
  readonly data: string;
}

export function isPiece(line: string): boolean {
  return line.startsWith(START);
}

function pieceIn(line: string): Piece {
  return (JSON.parse(line) as { readonly foredge: { readonly content: Piece } }).foredge.content;
}

/** The lines of the contents of those files that some lines of an export are. */
export async function* contentLines(
  service: Service,
  application: string,
  lines: string,
): AsyncGenerator<string> {
  for (const line of lines.split('\n')) {
    const subject = line === '' ? undefined : subjectOf(line);
    const size = subject?.type === CORE.file ? sizeIn(line) : undefined;
    if (subject === undefined || size === undefined) continue;
    for (let at = 0; at === 0 || at < size; at += PIECE) {
      const last = Math.min(at + PIECE, size) - 1;
      const data = size === 0 ? new Uint8Array() : await service.content(application, subject.id, at, last);
      // The content is lost, or has gone with its document.
      if (data === null) break;
      const piece: Piece = { id: subject.id, size, at, data: data.toBase64() };
      yield `${JSON.stringify({ foredge: { content: piece } })}\n`;
    }
  }
}

/** The bytes of the content, as the line of its document says; undefined for that of a deletion. */
function sizeIn(line: string): number | undefined {
  const { attributes } = JSON.parse(line) as {
    readonly attributes?: { readonly size?: number | { readonly $numberLong: string } };
  };
  const size = attributes?.size;
  return typeof size === 'object' ? Number(size.$numberLong) : size;
}

/** Puts pieces together. */
export class Contents {
  readonly #service: Service;
  #folder: string | null = null;

  constructor(service: Service) {
    this.#service = service;
  }

  /** Takes the next piece; hands the content over with its last. Returns why that was refused, if it was. */
  async take(application: string, line: string): Promise<string | null> {
    const { at, data, id, size } = pieceIn(line);
    this.#folder ??= await mkdtemp(join(tmpdir(), 'foredge-content-'));
    const file = join(this.#folder, 'content');
    if (at === 0) await rm(file, { force: true });
    await appendFile(file, data, 'base64');
    if ((await stat(file)).size < size) return null;
    const refused = await this.#service.storeContent(application, id, await openAsBlob(file));
    await rm(file);
    return refused;
  }

  async end(): Promise<void> {
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true });
  }
}
