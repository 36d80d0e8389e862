/** Former versions of documents, of types that have a history (docs/history.md). */
import { ForedgeError } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { notify } from '../../parts/toasts.tsx';
import { documentsIn } from '../../parts/words.tsx';
import { documentIn, list } from '../../session/documents.ts';
import { ask } from '../../session/service.ts';
import { draftOf, type Draft } from './draft.ts';
import { readSettings } from './shape.ts';

export function pathOfVersions({ type, id }: Link): string {
  return `${pathOf(type, id)}/versions`;
}

/** Whether a type has a history: its settings say so, and where they may not be read, nobody knows before. */
export async function hasHistory(type: string, signal?: AbortSignal): Promise<boolean> {
  if (!mayHaveHistory(type)) return false;
  return readSettings(type, signal).then(
    ({ history = null }) => history !== null,
    () => true,
  );
}

/** Whether a type may have a history. */
export function mayHaveHistory(type: string): boolean {
  return pathOf(type).startsWith('/resources/');
}

/** The document as it was; undefined where it was not there, or nobody knows any more. */
export async function readVersion(
  link: Link,
  number: number,
  signal: AbortSignal,
): Promise<Draft | undefined> {
  if (number < 1) return undefined;
  try {
    const was = documentIn(await ask('GET', `${pathOfVersions(link)}/${number}`, { signal }));
    return was === null ? undefined : draftOf(was);
  } catch (error) {
    if (error instanceof ForedgeError && error.status === 404) return undefined;
    throw error;
  }
}

export async function restore(link: Link, number: number): Promise<void> {
  await ask('POST', `${pathOfVersions(link)}/${number}/restore`);
}

/** The number of the version before the last one; undefined where nothing can be restored. */
async function formerOf(link: Link): Promise<number | undefined> {
  const { documents } = await list(pathOfVersions(link), { 'page[size]': '2' });
  const number = documents[1]?.attributes?.['number'];
  return typeof number === 'number' ? number : undefined;
}

/** Documents that are undone at once at most: each takes two requests. */
export const UNDONE = 500;

/** Says what was done to documents, with a way to make them what they were before, where their type has a history. */
export async function notifyOf(
  words: string,
  type: string,
  ids: readonly string[],
  onUndone: () => void,
): Promise<void> {
  const [id] = ids;
  const mayUndo = id !== undefined && ids.length <= UNDONE && (await hasHistory(type));
  const former = mayUndo ? await formerOf({ type, id }).catch(() => undefined) : undefined;
  if (former === undefined) {
    notify(words);
    return;
  }
  notifyUndo(words, async () => {
    let count = 0;
    for (const each of ids) {
      const number = await formerOf({ type, id: each });
      if (number === undefined) continue;
      await restore({ type, id: each }, number);
      count += 1;
    }
    onUndone();
    return `${documentsIn(count)} restored.`;
  });
}

/** Says what was done, with a way to undo it that says what it did. */
export function notifyUndo(words: string, undo: () => Promise<string>): void {
  notify(words, () => {
    undo().then(notify, (error: unknown) =>
      notify(`That could not be undone: ${error instanceof Error ? error.message : String(error)}`),
    );
  });
}
