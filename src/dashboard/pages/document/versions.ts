/** Former versions of documents, of types that have a history (docs/history.md). */
import type { ErrorObject } from '../../../client/errors.ts';
import { pathOf, requestKey } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { errorsOf, notify } from '../../parts/button.tsx';
import { countText, documentsIn } from '../../parts/words.tsx';
import { ask, documentIn, list, statusOf } from '../../session/service.ts';
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

/** The document as it was: null where it was deleted, undefined where nobody knows any more. */
export async function readVersion(
  link: Link,
  number: number,
  signal: AbortSignal,
): Promise<Draft | null | undefined> {
  if (number < 1) return null;
  try {
    const was = documentIn(await ask('GET', `${pathOfVersions(link)}/${number}`, { signal }));
    return was && draftOf(was);
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** Makes a document what a version was; with a tag only if it is as that says. */
export async function restore(link: Link, number: number, etag?: string): Promise<void> {
  const headers = { 'if-match': etag, 'idempotency-key': requestKey() };
  await ask('POST', `${pathOfVersions(link)}/${number}/restore`, { headers });
}

/** The number of the version before the last one; undefined where nothing can be restored. */
async function formerOf(link: Link): Promise<number | undefined> {
  const { documents } = await list(pathOfVersions(link), { 'page[size]': '2' });
  const number = documents[1]?.attributes?.['number'];
  return typeof number === 'number' ? number : undefined;
}

/** Documents that are undone at once at most: each takes two requests. */
export const UNDONE = 500;

/** The documents that were written, by their ids: each with the tag of its write. The deletion of one gives none. */
export type Tags = ReadonlyMap<string, string | undefined>;

/** The tag of a document, which may be deleted. */
async function tagOf({ type, id }: Link): Promise<string | undefined> {
  return (await ask('GET', pathOf(type, id))).etag;
}

/** Says what was done to documents, with a way to make them what they were before, where their type has a history. */
export async function notifyOf(
  words: string,
  type: string,
  written: Tags,
  onUndone: () => void,
): Promise<void> {
  const [[id = '', tag] = []] = written;
  const mayUndo = written.size > 0 && written.size <= UNDONE && (await hasHistory(type));
  const since = mayUndo ? await (tag ?? tagOf({ type, id }).catch(() => undefined)) : undefined;
  if (since === undefined || (await formerOf({ type, id }).catch(() => undefined)) === undefined) {
    notify(words);
    return;
  }
  notifyUndo(words, async () => {
    const told = await takeAllBack(type, written, since);
    onUndone();
    return told;
  });
}

/** Makes documents what they were before their last change, if that is still the one with their tag. */
export async function takeAllBack(type: string, written: Tags, since?: string): Promise<string> {
  const refusals: (ErrorObject | undefined)[] = [];
  for (const [id, etag = since] of written) refusals.push(await takeBack({ type, id }, etag));
  return undoneText('restored', refusals);
}

async function takeBack(link: Link, etag: string | undefined): Promise<ErrorObject | undefined> {
  try {
    const number = await formerOf(link);
    if (number === undefined) throw new Error('What it was is not kept any more.');
    await restore(link, number, etag);
    return undefined;
  } catch (error) {
    return errorsOf(error)[0];
  }
}

/** What undoing has come to: for each document its refusal, or undefined where it was undone. */
export function undoneText(verb: string, results: readonly (ErrorObject | undefined)[]): string {
  const refusals = results.filter((each) => each !== undefined);
  const [other, ...others] = refusals.filter(({ code }) => code !== 'precondition-failed');
  const left = other === undefined ? 0 : 1 + others.length;
  const changed = refusals.length - left;
  return [
    `${documentsIn(results.length - refusals.length)} ${verb}.`,
    changed === 1 && '1 has been changed since and stays.',
    changed > 1 && `${countText(changed)} have been changed since and stay.`,
    other && `${countText(left)} could not be: ${other.detail ?? other.title}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Says what was done, with a way to undo it that says what it did. */
export function notifyUndo(words: string, undo: () => Promise<string>): void {
  notify(words, () => {
    undo().then(notify, (error: unknown) =>
      notify(`That could not be undone: ${error instanceof Error ? error.message : String(error)}`),
    );
  });
}
