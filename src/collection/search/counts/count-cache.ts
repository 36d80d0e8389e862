/** How many documents matched a search, cached until the collection changes. */
import { StateCache } from '../../storage/caching/answer-cache.ts';
import type { ListRequest } from '../../rpc/results.ts';

/** The count of a longer search, in characters, is not cached, nor that of a viewer of more identities. */
const LONGEST_SEARCH = 2_000;
const MOST_IDENTITIES = 1_000;

/** What a count depends on. Viewer and rule hold all that decides what may be seen. */
type CountKey = Pick<ListRequest, 'condition' | 'viewer' | 'rule' | 'hidden'>;

export class Counts {
  readonly #counts = new StateCache<number>('counts');

  /** The count of a search when the collection's last change had this number. */
  get(search: CountKey, counter: number): number | undefined {
    return this.#counts.get(keyOf(search), counter);
  }

  put(search: CountKey, counter: number, total: number): void {
    if (keyOf({ ...search, viewer: null }).length > LONGEST_SEARCH) return;
    if (search.viewer !== null && search.viewer.length > MOST_IDENTITIES) return;
    this.#counts.set(keyOf(search), counter, total);
  }
}

function keyOf({ condition, viewer, rule, hidden }: CountKey): string {
  const seen = rule === null ? [] : [rule.where, rule.read];
  return JSON.stringify([condition, viewer, hidden, ...seen]);
}
