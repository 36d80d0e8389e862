/**
 * What was read of a feed last: of one change many subscriptions that differ ask for the same documents and versions. They
 * are read, and opened (sight.ts), once. A commit ends it.
 */
import { recall } from '../../domain/caching/recall.ts';
import type { ChangeRow, FeedTables } from '../storage/secondary/feed-tables.ts';
import type { Version, Versions } from '../storage/secondary/versions.ts';
import { STEP_DOCUMENTS } from '../storage/steps.ts';

type Known = Readonly<Record<'began' | 'ended', number>>;

export class ReadTogether {
  readonly #tables: Pick<FeedTables, 'after' | 'allAfter' | 'state'>;
  readonly #log: Pick<Versions, 'between'>;
  /** One range: those who are up to date all ask from there on. */
  readonly #rows = new Map<string, readonly ChangeRow[]>();
  #state: FeedTables['state'] = null;
  readonly #versions = new Map<string, readonly Version[]>();

  constructor(tables: Pick<FeedTables, 'after' | 'allAfter' | 'state'>, log: Pick<Versions, 'between'>) {
    this.#tables = tables;
    this.#log = log;
  }

  rows(which: 'after' | 'allAfter', from: number, upTo: number, units: number): readonly ChangeRow[] {
    const key = `${which} ${from} ${upTo} ${units}`;
    if (!this.#rows.has(key)) this.forget();
    return recall(this.#rows, key, () => this.#tables[which](from, upTo, STEP_DOCUMENTS, units));
  }

  versions(row: ChangeRow, known: Known, limit: number): readonly Version[] {
    return recall(this.#versions, `${row.id} ${row.number} ${known.began} ${known.ended}`, () =>
      this.#log.between(row, known, limit),
    );
  }

  get state(): FeedTables['state'] {
    return (this.#state ??= this.#tables.state);
  }

  forget(): void {
    this.#state = null;
    this.#rows.clear();
    this.#versions.clear();
  }
}
