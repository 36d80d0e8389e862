/**
 * The linked documents that a write looks at, because the settings of its type ask them. Inside its transaction a write says
 * which it lacks; then they are asked for, and it begins anew. It is done if nothing has changed there since (watching.ts).
 */
import { keyOf, type Link } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { TRUSTED, type Seen } from '../../../domain/rules.ts';
import { isAggregateType, storedType, type TypeName } from '../../../domain/types.ts';
import type { StoredContent, StoredDocument } from '../../../domain/values/stored.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { CallContext } from '../../rpc/call-context.ts';
import { unpackDocuments } from '../../rpc/packing/packing.ts';
import type { Operation } from '../../rpc/writes/operations.ts';
import type { Readers } from '../../storage/documents/readers.ts';

/** What a transaction may read of linked documents, about a second. To follow a link counts as much as some characters. */
const MOST_READ = 2 * LIMITS.answer;
const FOLLOWED = 512;
/** The same of judging a document by a condition. */
export const JUDGED = 1_024;

/** What was looked at, by `keyOf` of the links: plain data, to be kept with a prepared share. */
export type LookedAt = readonly (readonly [key: string, found: StoredDocument | null])[];

export class Looked {
  readonly #found: Map<string, StoredDocument | null>;
  /** By types, the counters before the first look. */
  readonly #seen = new Map<TypeName, number>();
  readonly #wanted = new Map<string, Link>();
  /** Characters that were read, one document perhaps often: a web of links has more ways than documents. */
  #read = 0;
  #isExcess = false;

  constructor(found: LookedAt = []) {
    this.#found = new Map(found);
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
    const key = keyOf(link);
    const found = this.#found.get(key);
    if (found !== undefined || this.#isExcess) return found ?? null;
    this.#wanted.set(key, link);
    this.#isExcess = this.#found.size + this.#wanted.size > LIMITS.includedDocuments;
    return null;
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
    return Array.from(this.#seen, ([type, counter]) => ({ type, counter }));
  }

  get found(): LookedAt {
    return [...this.#found];
  }

  /** To be called before a transaction. */
  begin(): void {
    this.#read = 0;
    this.#wanted.clear();
  }

  /** Asks for what is wanted. */
  async look(caller: CallContext): Promise<void> {
    const byType = new Map<string, Link[]>();
    for (const link of this.#wanted.values()) byType.set(link.type, [...(byType.get(link.type) ?? []), link]);
    this.#wanted.clear();
    await Promise.all(Array.from(byType, ([type, links]) => this.#look(caller, storedType(type), links)));
  }

  async #look(caller: CallContext, type: TypeName, links: readonly Link[]): Promise<void> {
    const { counter, documents, complete } = await collectionOf(caller, type).calls.readMany({
      ids: links.map(({ id }) => id),
      ...TRUSTED,
      limit: links.length,
      units: LIMITS.answer,
      provenance: true,
    });
    if (!complete) this.#isExcess = true;
    this.#seen.set(type, Math.min(counter, this.#seen.get(type) ?? counter));
    for (const link of links) this.#found.set(keyOf(link), null);
    for (const document of unpackDocuments(documents)) {
      this.#found.set(keyOf({ type, id: document.id }), document);
    }
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
