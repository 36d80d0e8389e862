/**
 * `npm run app -- import`: lines of an export, or documents of other services, in batches that are stored all or none.
 * It can be run again: what is already there and the same counts as stored.
 */
import { LIMITS } from '../../src/domain/limits.ts';
import { CORE } from '../../src/domain/types.ts';
import { isToken, isWrittenAlone } from '../../src/domain/types/facts.ts';
import { isEnd, isHead } from '../../src/domain/applications/export-frame.ts';
import { Failure } from '../failure.ts';
import { absentIn } from './absent.ts';
import { Coming } from './coming.ts';
import { Contents, isPiece } from './contents.ts';
import { linksOf, subjectOf, type Subject } from './format.ts';
import { linesIn, read, textOf, type Part, type Source } from './lines.ts';
import type { Progress } from './progress.ts';
import { recordsOf, type RecordOptions } from './records.ts';
import type { Service } from './service.ts';

export interface ImportOptions extends RecordOptions {
  readonly file: string;
  /** The application that takes all; null for the one that the file names. */
  readonly into: string | null;
  /** The type that documents of another service become; of an export, the one type that is taken. Null for all. */
  readonly type: string | null;
  /** False takes documents that schemas and links would refuse. */
  readonly checked: boolean;
}

export interface ImportReport {
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: number;
  /** Lines that were not stored because another of their batch was refused. */
  readonly heldBack: number;
  /** False for an export that was cut off. */
  readonly whole: boolean;
}

/** UTF-16 units of a batch, about. */
const BATCH_UNITS = 2 * 1024 * 1024;

const APPLICATION = 'core.application';

/** In the place of a type: a piece of a content. */
const CONTENT = ' content';

/** Lines of one type that go together. */
interface Batch {
  readonly type: string;
  readonly parts: Part[];
  units: number;
}

/** Imports a file. Each refused line is told. */
export async function importFile(
  service: Service,
  options: ImportOptions,
  progress: Progress,
  onRefused: (line: number, reason: string) => void,
): Promise<ImportReport> {
  const first = await firstLine(options.file);
  const isExport =
    first !== undefined && (isHead(first) || (options.type === null && subjectOf(first) !== undefined));
  if (!isExport && (options.type === null || options.into === null)) {
    throw new Failure('The file is no export: name the type with --type, and the application with --into.');
  }
  const coming = isExport && options.checked ? await look(options) : new Coming();
  return new Import(service, options, coming, progress, onRefused).run(isExport);
}

async function firstLine(file: string): Promise<string | undefined> {
  for await (const { text } of linesAt(file)) if (!text.startsWith('> ')) return text;
  return undefined;
}

/** Whoever wants no more of them lets go of the file. */
async function* linesAt(file: string): AsyncGenerator<Part> {
  const { content } = await read(file);
  try {
    yield* linesIn(textOf(content));
  } finally {
    content.destroy();
  }
}

/** The attributes of the application that a file makes. */
export async function applicationIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  for await (const { text } of linesAt(file)) {
    const subject = subjectOf(text);
    if (subject === undefined) continue;
    if (subject.type !== APPLICATION) break;
    return (JSON.parse(text) as { readonly attributes: Readonly<Record<string, unknown>> }).attributes;
  }
  throw new Failure('The file describes no application: make one, and name it with --into.');
}

/** What a file brings, by its lines. */
async function look({ file }: ImportOptions): Promise<Coming> {
  const coming = new Coming();
  for await (const { text, number } of linesAt(file)) {
    const absent = absentIn(text);
    for (const each of absent ?? []) coming.addAbsent(each);
    const subject = absent === undefined && !isPiece(text) ? subjectOf(text) : undefined;
    if (subject !== undefined) coming.add(subject, number);
  }
  return coming;
}

class Import {
  readonly #service: Service;
  readonly #options: ImportOptions;
  readonly #coming: Coming;
  readonly #contents: Contents;
  readonly #progress: Progress;
  readonly #onRefused: (line: number, reason: string) => void;
  #application: string | null;
  #report = { stored: 0, unchanged: 0, refused: 0, heldBack: 0, whole: false };
  #share: Source['share'] = () => 0;

  constructor(
    service: Service,
    options: ImportOptions,
    coming: Coming,
    progress: Progress,
    onRefused: (line: number, reason: string) => void,
  ) {
    this.#service = service;
    this.#options = options;
    this.#coming = coming;
    this.#progress = progress;
    this.#onRefused = onRefused;
    this.#application = options.into;
    this.#contents = new Contents(service);
  }

