/**
 * What this collection has served: calls, and rows that its statements read and wrote. A call adds to numbers in memory;
 * the sums are written rarely (saver.ts).
 */
import type { Served } from '../rpc/maintenance/usage.ts';
import type { Meter } from './meter.ts';
import type { Ground } from '../write/ground.ts';
import { Saver } from './saver.ts';

/** Where the sums stand in the object's storage. */
const STORED = 'usage';

const NOTHING: Served = { calls: 0, rowsRead: 0, rowsWritten: 0 };

export class ServedCounters {
  readonly #ground: Ground;
  readonly #meter: Meter;
  readonly #saver: Saver;
  #arrived = 0;
  /** What its predecessors in memory have served. */
  #before: Served | null = null;

  constructor(ground: Ground, meter: Meter) {
    this.#ground = ground;
    this.#meter = meter;
    this.#saver = new Saver(ground, () => [[STORED, this.all]]);
  }

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
    if (this.#ground.writes.hasTables) this.#saver.counted(this.#arrived + this.#meter.summed);
  }

  /** All that was served. */
  get all(): Served {
    this.#before ??= this.#ground.storage.kv.get<Served>(STORED) ?? NOTHING;
    const { calls, rowsRead, rowsWritten } = this.#before;
    const rows = this.#meter.rows;
    return {
      calls: calls + this.#arrived,
      rowsRead: rowsRead + rows.read,
      rowsWritten: rowsWritten + rows.written,
    };
  }
}
