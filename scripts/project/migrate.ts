/**
 * Brings the documents of a target to what the migrations of a project say: each migration once. What it has done is in
 * a document of the application, which changes in one transaction with the documents: so a migration that broke off
 * goes on where it was and does nothing twice, and of two that run at once one gives up.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MEMORY, WORK } from '../../src/domain/limits.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Fields } from '../../src/domain/values/values.ts';
import { Meter } from '../../src/operators/core/meter.ts';
import { faultOfComputed } from '../../src/operators/settings/set.ts';
import { counted } from '../commands/command.ts';
import { explain, Failure } from '../failure.ts';
import { Progress } from '../transfer/progress.ts';
import { pageOf, sentOf, type StoredDocument } from './documents.ts';
import type { DocumentChange, Migration } from './migrations.ts';
import { beginRecord, readRecords, type MigrationRecord } from './migration-records.ts';
import { Refusal, type Remote } from './target.ts';

/** Documents of one step. Others wait for its transaction: some milliseconds. */
const STEP = 200;
/** How often a step is tried whose documents others change, and milliseconds of a pause, at most. */
const ATTEMPTS = 50;
const PAUSE = 100;

/** Those that have not run to their end. */
export async function pendingOf(
  remote: Remote,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const records = await readRecords(remote);
  return migrations.filter(({ name }) => records.get(name)?.state.done !== true);
}

/** How many documents a migration is about; null for a program. */
export function countOf(remote: Remote, { change }: Migration): Promise<number | null> {
  return change === null ? Promise.resolve(null) : remote.count(change.type, filterOf(change));
}

/** Runs one, or what is left of it; tells how many documents it has changed. */
export async function migrate(remote: Remote, migration: Migration, step = STEP): Promise<number | null> {
  const record =
    (await readRecords(remote)).get(migration.name) ?? (await beginRecord(remote, migration.name));
  try {
    if (migration.change === null) await runProgram(remote, migration, record);
    else await changeAll(remote, migration.change, record, step);
  } catch (error) {
    throw new Failure(`${migration.name}: ${explain(error)}`, { cause: error });
  }
  return migration.change === null ? null : record.state.changed;
}

/** What a file with a program exports. */
type Program = (given: {
  readonly db: Remote['db'];
  /** What it has saved when it ran before and broke off; else null. */
  readonly at: unknown;
  readonly save: (at: unknown) => Promise<void>;
}) => unknown;

const isProgram = (value: unknown): value is Program => typeof value === 'function';

async function runProgram(remote: Remote, { path }: Migration, record: MigrationRecord): Promise<void> {
  const program: unknown = await import(pathToFileURL(resolve(path)).href);
  const run = (program as { readonly default?: unknown }).default;
  if (!isProgram(run)) throw new Failure('It must export a function by default.');
  await run({ db: remote.db, at: record.state.at, save: (at: unknown) => record.save({ at }) });
  await record.save({ at: null, done: true });
}

async function changeAll(
  remote: Remote,
  change: DocumentChange,
  record: MigrationRecord,
  most: number,
): Promise<void> {
  const progress = new Progress(process.stderr);
  const all = record.state.changed + (await remote.count(change.type, filterOf(change)));
  let size = most;
  for (let attempt = 1; !record.state.done;) {
    const { changed, at } = record.state;
    const after = typeof at === 'string' ? at : '';
    const query = { ...filterOf(change), 'page[size]': String(size), 'page[after]': after };
    const page = await pageOf(remote, change.type, query);
    const operations = page.documents.flatMap((document) => operationOn(document, page.etag, change) ?? []);
    const state = { at: page.next, changed: changed + operations.length, done: page.next === null };
    try {
      await record.save(state, operations);
      [attempt, size] = [1, Math.min(most, size * 2)];
    } catch (error) {
      const isTooLarge = error instanceof Refusal && error.error.status === 413;
      const isStale = error instanceof Refusal && [404, 412].includes(error.error.status);
      if (!(isTooLarge && size > 1) && !(isStale && attempt < ATTEMPTS)) throw whyNot(error, operations);
      [attempt, size] = [attempt + 1, Math.ceil(size / 2)];
      if (attempt > 1) await wait(Math.random() * PAUSE);
    }
    progress.show(change.type, all === 0 ? 1 : record.state.changed / all, record.state.changed);
  }
  progress.end();
}

