/** Which documents of a table are selected. */
import { useEffect, useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';

/** With `isAll` all that match are meant, loaded or not. */
const NONE: { readonly ids: ReadonlySet<string>; readonly isAll: boolean } = { ids: new Set(), isAll: false };

export type Selection = ReturnType<typeof useSelection>;

/** Which documents are selected: some by their ids, or all that match. It begins anew with another list. */
export function useSelection(of: string) {
  const [chosen, setChosen] = useState(NONE);
  useEffect(() => setChosen(NONE), [of]);
  const has = (id: string) => chosen.isAll || chosen.ids.has(id);
  const hasAll = (documents: readonly Resource[]) =>
    documents.length > 0 && documents.every(({ id }) => has(id));
  return {
    ...chosen,
    has,
    hasAll,
    toggle: (id: string) =>
      setChosen(({ ids }) => {
        const next = new Set(ids);
        if (!next.delete(id)) next.add(id);
        return { ids: next, isAll: false };
      }),
    toggleAll: (documents: readonly Resource[]) =>
      setChosen(hasAll(documents) ? NONE : { ids: new Set(documents.map(({ id }) => id)), isAll: false }),
    selectAll: () => setChosen({ ...chosen, isAll: true }),
    clear: () => setChosen(NONE),
  };
}
