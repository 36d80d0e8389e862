/** The little of IndexedDB that an offline store needs: some tables, and transactions whose work is a function. */
import type { Change } from './pending.ts';
import type { Resource } from '../transport.ts';

/** A document as the service has it, in one of the copies. */
export interface StoredDocument {
  readonly copy: string;
  readonly id: string;
  readonly resource: Resource;
  readonly etag: string | undefined;
  /** When it was read, as a number that only grows. */
  readonly at?: number;
}

/** The rows of each table. */
interface Rows {
  readonly documents: StoredDocument;
  readonly changes: Change;
  /** Up to where a copy has come. */
  readonly marks: { readonly copy: string; readonly mark: string; readonly at?: number };
  /** Ids that documents had before the service gave them theirs. */
  readonly ids: { readonly local: string; readonly id: string };
}
type Table = keyof Rows;

/** What each table is found by. */
const KEYS = { documents: ['copy', 'id'], changes: 'seq', marks: 'copy', ids: 'local' } as const;
const TABLES = Object.keys(KEYS);

interface StoreRequest<T> {
  readonly result: T;
  readonly error: unknown;
  onsuccess: (() => void) | null;
  onerror: (() => void) | null;
}

interface Opening extends StoreRequest<Base> {
  onupgradeneeded: (() => void) | null;
}

interface Source {
  readonly getAll: (key?: string) => StoreRequest<unknown[]>;
}

interface ObjectStore extends Source {
  readonly get: (key: string) => StoreRequest<unknown>;
  readonly put: (row: unknown) => StoreRequest<unknown>;
  readonly delete: (key: string | number | readonly string[]) => StoreRequest<undefined>;
  readonly index: (name: string) => Source;
  readonly createIndex: (name: string, path: string) => unknown;
}

interface Base {
  readonly createObjectStore: (name: string, options: object) => ObjectStore;
  readonly transaction: (
    names: readonly string[],
    mode: 'readonly' | 'readwrite',
  ) => {
    readonly objectStore: (name: string) => ObjectStore;
    readonly abort: () => void;
    readonly error: unknown;
    oncomplete: (() => void) | null;
    onabort: (() => void) | null;
  };
  readonly close: () => void;
  onversionchange: (() => void) | null;
}

interface Surroundings {
  readonly indexedDB?: {
    readonly open: (name: string, version: number) => Opening;
    readonly deleteDatabase: (name: string) => StoreRequest<undefined>;
  };
}

/** The databases of the browser. */
function databases() {
  const { indexedDB } = globalThis as unknown as Surroundings;
  if (indexedDB === undefined) throw new TypeError('There is no IndexedDB here.');
  return indexedDB;
}

/** Opens the tables of this name; rejects where the browser keeps nothing. */
export async function openStorage(name: string): Promise<Storage> {
  const opening = databases().open(name, 1);
  opening.onupgradeneeded = () => {
    for (const [table, keyPath] of Object.entries(KEYS)) {
      const made = opening.result.createObjectStore(table, { keyPath, autoIncrement: keyPath === 'seq' });
      if (table === 'documents') for (const member of ['copy', 'id']) made.createIndex(member, member);
    }
  };
  return new Storage(await resultOf(opening));
}

export async function deleteStorage(name: string): Promise<void> {
  await resultOf(databases().deleteDatabase(name));
}

/** The tables within a transaction, which ends when nothing is asked of it any more. */
export class Tables {
  readonly #of: (table: Table) => ObjectStore;

  constructor(of: (table: Table) => ObjectStore) {
    this.#of = of;
  }

  async all<T extends Table>(table: T): Promise<Rows[T][]> {
    return (await resultOf(this.#of(table).getAll())) as Rows[T][];
  }

  async documents(by: 'copy' | 'id', key: string): Promise<StoredDocument[]> {
    return (await resultOf(this.#of('documents').index(by).getAll(key))) as StoredDocument[];
  }

  async get<T extends 'marks' | 'ids'>(table: T, key: string): Promise<Rows[T] | undefined> {
    return (await resultOf(this.#of(table).get(key))) as Rows[T] | undefined;
  }

  put<T extends Table>(table: T, row: T extends 'changes' ? Omit<Change, 'seq'> : Rows[T]): void {
    this.#of(table).put(row);
  }

  delete(table: Table, key: string | number | readonly string[]): void {
    this.#of(table).delete(key);
  }
}

export class Storage {
  readonly #base: Base;

  constructor(base: Base) {
    this.#base = base;
    // Who deletes the tables must not wait for a page that shows them.
    base.onversionchange = () => {
      base.close();
    };
  }

  /** What a work finds, as of one moment. */
  read<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#within('readonly', work);
  }

  /** Makes all changes of a work, or none. Nobody else changes anything meanwhile. It rejects if there is no room. */
  write<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.#within('readwrite', work);
  }

  close(): void {
    this.#base.close();
  }

  async #within<T>(mode: 'readonly' | 'readwrite', work: (tables: Tables) => Promise<T>): Promise<T> {
    const transaction = this.#base.transaction(TABLES, mode);
    const ended = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => {
        resolve();
      };
      transaction.onabort = () => {
        reject(errorOf(transaction.error));
      };
    });
    const [found] = await Promise.all([
      work(new Tables((table) => transaction.objectStore(table))).catch((error: unknown) => {
        try {
          transaction.abort();
        } catch {
          // It has ended by itself.
        }
        throw error;
      }),
      ended,
    ]);
    return found;
  }
}

function resultOf<T>(request: StoreRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(errorOf(request.error));
    };
  });
}

const errorOf = (error: unknown) =>
  error instanceof Error ? error : new Error('The browser could not keep this.');
