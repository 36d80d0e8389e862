/**
 * Makes the backup of one application, in steps: the file that `export` would write, each page compressed by itself, in
 * parts of an upload to the bucket. A step may be cut off at any moment; the next one goes on from what the last one
 * noted. A type whose moment is not kept any more is begun again. Memory holds a page and two parts.
 */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import type { Environment } from '../../../collection/rpc/environment.ts';
import { applicationId, SYSTEM_APPLICATION, type DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE, storedType } from '../../../domain/types.ts';
import { isExported } from '../../../domain/types/facts.ts';
import { present } from '../../../domain/values/present.ts';
import { joined } from '../../../domain/values/bytes.ts';
import { linesOfPage } from '../transfer/export.ts';
import { endOf, HEAD, lineOfApplication } from '../../../domain/applications/export-frame.ts';
import { typesInOrder } from '../transfer/types.ts';
import { keyOfBackup, nameAt, timeOf } from './names.ts';
import { Claim, type Unfinished } from './unfinished.ts';

/** Bytes of each part but the last: the least that R2 takes, and all have to be alike. */
const PART = 5 * 1024 * 1024;

/** Milliseconds that a step takes, about: less than a client or the platform waits for an answer. */
export const STEP = 10_000;

/** Milliseconds after which what is unfinished is given up: the moments of its types lie too far apart. */
const STALE = 6 * 3_600_000;

/** What a step has come to. */
export type BackupStep =
  | { readonly state: 'whole'; readonly name: string; readonly bytes: number; readonly lines: number }
  | { readonly state: 'unfinished'; readonly name: string; readonly lines: number }
  /** Another run makes the backup. */
  | { readonly state: 'held' }
  | { readonly state: 'no-application' };

/** Where backups are read from and go. In milliseconds: how long a step takes, and how long it waits after a type. */
export interface Backups {
  readonly environment: Pick<Environment, 'COLLECTIONS'>;
  readonly bucket: R2Bucket;
  readonly step: number;
  readonly pace: number;
}

/** Goes on with the backup of an application, or begins one, with its history if that is asked for then. */
export async function backUpStep(
  backups: Backups,
  application: DocumentId,
  history = false,
): Promise<BackupStep> {
  const { bucket, step } = backups;
  const now = Date.now();
  const taken = await Claim.take(bucket, application, now);
  if (taken === 'held') return { state: 'held' };
  const { claim } = taken;
  let { unfinished } = taken;
  if (unfinished !== null && (timeOf(unfinished.name) ?? 0) < now - STALE) {
    await giveUp(bucket, application, unfinished);
    unfinished = null;
  }
  const caller = { environment: backups.environment, application: applicationId(application) };
  const begun = unfinished ?? (await begin(caller, application, history, now));
  if (begun === null) {
    await claim.end();
    return { state: 'no-application' };
  }
  if (!(await claim.note(begun, now))) return { state: 'held' };
  try {
    const reached = await goOn(backups, caller, begun, now + step);
    if (reached.types.length > 0) {
      const { name, lines } = reached;
      return (await claim.leave(reached)) ? { state: 'unfinished', name, lines } : { state: 'held' };
    }
    // Another run that has overtaken this one makes parts of its own: these would be gone.
    if (!(await claim.note(reached, Date.now()))) return { state: 'held' };
    const bytes = await finish(bucket, application, reached);
    // It is whole, whatever becomes of what is noted of it: the next run finds it there.
    await claim.end().catch(() => undefined);
    return { state: 'whole', name: reached.name, bytes, lines: reached.lines };
  } catch (error) {
    if (error instanceof UploadLost) {
      // A run that had come to its end may have been cut off after it: its upload is gone, and its file is there.
      const made = begun.types.length > 0 ? null : await bucket.head(keyOfBackup(application, begun.name));
      if (made === null) await giveUp(bucket, application, begun);
      await claim.end();
      if (made !== null) return { state: 'whole', name: begun.name, bytes: made.size, lines: begun.lines };
    } else await claim.leave(begun).catch(() => false);
    throw error;
  }
}

