/**
 * What a crash must not break, as a model: documents as they were last answered, and what was under way when the
 * service died. Each document belongs to one writer, so that at most one write of it is under way.
 */
import type { Client, Resource } from '../support/client.ts';

/** The content of a document; `key` is its own. */
export interface Content {
  readonly key: string;
  readonly n: number;
  readonly words: string;
}

interface Promised {
  readonly id: string;
  /** Null once its deletion was answered. */
  readonly content: Content | null;
  readonly tag: string;
}

export class Promises {
  /** By key. */
  readonly #documents = new Map<string, Promised>();
  /** Contents that writes under way would leave, by key; null for a deletion. */
  readonly #underWay = new Map<string, Content | null>();
  #answered = 0;

  get answered(): number {
    return this.#answered;
  }

  /** Documents that are there, as far as is known. */
  get living(): readonly (Promised & { readonly content: Content })[] {
    return [...this.#documents.values()].flatMap(({ content, ...rest }) =>
      content === null ? [] : [{ ...rest, content }],
    );
  }

  begin(key: string, content: Content | null): void {
    this.#underWay.set(key, content);
  }

  /** The write that was under way has been answered. */
  settle(key: string, id: string, tag: string): void {
    const content = this.#underWay.get(key);
    if (content === undefined) throw new Error(`No write of ${key} is under way.`);
    this.#underWay.delete(key);
    this.#documents.set(key, { id, content, tag });
    this.#answered += 1;
  }

  /**
   * What is wrong with all the documents that are there after a crash. Whatever was under way is then as it was found.
   */
  compare(found: readonly Resource[]): readonly string[] {
    const faults: string[] = [];
    const byKey = new Map(found.map((each) => [String(each.attributes?.['key']), each]));
    if (byKey.size !== found.length) faults.push('A document is there twice.');
    for (const [key, { id, content }] of this.#documents) {
      const document = byKey.get(key);
      const allowed = [content, ...(this.#underWay.has(key) ? [this.#underWay.get(key) ?? null] : [])];
      if (!allowed.some((each) => isSame(each, document)))
        faults.push(`${key} was answered as ${JSON.stringify(content)} and is ${JSON.stringify(document)}.`);
      if (document !== undefined && document.id !== id) faults.push(`${key} has another id.`);
    }
    for (const [key, document] of byKey) {
      if (this.#documents.has(key)) continue;
      const content = this.#underWay.get(key);
      if (content === undefined || !isSame(content, document))
        faults.push(`Nobody wrote ${JSON.stringify(document)}.`);
    }
    this.#adopt(byKey);
    return faults;
  }

  #adopt(byKey: ReadonlyMap<string, Resource>): void {
    for (const [key, content] of this.#underWay) {
      const former = this.#documents.get(key);
      const document = byKey.get(key);
      if (document === undefined) {
        if (former !== undefined) this.#documents.set(key, { ...former, content: null });
        continue;
      }
      const kept = former?.content ?? null;
      if (isSame(content, document)) this.#documents.set(key, { id: document.id, content, tag: '' });
      else this.#documents.set(key, { id: document.id, content: kept, tag: '' });
    }
    this.#underWay.clear();
  }
}

function isSame(content: Content | null, document: Resource | undefined): boolean {
  if (content === null || document === undefined) return content === null && document === undefined;
  const { key, n, words, ...others } = document.attributes ?? {};
  return (
    key === content.key && n === content.n && words === content.words && Object.keys(others).length === 0
  );
}

/** Something else that was answered, and how to see that it still holds. */
export interface Vow {
  readonly says: string;
  readonly holds: (client: Client) => Promise<boolean>;
}
