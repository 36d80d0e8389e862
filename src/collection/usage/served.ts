/**
 * What this collection has served: calls, and rows that its statements read and wrote; in the registry of types, the
 * application's requests, as isolates of the Worker hand them on. Calls add to numbers in memory, which `Saver` writes.
 */
import { type Served, storedAs, type Requests, type CountedRequests } from '../rpc/maintenance/usage.ts';
import { Part, type Ground } from '../write/ground.ts';
import { storedUnder } from '../storage/alarm.ts';
import { TablesOnDemand } from '../storage/missing-tables.ts';

type Row = Record<string, SqlStorageValue>;

/** Cursors whose counts are added up together: asking each costs more than the statement's own share. */
const TOGETHER = 16;

/**
 * The object's SQLite database with all its tables, counting the rows that statements read and write, as the platform
 * counts them.
 */
export class CountingSql implements SqlStorage {
  readonly Cursor: SqlStorage['Cursor'];
  readonly Statement: SqlStorage['Statement'];
  readonly #sql: SqlStorage;
  readonly #tables: TablesOnDemand;
  readonly #cursors: SqlStorageCursor<Row>[] = [];
  #rowsRead = 0;
  #rowsWritten = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#tables = new TablesOnDemand(sql);
    this.Cursor = sql.Cursor;
    this.Statement = sql.Statement;
  }

  exec<T extends Row>(query: string, ...bindings: unknown[]): SqlStorageCursor<T> {
    // A cursor counts until it has given its last row.
    if (this.#cursors.length >= TOGETHER) this.#addUp();
    const cursor = this.#tables.exec<T>(query, bindings);
    this.#cursors.push(cursor);
    return cursor;
  }

  get databaseSize(): number {
    return this.#sql.databaseSize;
  }

  /** Rows since the object is in memory. */
  get rows(): { readonly read: number; readonly written: number } {
    this.#addUp();
    return { read: this.#rowsRead, written: this.#rowsWritten };
  }

  /** All of them, without those of the last few cursors. */
  get summed(): number {
    return this.#rowsRead + this.#rowsWritten;
  }

  #addUp(): void {
    for (const { rowsRead, rowsWritten } of this.#cursors) {
      this.#rowsRead += rowsRead;
      this.#rowsWritten += rowsWritten;
    }
    this.#cursors.length = 0;
  }
}

/** Where the sums stand in the object's storage. */
const STORED = 'usage';

const NOTHING: Served = { calls: 0, rowsRead: 0, rowsWritten: 0 };

interface Parts extends Ground {
  readonly sql: CountingSql;
}

export class ServedCounters extends Part<Parts> {
  readonly #saver = new Saver(this.parts, () => [[STORED, this.all]]);
  #arrived = 0;
  /** What its predecessors in memory have served. */
  #before: Served | null = null;

  /** Calls since the object is in memory. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Counts a call. */
  call(): void {
    this.#arrived += 1;
  }

  /** To be called when a call has been served. Asking about a type that nobody uses is not written. */
  done(): void {
    if (this.parts.writes.hasTables) this.#saver.counted(this.#arrived + this.parts.sql.summed);
  }

  get all(): Served {
    this.#before ??= this.parts.storage.kv.get<Served>(STORED) ?? NOTHING;
    const { calls, rowsRead, rowsWritten } = this.#before;
    const rows = this.parts.sql.rows;
    return {
      calls: calls + this.#arrived,
      rowsRead: rowsRead + rows.read,
      rowsWritten: rowsWritten + rows.written,
    };
  }
}

/** Milliseconds between two saves of little. */
const PAUSE = 10_000;

/** Calls and rows that are saved sooner: writing one row costs what reading so many does. */
const MUCH = 1_000;

/**
 * Writes down what an object counts in memory, after calls: the first one, and then where ten seconds have passed or
 * much was counted. There is no timer: it would keep the object awake, which is billed. No answer waits for the disk.
 * An object that leaves memory, or dies, loses what it has counted since.
 */
class Saver extends Part<Ground> {
  readonly #take: () => Iterable<readonly [key: string, value: object]>;
  #savedAt: number | null = null;
  #saved = 0;

  /** `take` gives what is to be stored, by its key. */
  constructor(parts: Ground, take: () => Iterable<readonly [key: string, value: object]>) {
    super(parts);
    this.#take = take;
  }

  /** To be called after each call of the object, with all that it has counted since it is in memory. */
  counted(sum: number): void {
    const now = Date.now();
    const isRecent = this.#savedAt !== null && Math.abs(now - this.#savedAt) < PAUSE;
    if (isRecent && sum - this.#saved < MUCH) return;
    this.#savedAt = now;
    this.#saved = sum;
    void this.#save();
  }

  async #save(): Promise<void> {
    const { storage, writes, hasRoom } = this.parts;
    try {
      // Nobody catches a commit that fails at the end, so room is looked for before.
      if (!(await hasRoom()) || !writes.hasTables || writes.sealed) return;
      const puts = Array.from(this.#take(), ([key, value]) =>
        storage.put(key, value, { allowUnconfirmed: true }),
      );
      await Promise.all(puts);
    } catch (error) {
      console.warn(`Counts were not kept: ${String(error)}`);
    }
  }
}

/** Where counts stand in the object's storage, each under the id of its key. */
const PREFIX = 'requests/';

/** The requests of an application by API key. */
export class RequestCounts extends Part<Ground> {
  readonly #saver = new Saver(this.parts, () => this.#take());
  #counts: Map<string, Requests> | null = null;
  readonly #changed = new Set<string>();
  #sum = 0;

  add(counted: CountedRequests): void {
    // An application without a registry was deleted.
    if (!this.parts.writes.hasTables) return;
    const counts = this.#load();
    for (const [key, more] of Object.entries(counted)) {
      const { requests, errors } = more;
      this.#sum += requests;
      const name = storedAs(key, more, counts);
      const before = counts.get(name);
      counts.set(name, {
        requests: (before?.requests ?? 0) + requests,
        errors: (before?.errors ?? 0) + errors,
      });
      this.#changed.add(name);
    }
    this.#saver.counted(this.#sum);
  }

  get all(): CountedRequests {
    return Object.fromEntries(this.#load());
  }

  /** What has changed since it was last taken. */
  #take(): readonly (readonly [string, Requests])[] {
    const changed = [...this.#load()].filter(([key]) => this.#changed.has(key));
    this.#changed.clear();
    return changed.map(([key, counts]) => [`${PREFIX}${key}`, counts]);
  }

  #load(): Map<string, Requests> {
    return (this.#counts ??= storedUnder(this.parts.storage.kv, PREFIX));
  }
}
