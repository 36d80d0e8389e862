/** What a list that changes shows: its documents by id and in their order, and who is told of each change. */

export class Listing<D extends { readonly id: string }> {
  readonly #order: (documents: Iterable<D>) => D[];
  readonly #listeners = new Set<(documents: readonly D[]) => void>();
  #documents: ReadonlyMap<string, D> = new Map();
  #array: readonly D[] | null = null;

  constructor(order: (documents: Iterable<D>) => D[]) {
    this.#order = order;
  }

  /** All that is there, by id. */
  get documents(): ReadonlyMap<string, D> {
    return this.#documents;
  }

  /** The same in the order of the list: another array after each change, and the same until then. */
  get array(): readonly D[] {
    this.#array ??= this.#order(this.#documents.values());
    return this.#array;
  }

  /** Tells a listener what is there, now and after each change, until the function that it gives is called. */
  readonly subscribe = (listener: (documents: readonly D[]) => void): (() => void) => {
    this.#listeners.add(listener);
    listener(this.array);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Shows these documents, and tells so. */
  protected notify(documents: ReadonlyMap<string, D> = this.#documents): void {
    this.#documents = documents;
    this.#array = null;
    for (const listener of this.#listeners) listener(this.array);
  }
}

/** Whether an error says that a mark is not known any more, or none of this viewer. */
export function isOfMark(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    (Reflect.get(error, 'code') === 'mark-expired' || Reflect.get(error, 'parameter') === 'changes[since]')
  );
}
