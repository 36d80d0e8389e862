/** What an application knows of the migrations that have run there: an ordinary document for each. */
import { pathOf, requestKey } from '../../src/client/paths.ts';
import type { Resource } from '../../src/client/transport.ts';
import { Failure } from '../failure.ts';
import { operate } from './documents.ts';
import { Refusal, type Remote } from './target.ts';

const TYPE = 'foredge-migrations';

interface State {
  readonly done: boolean;
  /** Where it goes on: a place in the list of documents, or what a program has saved. */
  readonly at: unknown;
  readonly changed: number;
}

export class MigrationRecord {
  readonly #remote: Remote;
  readonly #id: string;
  #etag: string | undefined;
  #state: State;

  constructor(remote: Remote, { id, attributes = {} }: Resource, etag: string | undefined) {
    const { done = false, at = null, changed = 0 } = attributes;
    this.#remote = remote;
    this.#id = id;
    this.#etag = etag;
    this.#state = { done: done === true, at, changed: Number(changed) };
  }

  get state(): State {
    return this.#state;
  }

  /** Notes how far it has come, in one transaction with the changes of documents that brought it there. */
  async save(state: Partial<State>, operations: readonly object[] = []): Promise<void> {
    const data = { type: TYPE, id: this.#id, attributes: state };
    const own = { op: 'update', data, meta: { 'if-match': this.#etag } };
    try {
      const [result] = await operate(this.#remote, [own, ...operations]);
      this.#etag = result?.meta?.etag;
      this.#state = { ...this.#state, ...state };
    } catch (error) {
      if (error instanceof Refusal && /^.atomic:operations.0\b/.test(error.error.pointer ?? '')) {
        throw new Failure('Somebody else runs it too, or has deleted its record.', {
          cause: error,
        });
      }
      throw error;
    }
  }
}

/** By the names of migrations. */
export async function readRecords(remote: Remote): Promise<ReadonlyMap<string, MigrationRecord>> {
  const records = new Map<string, MigrationRecord>();
  for await (const { resource, etag } of remote.documents(pathOf(TYPE))) {
    const name = resource.attributes?.['name'];
    if (typeof name === 'string' && !records.has(name))
      records.set(name, new MigrationRecord(remote, resource, etag));
  }
  return records;
}

/** A new one. Of two that begin at once the first goes on. */
export async function beginRecord(remote: Remote, name: string): Promise<MigrationRecord> {
  const { body, etag } = await remote.request('POST', pathOf(TYPE), {
    body: { data: { type: TYPE, attributes: { name, done: false, at: null, changed: 0 } } },
    headers: { 'idempotency-key': requestKey() },
  });
  const made = body.data as Resource;
  for await (const { resource } of remote.documents(pathOf(TYPE))) {
    if (resource.attributes?.['name'] !== name || resource.id === made.id) continue;
    if (resource.id < made.id) {
      await remote.request('DELETE', pathOf(TYPE, made.id));
      throw new Failure(`${name}: Somebody else runs it too.`);
    }
  }
  return new MigrationRecord(remote, made, etag);
}