/** What comes before the first type; null where there is no such application. */
async function begin(
  caller: CallContext,
  application: DocumentId,
  history: boolean,
  now: number,
): Promise<Unfinished | null> {
  const applications = collectionOf({ ...caller, application: SYSTEM_APPLICATION }, CORE.application);
  const read = await applications.read(application, TRUSTED);
  if (read.state !== 'found') return null;
  const shown = Object.entries(read.document.attributes).map(
    ([name, value]) => [name, present(value)] as const,
  );
  const line = lineOfApplication(application, Object.fromEntries(shown));
  const made = { parts: [], rest: await compressed(`${HEAD}\n${line}\n`), lines: 0 };
  const types = (await typesInOrder(caller)).filter(isExported);
  return { ...made, name: nameAt(now), history, upload: null, types, next: null, before: made };
}

/** Writes a page, and more until a moment, or until no type is left. */
async function goOn(
  { bucket, pace }: Backups,
  caller: CallContext,
  begun: Unfinished,
  until: number,
): Promise<Unfinished> {
  let state = begun;
  for (let [type] = state.types; type !== undefined; [type] = state.types) {
    const { history = false } = state;
    const page = await linesOfPage(caller, storedType(type), state.next, LIMITS.pageSize, { history });
    if (!page.ok) {
      if (state.next === null) throw new Error(page.problems[0]?.detail ?? 'A type can not be exported.');
      state = { ...state, ...state.before, next: null };
      continue;
    }
    const { text, lines, next } = page.value;
    const made = text === '' ? state : await written(bucket, caller.application, state, text);
    state = { ...made, next, lines: made.lines + lines };
    if (next === null) {
      const { parts, rest } = state;
      state = { ...state, types: state.types.slice(1), before: { parts, rest, lines: state.lines } };
      if (pace > 0) await scheduler.wait(pace);
    }
    if (Date.now() >= until) break;
  }
  return state;
}

/** Adds a text; what fills parts goes to the bucket. */
async function written(
  bucket: R2Bucket,
  application: string,
  state: Unfinished,
  text: string,
): Promise<Unfinished> {
  let { parts, upload } = state;
  let rest = joined(state.rest, await compressed(text));
  while (rest.length >= PART) {
    const key = keyOfBackup(application, state.name);
    const part = rest.slice(0, PART);
    rest = rest.slice(PART);
    const to =
      upload === null
        ? await bucket.createMultipartUpload(key, TYPED)
        : bucket.resumeMultipartUpload(key, upload);
    upload = to.uploadId;
    parts = [...parts, await orLost(to.uploadPart(parts.length + 1, part))];
  }
  return { ...state, parts, upload, rest };
}

const TYPED = { httpMetadata: { contentType: 'application/gzip' } };

/** Puts the end, and makes the object; returns its bytes. */
async function finish(bucket: R2Bucket, application: string, state: Unfinished): Promise<number> {
  const { name, parts, upload, lines } = state;
  const key = keyOfBackup(application, name);
  const rest = joined(state.rest, await compressed(`${endOf(lines)}\n`));
  if (upload === null) {
    const { size } = await bucket.put(key, rest, TYPED);
    return size;
  }
  const to = bucket.resumeMultipartUpload(key, upload);
  const last = await orLost(to.uploadPart(parts.length + 1, rest));
  const { size } = await orLost(to.complete([...parts, last]));
  return size;
}

/** The bucket does not have the upload any more, or not all of its parts. */
class UploadLost extends Error {}

function orLost<T>(done: Promise<T>): Promise<T> {
  return done.catch((error: unknown) => {
    throw new UploadLost(error instanceof Error ? error.message : String(error));
  });
}

async function giveUp(bucket: R2Bucket, application: string, { name, upload }: Unfinished): Promise<void> {
  if (upload === null) return;
  const key = keyOfBackup(application, name);
  // One that has ended already is gone.
  await bucket
    .resumeMultipartUpload(key, upload)
    .abort()
    .catch(() => undefined);
}

async function compressed(text: string): Promise<Uint8Array> {
  const content = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(content).arrayBuffer());
}
