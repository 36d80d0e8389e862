/**
 * What this collection has served: calls, and rows that its statements read and wrote. A call adds to numbers in memory;
 * the sums are written rarely (saver.ts).
 */
import type { Served } from '../rpc/upkeep/usage.ts';
import type { Meter } from './meter.ts';
import { Saver, type Place } from './saver.ts';

/** Where the sums stand in the object's storage. */
const STORED = 'usage';

const NOTHING: Served = { calls: 0, rowsRead: 0, rowsWritten: 0 };

export class Tally {
  readonly #place: Place;
  readonly #meter: Meter;
  readonly #saver: Saver;
  #calls = 0;
  #arrived = 0;

  constructor(place: Place, meter: Meter) {
    this.#place = place;
    this.#meter = meter;
    this.#saver = new Saver(() => {
      this.#save();
    }, place.hasRoom);
  }

  /** Calls since the object is in memory. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Counts a call. Asking about a type that nobody uses is not written. */
  call(): void {
    this.#calls += 1;
    this.#arrived += 1;
    if (this.#place.writes.hasTables) this.#saver.counted();
  }

  /** All that was served. */
  get served(): Served {
    const { calls, rowsRead, rowsWritten } = this.#place.storage.kv.get<Served>(STORED) ?? NOTHING;
    const rows = this.#meter.take();
    this.#rows.rowsRead += rows.rowsRead;
    this.#rows.rowsWritten += rows.rowsWritten;
    return {
      calls: calls + this.#calls,
      rowsRead: rowsRead + this.#rows.rowsRead,
      rowsWritten: rowsWritten + this.#rows.rowsWritten,
    };
  }

  /** Rows that were taken from the meter and are not written yet. */
  #rows = { rowsRead: 0, rowsWritten: 0 };

  #save(): void {
    const { hasTables, sealed } = this.#place.writes;
    if (!hasTables || sealed) return;
    this.#place.storage.kv.put(STORED, this.served);
    this.#calls = 0;
    this.#rows = { rowsRead: 0, rowsWritten: 0 };
  }
}
