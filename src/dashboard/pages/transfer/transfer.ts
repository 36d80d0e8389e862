/** Exports and imports of an application, in the form of `npm run app -- export`: lines of JSON. */
import { ForedgeError } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { endOf, HEAD, isEnd, isHead, lineOfApplication } from '../../../domain/applications/export-frame.ts';
import { isWrittenAlone } from '../../../domain/types/facts.ts';
import { reasonOf } from '../../parts/button.tsx';
import { chunksOf, isMembers, parsed, type LineFault } from '../../parts/fields/json.ts';
import { filterOfIds } from '../../parts/fields/names.tsx';
import { APPLICATION } from '../../session/credentials.ts';
import { ask, askMeta, list, pagesOfLines, sendLines } from '../../session/service.ts';
import { mayHaveHistory, UNDONE } from '../document/versions.ts';
import { batchesOf, type Made } from '../documents/many.ts';

export interface HeldType {
  readonly name: string;
  readonly documents: number;
  readonly bytes: number;
  readonly exported: boolean;
}

/** The types that an export holds, in its order. */
export async function readHeld(application: string, signal: AbortSignal): Promise<readonly HeldType[]> {
  const path = pathOf(APPLICATION, application, 'types');
  const { types } = await askMeta<{ types: readonly HeldType[] }>('GET', path, { signal });
  return types.filter(({ exported }) => exported);
}

/** Lines of an export, as a file; `tell` hears how many there are so far. Each type is as it was when it was begun. */
export async function exportTypes(
  application: string,
  types: readonly HeldType[],
  isWhole: boolean,
  report: (lines: number) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const parts: string[] = [`${HEAD}\n`];
  if (isWhole) {
    const { body } = await ask('GET', pathOf(APPLICATION, application), { signal });
    parts.push(`${lineOfApplication(application, (body.data as Resource).attributes ?? {})}\n`);
  }
  let lines = 0;
  for (const { name } of types) {
    for await (const text of pagesOfLines(pathOf(APPLICATION, application, 'documents', name), {}, signal)) {
      parts.push(text);
      lines += text.split('\n').length - 1;
      report(lines);
    }
  }
  parts.push(`${endOf(lines)}\n`);
  return new Blob(parts, { type: 'application/x-ndjson' });
}

export interface Imported {
  readonly stored: number;
  readonly unchanged: number;
  /** The documents that are new. */
  readonly made: readonly Made[];
  readonly refused: readonly LineFault[];
}

interface Line {
  readonly line: number;
  readonly text: string;
  readonly type: string;
}

/** Bytes of a line. */
const LONGEST = 2 * 1024 * 1024;
/** Lines of a batch: what the service takes at a time. */
const BATCH_LINES = 1_000;

/**
 * Stores lines of an export in an application, in batches of one type. A link may lead to a later line: so what was
 * refused is tried again, as long as that stores something.
 */
export async function importLines(
  application: string,
  file: Blob,
  report: (done: number) => void,
  signal: AbortSignal,
): Promise<Imported> {
  let waiting: readonly Line[] = linesOf(await file.text());
  let [stored, unchanged] = [0, 0];
  const made: Made[] = [];
  for (;;) {
    const before = stored + unchanged;
    const refused: (LineFault & Line)[] = [];
    const batches = [...batchesOf(waiting, ({ text }) => text.length, isApart)];
    for (const [index, batch] of batches.entries()) {
      const outcome = await store(application, batch, signal);
      stored += outcome.stored;
      unchanged += outcome.unchanged;
      made.push(...(await taggedNow(batch[0]?.type ?? '', outcome.made)));
      report(stored + unchanged);
      if (outcome.refused.size === 0) continue;
      // The others of its batch are sent without it.
      const rest = batch.filter((_, at) => !outcome.refused.has(at));
      if (rest.length > 0) batches.splice(index + 1, 0, rest);
      refused.push(...batch.flatMap((each, at) => faultAt(each, outcome.refused.get(at))));
    }
    if (refused.length === 0 || stored + unchanged === before) return { stored, unchanged, made, refused };
    waiting = refused;
  }
}

/** Ids in one filter. */
const SOUGHT = 200;

/** New documents, each with the tag of a list that shows it; without, if they may have no history, or are too many. */
async function taggedNow(type: string, ids: readonly string[]): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const some of chunksOf(ids, SOUGHT)) {
    const query = {
      'filter[id]': filterOfIds(type, some),
      [`fields[${type}]`]: '',
      'page[limit]': String(SOUGHT),
    };
    const isUndone = mayHaveHistory(type) && ids.length <= UNDONE;
    const etag = isUndone ? (await list(pathOf(type), query).catch(() => undefined))?.etag : undefined;
    made.push(...some.map((id) => ({ type, id, etag })));
  }
  return made;
}

/** Whether a file has lines that name their types, as an export has. */
export async function isOfExport(file: File): Promise<boolean> {
  const [first = ''] = (await file.slice(0, LONGEST).text()).split('\n', 1);
  return isHead(first) || typeOf(first) !== undefined;
}

function faultAt(line: Line, reason: string | undefined): readonly (LineFault & Line)[] {
  return reason === undefined ? [] : [{ ...line, reason }];
}

/** The lines of documents: neither the first one, nor the last, nor that of the application. */
function linesOf(file: string): Line[] {
  return file.split('\n').flatMap((text, index): Line[] => {
    const line = index + 1;
    if (text.trim() === '' || isHead(text) || isEnd(text)) return [];
    const type = typeOf(text);
    if (type === undefined) throw new Error(`Line ${line} is no line of an export.`);
    return type === 'core.application' ? [] : [{ line, text, type }];
  });
}

function typeOf(line: string): string | undefined {
  const json = parsed(line);
  const type = isMembers(json) ? json['type'] : undefined;
  return typeof type === 'string' ? type : undefined;
}

/** Whether a line begins another batch. */
function isApart({ type }: Line, batch: readonly Line[]): boolean {
  return batch[0]?.type !== type || batch.length >= (isWrittenAlone(type) ? 1 : BATCH_LINES);
}

interface Outcome extends Pick<Imported, 'stored' | 'unchanged'> {
  readonly made: readonly string[];
  /** Why, by the place of a line in its batch. Then nothing of the batch was stored. */
  readonly refused: ReadonlyMap<number, string>;
}

async function store(application: string, lines: readonly Line[], signal: AbortSignal): Promise<Outcome> {
  const path = pathOf(APPLICATION, application, 'documents', lines[0]?.type ?? '');
  try {
    const text = lines.map((line) => `${line.text}\n`).join('');
    const answer = await sendLines('POST', path, { lines: text, signal });
    const { meta } = JSON.parse(answer.text) as { readonly meta: Omit<Outcome, 'refused'> };
    return { ...meta, refused: new Map() };
  } catch (error) {
    if (!(error instanceof ForedgeError)) throw error;
    const refused = error.errors.flatMap((each) => {
      const line = each.meta?.['line'];
      return typeof line === 'number' ? [[line - 1, reasonOf(each)] as const] : [];
    });
    if (refused.length === 0) throw error;
    return { stored: 0, unchanged: 0, made: [], refused: new Map(refused) };
  }
}
