/** Which documents of a table are selected: some by their ids, or all that match. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** True when all that match are meant, loaded or not. */
  readonly isAll: boolean;
  readonly has: (id: string) => boolean;
  readonly hasAll: (documents: readonly Resource[]) => boolean;
  readonly toggle: (id: string) => void;
  readonly toggleAll: (documents: readonly Resource[]) => void;
  readonly selectAll: () => void;
  readonly clear: () => void;
}

interface Chosen {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
}

const NONE: Chosen = { ids: new Set(), isAll: false };

/** A selection that begins anew whenever `on`, the list that is shown, changes. */
export function useSelection(on: string): Selection {
  const [{ ids, isAll }, setChosen] = useState(NONE);
  useEffect(() => {
    setChosen(NONE);
  }, [on]);
  const toggle = useCallback((id: string) => {
    setChosen((last) => {
      const next = new Set(last.ids);
      if (!next.delete(id)) next.add(id);
      return { ids: next, isAll: false };
    });
  }, []);
  const hasAll = (documents: readonly Resource[]) =>
    documents.length > 0 &&
    (isAll || (ids.size >= documents.length && documents.every(({ id }) => ids.has(id))));
  return {
    ids,
    isAll,
    has: (id) => isAll || ids.has(id),
    hasAll,
    toggle,
    toggleAll: (documents) => {
      setChosen(hasAll(documents) ? NONE : { ids: new Set(documents.map(({ id }) => id)), isAll: false });
    },
    selectAll: () => {
      setChosen((last) => ({ ...last, isAll: true }));
    },
    clear: () => {
      setChosen(NONE);
    },
  };
}
