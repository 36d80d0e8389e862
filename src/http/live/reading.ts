/** What a subscription is told: a page of its feed, as texts. */
import { CollectionReader } from '../../collection/rpc/client-reads.ts';
import type { FeedEntry } from '../../collection/rpc/feed/feed.ts';
import type { FeedMark } from '../../collection/rpc/feed/mark.ts';
import type { StreamHost } from '../../collection/rpc/feed/streams.ts';
import { LIMITS } from '../../domain/limits.ts';
import { errorObject, ok, type Outcome, type Problem } from '../../domain/problems.ts';
import { readFeed } from '../../modules/documents/feed/changes.ts';
import { openMark, sealMark, type FeedReader } from '../../modules/documents/feed/marks.ts';
import { presentDocuments } from '../../modules/documents/answer/resource.ts';
import type { Seen } from '../../domain/rules.ts';
import type { Query } from '../../modules/endpoint.ts';
import { readFilter } from '../../operators/filter/encoded.ts';
import type { Identity } from './accounts.ts';
import type { Opening } from './opening.ts';

/** Documents that one subscription is told before others have their turn. */
const PAGE = 200;

/** What is said of one document. */
interface Event extends FeedEntry {
  /** Without its beginning, which names the subscription. */
  readonly text: string;
  /** With this one, a reader goes on after it. */
  readonly mark: FeedMark;
}

/** A page of a feed. */
export interface LivePage {
  readonly events: readonly Event[];
  /** What to say when there is no more. */
  readonly ready: string;
  readonly mark: FeedMark;
  readonly more: boolean;
  /** The linked documents that the reader's rule has looked at. */
  readonly seen: readonly Seen[];
}

interface PageRequest {
  readonly opening: View;
  readonly query: Query;
  readonly identity: Identity;
  readonly mark: FeedMark | 'now' | null;
  /** Whether nobody who asks waits for `ready`. */
  readonly isReady: boolean;
}

/** How documents are shown. */
type View = Pick<Opening, 'base' | 'wrapped'>;

type Host = Pick<StreamHost, 'application' | 'environment' | 'own' | 'type'>;

export class FeedReading {
  readonly #of: Pick<FeedReader, 'application' | 'environment' | 'parameters'>;
  /** The object's own. */
  readonly #collection: CollectionReader;

  constructor({ application, environment, own, type }: Host) {
    this.#of = { application, environment, parameters: { type } };
    this.#collection = new CollectionReader(this.#of, type, own);
  }

  /** What a mark says that a client has sent. */
  async markOf(
    opening: View,
    query: Query,
    identity: Identity,
    since: string,
  ): Promise<Outcome<FeedMark | 'now'>> {
    const filter = readFilter(query.filters);
    if (!filter.ok) return filter;
    return openMark(this.#readerOf(opening, query, identity), filter.value.condition, since);
  }

  async page({ opening, query, identity, mark, isReady }: PageRequest): Promise<Outcome<LivePage>> {
    const reader = this.#readerOf(opening, query, identity);
    const read = await readFeed(reader, this.#collection, mark, PAGE, LIMITS.sentAtOnce);
    if (!read.ok) return read;
    const { condition, documents, more, seen, entries } = read.value;
    const seal = (sealed: FeedMark) => sealMark(reader, condition, sealed);
    const shown = await presentDocuments(documents, reader);
    const data = new Map(documents.map(({ id }, at) => [String(id), shown[at]?.text ?? 'null']));
    // Most are told nothing: then no mark is needed.
    const last = entries.length === 0 && isReady ? '' : await seal(read.value.mark);
    // A mark of what was not there yet has no base: the page has found one.
    const { base } = mark === null || mark === 'now' || mark.state === '' ? read.value.mark : mark;
    const events = await Promise.all(
      entries.map(async (entry, at) => {
        const { id, kind, number, transaction, begun = { base, position: number } } = entry;
        const isLast = at === entries.length - 1;
        const through = isLast ? read.value.mark : { ...read.value.mark, ...begun };
        const of = data.get(id) ?? JSON.stringify({ ...this.#of.parameters, id });
        const list = transaction === undefined ? '' : `"transaction":"${transaction}",`;
        const text = `"event":"${kind}","mark":"${isLast ? last : await seal(through)}",${list}"data":${of}}`;
        return { ...entry, text, mark: through };
      }),
    );
    return ok({ events, ready: `"event":"ready","mark":"${last}"}`, mark: read.value.mark, more, seen });
  }

  #readerOf({ base, wrapped }: View, query: Query, identity: Identity): FeedReader {
    return { ...this.#of, ...identity, base, query, wrapped };
  }
}

/** How a subscription is told of problems. */
export function textOfErrors(problems: readonly Problem[], base: string): string {
  return `"event":"error","errors":${JSON.stringify(problems.map((each) => errorObject(each, base)))}}`;
}
