/** The draft of an open document, what is wrong with it, and how it is saved. */
import { useCallback, useMemo, useState } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import { tell } from '../../parts/toasts.tsx';
import { replaceWith, wayTo } from '../../route.ts';
import { useSchemas } from './check/check.ts';
import { changedFields, type Draft } from './draft.ts';
import { create, isConflict, readDocument, update, type Read } from './save/requests.ts';
import { faultsOfMembers, type Fault } from './values/faults.ts';

export function useDraft(type: string, id: string | undefined, read: Read) {
  const [base, setBase] = useState(read);
  const [draft, write] = useState(read.draft);
  const [broken, setBroken] = useState<ReadonlyMap<string, string>>(new Map());
  const [error, setError] = useState<unknown>();
  const [theirs, setTheirs] = useState<Read>();
  const [isBusy, setBusy] = useState(false);
  const [turn, setTurn] = useState(0);
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

  /** Saves on the state that was read, or on a later one. A conflict is shown; what else fails is thrown. */
  const send = async (on: Read, next: Draft) => {
    if (id === undefined) {
      const made = await create(type, next);
      tell('The document is made.');
      replaceWith(wayTo(['documents', type, ...(made === undefined ? [] : [made])]));
      return;
    }
    try {
      await update(type, id, on, next);
    } catch (cause) {
      if (!isConflict(cause)) throw cause;
      // Null where it was deleted: then there are no sides to choose from.
      const current = await readDocument(type, id);
      if (current === null) throw cause;
      setBase(on);
      write(next);
      setTheirs(current);
      return;
    }
    // Who may change and not read goes on with what was sent.
    const saved = await readDocument(type, id).catch(() => null);
    setBase(saved ?? { draft: next, etag: undefined });
    // What was typed meanwhile stays.
    write((current) => (current === next ? (saved?.draft ?? next) : current));
    setTheirs(undefined);
    tell('Saved.');
  };

  const save = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await send(base, draft);
    } catch (cause) {
      setError(cause);
    }
    setBusy(false);
  };

  const faults = useStable(distinct([...own, ...checked.faults, ...faultsOfError(error)]));
  const broke = [...broken].map(([pointer, message]): Fault => ({ pointer, message }));
  return {
    base,
    draft,
    setDraft,
    changed,
    /** What hinders saving: what no request can say. */
    hindrances: [...own, ...broke],
    faults,
    checked,
    error,
    setError,
    isBusy,
    isDirty: changed.length > 0 || broken.size > 0,
    onBroken,
    save,
    /** Counts what was discarded: controls with text of their own begin anew. */
    turn,
    discard: () => {
      setTurn((count) => count + 1);
      setDraft(base.draft);
      setBroken(new Map());
    },
    conflict: theirs,
    dismissConflict: () => {
      setTheirs(undefined);
    },
    /** Saves what was chosen, on the state that is theirs. */
    resolve: async (chosen: Draft) => {
      if (theirs === undefined) return;
      write(chosen);
      await send(theirs, chosen);
    },
  };
}

/** What the service says of places in the body, as places of the document. */
function faultsOfError(error: unknown): readonly Fault[] {
  if (!(error instanceof ForedgeError)) return [];
  return error.errors.flatMap(({ source, title, detail = title }) =>
    source?.pointer?.startsWith('/data') === true
      ? [{ pointer: source.pointer.slice('/data'.length), message: detail }]
      : [],
  );
}

/** The same list, as long as it says the same. */
function useStable(faults: readonly Fault[]): readonly Fault[] {
  const said = JSON.stringify(faults);
  return useMemo(() => faults, [said]);
}

function distinct(faults: readonly Fault[]): readonly Fault[] {
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}
