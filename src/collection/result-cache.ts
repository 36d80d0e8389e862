/**
 * The last results of pipelines, so that a dashboard that polls costs nothing. A result holds as long as its collection
 * does not change; memory is bounded, and what was asked for longest ago goes first.
 */
import type { Outcome } from '../domain/problems.ts';
import type { Fields } from '../domain/values.ts';

/** One output of a pipeline. */
export interface Output {
  readonly id: string;
  /** Attributes and relationships side by side. */
  readonly fields: Fields;
  readonly relationships: readonly string[];
  /** The stored encoding of the fields, made once: a result is asked for more often than it is made. */
  readonly text: string;
}

/** What a pipeline gave: its outputs, or how it failed on the data. */
export type Result = Outcome<readonly Output[]>;

interface Entry {
  readonly counter: number;
  readonly result: Result;
  readonly size: number;
}

/** UTF-16 units of all results together. */
const MOST_UNITS = 4 * 1024 * 1024;
const MOST_RESULTS = 50;

/** What a result takes beside its outputs. */
const OVERHEAD = 500;

export class ResultCache {
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  #size = 0;

  get(key: string, counter: number): Result | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#delete(key, entry);
    if (entry.counter !== counter) return undefined;
    this.#add(key, entry);
    return entry.result;
  }

  put(key: string, counter: number, result: Result): void {
    const outputs = result.ok ? result.value : [];
    const size = outputs.reduce(
      (units, output) => units + output.text.length + output.id.length,
      OVERHEAD + key.length,
    );
    if (size > MOST_UNITS) return;
    const former = this.#entries.get(key);
    if (former !== undefined) this.#delete(key, former);
    this.#add(key, { counter, result, size });
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= MOST_UNITS && this.#entries.size <= MOST_RESULTS) break;
      this.#delete(oldest, entry);
    }
  }

  #add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#size += entry.size;
  }

  #delete(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
