/** Where an export goes: the standard output, or a file, which tells beside it how far it has come. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Failure } from '../failure.ts';
import { isCompressed } from './format.ts';

const compress = promisify(gzip);
const encoder = new TextEncoder();

/** What is exported. */
export interface ExportRequest {
  readonly application: string;
  /** Null for the whole application. */
  readonly type: string | null;
  /** Whether it holds what lets tokens stand where it is imported. */
  readonly tokens?: boolean;
  /** Whether it holds former versions. */
  readonly history?: boolean;
}

/** How far an export has come. */
export interface ExportState {
  /** The types that are left, the one that is being read first. */
  readonly types: readonly string[];
  /** What asks for its next page; null for the first page. */
  readonly next: string | null;
  /** Bytes of the file, and documents and deletions in it; the same before the type that is being read. */
  readonly bytes: number;
  readonly lines: number;
  readonly before: { readonly bytes: number; readonly lines: number };
}

export interface ExportTarget {
  /** How far it had come when it was cut off; null where it begins. */
  readonly begun: ExportState | null;
  /** The file of what was begun; null where there is none. */
  readonly file: string | null;
  /** Returns how many bytes were written. */
  readonly write: (text: string) => Promise<number>;
  /** Takes back what was written after so many bytes. */
  readonly cut: (bytes: number) => Promise<void>;
  readonly note: (state: ExportState) => Promise<void>;
  /** The export is whole. */
  readonly end: () => Promise<void>;
  /** To be called in the end, whatever came of it. */
  readonly close: () => Promise<void>;
}

const NOTHING = () => Promise.resolve();

export function toOutput(output: NodeJS.WriteStream): ExportTarget {
  return {
    begun: null,
    file: null,
    write: async (text) => {
      const bytes = encoder.encode(text);
      if (!output.write(bytes)) await once(output, 'drain');
      return bytes.length;
    },
    cut: () => {
      throw new Failure(
        'The service no longer has the data of that time. An export to a file can continue: name one.',
      );
    },
    note: NOTHING,
    end: NOTHING,
    close: NOTHING,
  };
}

/** What is noted beside a file: what is being exported, and how far. */
interface Note extends ExportRequest {
  readonly service: string;
  readonly state: ExportState;
}

/** A file, compressed when its name says so. It begins, or goes on where the same export was cut off. */
export async function toFile(
  file: string,
  service: string,
  { application, type, tokens = false, history = false }: ExportRequest,
): Promise<ExportTarget> {
  const beside = `${file}.part`;
  const noted = existsSync(beside) ? (JSON.parse(await readFile(beside, 'utf8')) as Note) : null;
  if (noted === null && existsSync(file)) throw new Failure(`${file} is there already: name another file.`);
  if (
    noted !== null &&
    !(
      noted.service === service &&
      noted.application === application &&
      noted.type === type &&
      (noted.tokens ?? false) === tokens &&
      (noted.history ?? false) === history
    )
  ) {
    throw new Failure(
      `${file} holds a part of another export: remove it and ${beside}, or name another file.`,
    );
  }
  // A file is made when there is something to write.
  let handle: FileHandle | null = null;
  const opened = async () => (handle ??= await open(file, noted === null ? 'wx' : 'r+'));
  let position = noted?.state.bytes ?? 0;
  return {
    begun: noted?.state ?? null,
    file,
    write: async (text) => {
      // Each page is compressed by itself: what is cut off there can be read, and gone on with.
      const bytes: Uint8Array = isCompressed(file) ? await compress(text) : encoder.encode(text);
      const to = await opened();
      // What was written after the last note is none of this export.
      if (position === noted?.state.bytes) await to.truncate(position);
      await to.write(bytes, 0, bytes.length, position);
      position += bytes.length;
      return bytes.length;
    },
    cut: async (bytes) => {
      await (await opened()).truncate(bytes);
      position = bytes;
    },
    note: async (state) => {
      const note: Note = { service, application, type, tokens, history, state };
      await writeFile(`${beside}.new`, JSON.stringify(note));
      await rename(`${beside}.new`, beside);
    },
    end: async () => {
      await (await opened()).sync();
      await rm(beside);
    },
    close: async () => handle?.close(),
  };
}