/** Which documents a change is about. */
function filterOf({ rename, set, remove }: DocumentChange): Record<string, string> {
  const names = [...Object.keys(rename), ...remove];
  if (set.length > 0 || names.length === 0) return {};
  return { 'filter[*]': JSON.stringify({ $or: names.map((name) => ({ [name]: { $exists: true } })) }) };
}

interface Operation {
  readonly op: 'update';
  readonly data: { readonly type: string; readonly id: string; readonly attributes: object };
  readonly meta: object;
}

/** What the service refuses, with the document that it is about. */
function whyNot(error: unknown, operations: readonly Operation[]): unknown {
  if (!(error instanceof Refusal)) return error;
  const [, at = ''] = /^\/atomic:operations\/(\d+)/.exec(error.error.pointer ?? '') ?? [];
  // The first operation is that of the record.
  const id = operations[Number(at) - 1]?.data.id;
  return id === undefined ? error : new Failure(`Document ${id}: ${error.message}`, { cause: error });
}

/** The change of one document, as an operation; null where it is as it should be. */
function operationOn(
  { id, content: { attributes }, flat }: StoredDocument,
  etag: string | undefined,
  change: DocumentChange,
): Operation | null {
  const after = attributesAfter(id, attributes, flat, change);
  const [was, is] = [sentOf(attributes), sentOf(after)];
  const changed = Object.entries(is).filter(([name, value]) => !isDeepStrictEqual(value, was[name]));
  const gone = Object.keys(was).filter((name) => !Object.hasOwn(is, name));
  // One without anything to do computes what the settings of its type say.
  const isTouch = Object.keys(change.rename).length + change.set.length + change.remove.length === 0;
  if (changed.length === 0 && gone.length === 0 && !isTouch) return null;
  const unset = gone.length > 0 && {
    meta: { update: { $unset: Object.fromEntries(gone.map((name) => [name, ''])) } },
  };
  const data = { type: change.type, id, attributes: Object.fromEntries(changed), ...unset };
  return { op: 'update', data, meta: { 'if-match': etag } };
}

function attributesAfter(id: string, attributes: Fields, flat: Fields, change: DocumentChange): Fields {
  const after = new Map(Object.entries(attributes));
  const links = Object.entries(flat).filter(([name]) => !Object.hasOwn(attributes, name));
  for (const [from, to] of Object.entries(change.rename)) {
    const value = after.get(from);
    // Who has written the new name already knew better.
    if (value !== undefined && !after.has(to)) after.set(to, value);
    after.delete(from);
  }
  const meter = new Meter({ work: WORK.settings, held: MEMORY.pipelineValue });
  for (const { name, unless, expression } of change.set) {
    if (expression === null || (unless !== null && after.has(name))) continue;
    const now = { ...Object.fromEntries(links), ...Object.fromEntries(after) };
    const moment = {
      before: flat,
      after: now,
      requester: null,
      now: new Date(),
      linked: () => ({}),
      viewer: () => ({}),
    };
    const made = expression.evaluate(moment, meter);
    const fault = !made.ok ? made.detail : made.value === undefined ? undefined : faultOfComputed(made.value);
    if (fault !== undefined) throw new Failure(`Document ${id}: ${name} cannot be computed. ${fault}`);
    if (made.ok && made.value !== undefined) after.set(name, made.value);
    else after.delete(name);
  }
  for (const name of change.remove) after.delete(name);
  return Object.fromEntries(after);
}

/** What is to be done, and what has been. */
export function pendingText({ name }: Migration, count: number | null): string {
  return `${name}: ${count === null ? 'a program' : `${counted(count)} documents`}.`;
}

export function doneText({ name }: Migration, changed: number | null): string {
  return `${name}: ${changed === null ? 'done' : `${counted(changed)} documents changed`}.`;
}
