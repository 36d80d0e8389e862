/** The draft of an open document, and what is wrong with it. */
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { Fault } from '../../parts/json.ts';
import { faultsBelow } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { useSchemas } from './check/check.ts';
import { changedFields, type Draft } from './draft.ts';
import { faultsOfMembers } from './faults.ts';
import { useStored, type Read } from './stored.ts';

export function useDraft(type: string, id: string | undefined, first: Read) {
  const [draft, write] = useState(first.copied ?? first.draft);
  const [broken, setBroken] = useState<ReadonlyMap<string, string>>(new Map());
  const [turn, setTurn] = useState(0);
  const stored = useStored({
    type,
    id,
    first,
    what: 'document',
    steps: ['documents', type],
    write: (next, instead) => {
      // What was typed meanwhile stays.
      write((current) => (instead === undefined || current === instead ? next : current));
    },
  });
  const { base, error, setError } = stored;
  const checked = useSchemas(type, draft);
  const own = useMemo(() => faultsOfMembers(draft.attributes, '/attributes'), [draft]);
  const changed = useMemo(() => changedFields(base.draft, draft), [base, draft]);
  const setDraft = (next: Draft) => {
    write(next);
    setError(undefined);
  };
  const onBroken = useCallback((pointer: string, message: string | undefined) => {
    setBroken((before) => {
      const after = new Map(before);
      if (message === undefined) after.delete(pointer);
      else after.set(pointer, message);
      return after;
    });
  }, []);
  return {
    ...stored,
    draft,
    setDraft,
    changed,
    /** Whether something hinders saving: what no request can say. */
    isHindered: own.length + broken.size > 0,
    faults: useStable(distinct([...own, ...checked.faults, ...faultsBelow(error, '/data')])),
    checked,
    isDirty: changed.length > 0 || broken.size > 0,
    onBroken,
    /** Counts what was discarded: controls with text of their own begin anew. */
    turn,
    discard: () => {
      const show = (next: Draft) => {
        setTurn((count) => count + 1);
        setDraft(next);
        setBroken(new Map());
      };
      show(base.draft);
      tell('Changes discarded.', () => {
        show(draft);
      });
    },
  };
}

/** The same list, as long as it says the same. */
function useStable(faults: readonly Fault[]): readonly Fault[] {
  const said = JSON.stringify(faults);
  return useMemo(() => faults, [said]);
}

function distinct(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}
