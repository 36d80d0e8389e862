/**
 * The last results of pipelines, so that a dashboard that polls costs nothing. A result is valid until its collection
 * changes, and is kept while all results of the isolate fit their bound.
 */
import { BoundedCache } from '../../domain/caching/bounded-cache.ts';
import type { DocumentId } from '../../domain/ids.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { Fields } from '../../domain/values/values.ts';
import { CACHE_BUDGETS } from '../storage/caching/cache-budgets.ts';

/** One output of a pipeline. */
export interface Output {
  readonly id: DocumentId;
  /** Attributes and relationships side by side. */
  readonly fields: Fields;
  readonly relationships: readonly string[];
  /** The stored encoding of the fields, made once, because a result is read more often than it is made. */
  readonly text: string;
}

/** The result of a pipeline: its outputs, or how it failed on the data. */
export type Result = Outcome<readonly Output[]>;

interface Entry {
  readonly counter: number;
  readonly result: Result;
}

/** The size of a result without its outputs. */
const RESULT_OVERHEAD = 500;

export class ResultCache {
  readonly #results = new BoundedCache<Entry>(CACHE_BUDGETS.results, (key, { result }) => {
    const outputs = result.ok ? result.value : [];
    return outputs.reduce(
      (units, { text, id }) => units + text.length + id.length,
      RESULT_OVERHEAD + key.length,
    );
  });

  get(key: string, counter: number): Result | undefined {
    const entry = this.#results.get(key);
    if (entry === undefined || entry.counter === counter) return entry?.result;
    this.#results.delete(key);
    return undefined;
  }

  put(key: string, counter: number, result: Result): void {
    this.#results.set(key, { counter, result });
  }
}