  async run(isExport: boolean): Promise<ImportReport> {
    const source = await read(this.#options.file);
    this.#share = source.share;
    let sending: Promise<void> = Promise.resolve();
    // While a batch is on its way, the next one is read.
    for await (const batch of this.#batches(isExport ? this.#linesOf(source) : this.#recordsOf(source))) {
      await sending;
      sending = this.#send(batch);
      // Whoever awaits it is told.
      sending.catch(() => undefined);
    }
    await sending;
    await this.#contents.end();
    this.#progress.end();
    return isExport ? this.#report : { ...this.#report, whole: true };
  }

  /** The lines of an export that are to be stored. */
  async *#linesOf({ content }: Source): AsyncGenerator<Part & { readonly subject: Subject | undefined }> {
    const { into, type } = this.#options;
    let isElsewhere = false;
    for await (const part of linesIn(textOf(content))) {
      // What npm says of a command stands before what the command writes.
      if (part.text.startsWith('> ') || isHead(part.text) || absentIn(part.text) !== undefined) continue;
      if (isEnd(part.text)) {
        this.#report.whole = true;
        continue;
      }
      if (isPiece(part.text)) {
        if (type === null || type === CORE.file) yield { ...part, subject: { type: CONTENT, id: '' } };
        continue;
      }
      const subject = subjectOf(part.text);
      if (subject?.type === APPLICATION && into !== null) {
        isElsewhere = subject.id !== into;
        continue;
      }
      if (type !== null && subject?.type !== type) continue;
      // Tokens name their application.
      if (isElsewhere && subject !== undefined && isToken(subject.type)) continue;
      yield { ...part, subject };
    }
  }

  async *#recordsOf(source: Source): AsyncGenerator<Part & { readonly subject: Subject | undefined }> {
    const { type } = this.#options;
    if (type === null) return;
    for await (const record of recordsOf(source, this.#options, type)) {
      if (record.text === null) this.#refuse(record.number, record.reason);
      else yield { ...record, subject: { type, id: '' } };
    }
  }

  async *#batches(
    parts: AsyncIterable<Part & { readonly subject: Subject | undefined }>,
  ): AsyncGenerator<Batch> {
    let batch: Batch | null = null;
    for await (const { subject, ...part } of parts) {
      if (subject === undefined) {
        this.#refuse(part.number, 'The line has no type and id.');
        continue;
      }
      const { type } = subject;
      if (batch !== null && (batch.type !== type || isFull(batch))) {
        yield batch;
        batch = null;
      }
      batch ??= { type, parts: [], units: 0 };
      batch.parts.push(part);
      batch.units += part.text.length;
    }
    if (batch !== null) yield batch;
  }

  async #send(batch: Batch): Promise<void> {
    const { type, parts } = batch;
    if (type === APPLICATION) this.#application = subjectOf(parts[0]?.text ?? '')?.id ?? null;
    const application = this.#application;
    if (application === null) {
      throw new Failure('The file names no application: name one with --into.');
    }
    if (type === CONTENT) return this.#sendPiece(application, parts);
    const manner = JSON.stringify({
      import: { expects: this.#expected(parts), unchecked: !this.#options.checked },
    });
    const lines = [manner, ...parts.map(({ text }) => text)];
    const taken = await this.#service.import(application, type, lines);
    if ('refusals' in taken) {
      const refused = new Set<number>();
      for (const { line, reason } of taken.refusals) {
        // The first line says how the others are to be taken.
        const number = parts[line - 2]?.number ?? parts[0]?.number ?? 0;
        refused.add(number);
        this.#onRefused(number, reason);
      }
      this.#report.refused += refused.size;
      const others = parts.filter(({ number }) => !refused.has(number));
      // Nobody corrects a backup: what has changed since stays as it is.
      if (!this.#options.checked && others.length > 0) return this.#send({ ...batch, parts: others });
      this.#report.heldBack += others.length;
    } else {
      this.#report.stored += taken.stored;
      this.#report.unchanged += taken.unchanged;
    }
    const { stored, unchanged } = this.#report;
    this.#progress.show(type, this.#share(), stored + unchanged);
  }

  async #sendPiece(application: string, parts: readonly Part[]): Promise<void> {
    for (const { number, text } of parts) {
      const refused = await this.#contents.take(application, text);
      if (refused !== null) this.#refuse(number, refused);
    }
    this.#progress.show('contents', this.#share(), this.#report.stored + this.#report.unchanged);
  }

  /** The documents to which lines link, and which later lines bring. */
  #expected(parts: readonly Part[]): readonly string[] {
    const last = parts.at(-1)?.number ?? 0;
    const links = parts
      .flatMap(({ text }) => linksOf(text))
      .filter((each) => this.#coming.isAfter(each, last));
    return [...new Set(links.map(({ type, id }) => `${type} ${id}`))];
  }

  #refuse(line: number, reason: string): void {
    this.#report.refused += 1;
    this.#onRefused(line, reason);
  }
}

function isFull({ type, parts, units }: Batch): boolean {
  return (
    parts.length >= (type === CONTENT || isWrittenAlone(type) ? 1 : LIMITS.importLines) ||
    units >= BATCH_UNITS
  );
}
