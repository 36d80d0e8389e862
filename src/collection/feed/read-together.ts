/**
 * What was read of a feed last: many different subscriptions ask for the same documents and versions of a change. They
 * are read, and opened (visibility.ts), once. A commit ends it.
 */
import { recall } from '../../domain/caching/recall.ts';
import type { ChangeRow, FeedTables } from '../storage/secondary/feed-tables.ts';
import type { Version } from '../storage/secondary/versions.ts';
import { STEP_DOCUMENTS } from '../storage/steps.ts';
import { Part } from '../write/ground.ts';
import type { Transactor } from '../write/transactor.ts';

type Known = Readonly<Record<'began' | 'ended', number>>;

export class ReadTogether extends Part<Pick<Transactor, 'feed' | 'versions'>> {
  /** One range: those who are up to date all ask from there on. */
  readonly #rows = new Map<string, readonly ChangeRow[]>();
  #state: FeedTables['state'] = null;
  readonly #versions = new Map<string, readonly Version[]>();

  rows(which: 'after' | 'allAfter', from: number, upTo: number, units: number): readonly ChangeRow[] {
    const key = `${which} ${from} ${upTo} ${units}`;
    if (!this.#rows.has(key)) this.forget();
    return recall(this.#rows, key, () => this.parts.feed[which](from, upTo, STEP_DOCUMENTS, units));
  }

  versions(row: ChangeRow, known: Known, limit: number): readonly Version[] {
    return recall(this.#versions, `${row.id} ${known.began} ${known.ended}`, () =>
      this.parts.versions.between(row.id, known, limit),
    );
  }

  get state(): FeedTables['state'] {
    return (this.#state ??= this.parts.feed.state);
  }

  forget(): void {
    this.#state = null;
    this.#rows.clear();
    this.#versions.clear();
  }
}
