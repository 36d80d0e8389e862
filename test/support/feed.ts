/** A reader of a feed: what it knows of a collection by following marks alone. */
import type { Client, Link, Reply, Resource } from './client.ts';

interface FeedMeta {
  readonly deleted: readonly Link[];
  readonly mark: string;
}

export function feedMeta({ body, text }: Reply): FeedMeta {
  const { deleted, mark } = body.meta as Partial<FeedMeta>;
  if (deleted === undefined || mark === undefined) throw new Error(text);
  return { deleted, mark };
}

export const goneIn = (reply: Reply) => feedMeta(reply).deleted.map(({ id }) => id);

/** Reads feeds of types, and their marks, as a client that another one may stand in for. */
export function feedsOf(client: Client) {
  const feed = (type: string, since: string, query = '', by = client, headers = {}) =>
    by.get(`/resources/${type}/changes?changes[since]=${since}${query}`, headers);
  const markOf = async (type: string, query = '', by = client, headers = {}) =>
    feedMeta(await feed(type, '', query, by, headers)).mark;
  return { feed, markOf };
}

export class Follower {
  /** By id. */
  readonly known = new Map<string, Resource>();
  /** Every id that the feed called deleted. */
  readonly deleted = new Set<string>();
  readonly #client: Client;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #path: string;
  #mark = '';
  /** How often it had to begin anew. */
  restarts = 0;

  /** `path`: of the collection, with its filter as a query. */
  constructor(client: Client, headers: Readonly<Record<string, string>>, path: string) {
    this.#client = client;
    this.#headers = headers;
    const [collection = '', filter = ''] = path.split('?');
    this.#path = `${collection}/changes?${filter}${filter === '' ? '' : '&'}`;
  }

  /** Reads a page; false when others follow. */
  async turn(size = 20): Promise<boolean> {
    const reply = await this.#client.get(
      `${this.#path}page[size]=${size}&changes[since]=${this.#mark}`,
      this.#headers,
    );
    if (reply.status === 410) {
      this.restarts += 1;
      this.known.clear();
      this.#mark = '';
      return false;
    }
    if (reply.status !== 200) throw new Error(reply.text);
    const { deleted, mark } = feedMeta(reply);
    const ids = [...reply.body.data.map(({ id }) => id), ...deleted.map(({ id }) => id)];
    if (new Set(ids).size < ids.length) throw new Error(`A document is told twice: ${reply.text}`);
    for (const document of reply.body.data) this.known.set(document.id, document);
    for (const { id } of deleted) {
      this.known.delete(id);
      this.deleted.add(id);
    }
    this.#mark = mark;
    return reply.body.links.next === null;
  }

  /** Reads on to the end. */
  async catchUp(size?: number): Promise<void> {
    while (!(await this.turn(size)));
  }
}
