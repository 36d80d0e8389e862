/**
 * The linked documents that a write looks at, because the settings of its type ask them. Inside its transaction a write
 * says which it lacks; then they are asked for, and it begins anew. It is done if nothing has changed there since
 * (watching.ts). It takes no earlier write's answer: a change may show before this collection is told.
 */
import { keyOf, type Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import type { Seen } from '../../../domain/rules.ts';
import { isAggregateType, storedType, type TypeName } from '../../../domain/types.ts';
import type { StoredContent, StoredDocument } from '../../../domain/values/stored.ts';
import type { Operation } from '../../rpc/writes/operations.ts';
import type { Readers } from '../../storage/documents/readers.ts';

/** What a transaction may read of linked documents, about a second. Following a link counts as some characters. */
const MOST_READ = 2 * LIMITS.answer;
const FOLLOWED = 512;
/** The same of judging a document by a condition. */
export const JUDGED = 1_024;

/** What was looked at, by `keyOf` of the links: plain data, to be kept with a prepared share. */
export type LookedAt = readonly (readonly [key: string, found: StoredDocument | null])[];

/** A linked document, as it was at a counter of its collection; null for none. */
interface Found {
  readonly counter: number;
  readonly document: StoredDocument | null;
}

/** Documents of a collection, as they were at its counter. */
export interface Linked {
  readonly counter: number;
  /** False where they are too many or too large: then there are none. */
  readonly complete: boolean;
  readonly documents: ReadonlyMap<DocumentId, StoredDocument>;
}

/** Knows whether collections are as they were seen (watching.ts). */
interface Known {
  isCurrent(seen: Seen): boolean;
}

/** What a prepared share has looked at holds: it is applied as it was prepared. */
const AS_PREPARED: Known = { isCurrent: () => true };

/** Asks for documents of another type. */
interface Asking {
  look(type: TypeName, ids: readonly DocumentId[]): Promise<Linked>;
}

export class Looked {
  readonly #known: Known;
  readonly #asked: Map<string, Found>;
  /** What the transaction has looked at. */
  readonly #used = new Map<string, Found & { readonly type: TypeName }>();
  readonly #wanted = new Map<string, Link>();
  /** Characters that were read, one document perhaps often: a web of links has more ways than documents. */
  #read = 0;
  #isExcess = false;

  constructor(known = AS_PREPARED, prepared: LookedAt = []) {
    this.#known = known;
    this.#asked = new Map(prepared.map(([key, document]) => [key, { counter: 0, document }]));
  }

  /** Finds linked documents; those of the type that is written are the transaction's `own`. */
  finding(type: TypeName, own: (id: DocumentId) => StoredDocument | null) {
    return (link: Link): StoredDocument | null => {
      if (!this.takes(FOLLOWED)) return null;
      const found = link.type === type ? own(link.id) : this.#find(link);
      return found !== null && this.takes(found.body.length) ? found : null;
    };
  }

  /** Counts what is read, and tells whether it is not too much. */
  takes(characters: number): boolean {
    this.#read += characters;
    this.#isExcess ||= this.#read > MOST_READ;
    return !this.#isExcess;
  }

  /** A linked document; null for none. One that must be asked for is none, too. */
  #find(link: Link): StoredDocument | null {
    if (isAggregateType(link.type)) return null;
    const type = storedType(link.type);
    const key = keyOf(link);
    const asked = this.#asked.get(key);
    const found = asked && this.#known.isCurrent({ type, counter: asked.counter }) ? asked : null;
    if (found === null) this.#wanted.set(key, link);
    else this.#used.set(key, { ...found, type });
    this.#isExcess ||= this.#used.size + this.#wanted.size > LIMITS.includedDocuments;
    return found?.document ?? null;
  }

  /** Whether documents must be asked for first. */
  get isWanting(): boolean {
    return this.#wanted.size > 0 && !this.#isExcess;
  }

  /** Whether a write would look at too much. */
  get isExcess(): boolean {
    return this.#isExcess;
  }

  get seen(): readonly Seen[] {
    const seen = new Map<TypeName, number>();
    for (const { type, counter } of this.#used.values())
      seen.set(type, Math.min(counter, seen.get(type) ?? counter));
    return Array.from(seen, ([type, counter]) => ({ type, counter }));
  }

  get found(): LookedAt {
    return Array.from(this.#used, ([key, { document }]) => [key, document]);
  }

  /** To be called before a transaction. */
  begin(): void {
    this.#read = 0;
    this.#used.clear();
    this.#wanted.clear();
  }

  async look(watching: Asking): Promise<void> {
    const byType = Map.groupBy(this.#wanted.values(), ({ type }) => type);
    this.#wanted.clear();
    const look = async ([type, links]: readonly [string, readonly Link[]]) => {
      const { complete, counter, documents } = await watching.look(
        storedType(type),
        links.map(({ id }) => id),
      );
      if (!complete) this.#isExcess = true;
      for (const link of links)
        this.#asked.set(keyOf(link), { counter, document: documents.get(link.id) ?? null });
    };
    await Promise.all(Array.from(byType, look));
  }
}

/** What an operation brings, and what it finds. */
export function contentsOf(
  operation: Operation,
  records: Pick<Readers['records'], 'find'>,
): readonly StoredContent[] {
  if (operation.kind === 'add') return [operation.content];
  const brought =
    operation.kind === 'change' && operation.change.kind === 'merge' && operation.change.content;
  const found = records.find(operation.id);
  return [...(brought === false ? [] : [brought]), ...(found === undefined ? [] : [found])];
}
