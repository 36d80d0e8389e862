/** What a change of many is about, and how it is done: by lists of operations, telling how far it is. */
import { countText } from '../../../parts/numbers.ts';
import { useEffect, useState } from 'preact/hooks';
import { countOfAll, doTo, idsOfAll, type Work } from './many.ts';

export interface Target {
  readonly type: string;
  /** The parameters of the list whose documents are meant, where `ids` is null. */
  readonly query: string;
  readonly ids: readonly string[] | null;
  /** How many that are, as far as the table knows. */
  readonly amount: number;
}

/** Does the work; `onStep` is told how many are done of how many. Gives how many there were. */
export async function workOn(
  { type, query, ids }: Target,
  work: Work,
  onStep: (done: number, all: number) => void,
): Promise<number> {
  const all = ids ?? (await idsOfAll(type, query, new AbortController().signal));
  await doTo(type, all, work, (done) => {
    onStep(done, all.length);
  });
  return all.length;
}

/** How many documents are meant now: all that match are counted again, because others write. */
export function useAmount({ type, query, ids, amount }: Target): number {
  const [counted, setCounted] = useState(amount);
  useEffect(() => {
    if (ids !== null) return undefined;
    const control = new AbortController();
    countOfAll(type, query, control.signal).then(setCounted, () => undefined);
    return () => {
      control.abort();
    };
  }, []);
  return counted;
}

export function documentsIn(count: number): string {
  return count === 1 ? '1 document' : `${countText(count)} documents`;
}
