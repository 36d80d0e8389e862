/** A definition that is open: what is written, what of it is saved, and what saving comes to. */
import { useState } from 'preact/hooks';
import { tell } from '../../parts/toasts.tsx';
import { replaceWith, wayTo } from '../../route.ts';
import { isSame, type Draft } from '../document/draft.ts';
import { create, isConflict, readDocument, update, type Read } from '../document/save/requests.ts';
import { AGGREGATES, attributesOf, definitionOf, type Definition } from './definition.ts';

export function useDefinition(id: string | undefined, read: Read) {
  const [base, setBase] = useState(read);
  const [definition, write] = useState(() => definitionOf(read.draft));
  const [error, setError] = useState<unknown>();
  const [theirs, setTheirs] = useState<Read>();
  const [isBusy, setBusy] = useState(false);
  const said = attributesOf(definition);
  const attributes = 'attributes' in said ? said.attributes : undefined;
  const isDirty = attributes === undefined || !isSame(attributes, stored(base.draft));

  const send = async (on: Read, draft: Draft) => {
    if (id === undefined) {
      const made = await create(AGGREGATES, draft);
      tell('The aggregate is made.');
      replaceWith(wayTo(['aggregates', ...(made === undefined ? [] : [made])]));
      return;
    }
    try {
      await update(AGGREGATES, id, on, draft);
    } catch (cause) {
      const current = isConflict(cause) ? await readDocument(AGGREGATES, id) : null;
      if (current === null) throw cause;
      setTheirs(current);
      return;
    }
    const saved = await readDocument(AGGREGATES, id);
    if (saved !== null) setBase(saved);
    // Stages that are off stay, unless another's pipeline was chosen.
    if (saved !== null && !isSame(stored(saved.draft), attributes)) write(definitionOf(saved.draft));
    setTheirs(undefined);
    tell('Saved.');
  };

  return {
    base,
    definition,
    broken: 'broken' in said ? said.broken : undefined,
    attributes,
    isDirty,
    isBusy,
    error,
    setError,
    theirs,
    setDefinition: (next: Partial<Definition>) => {
      write((before) => ({ ...before, ...next }));
      setError(undefined);
    },
    save: async () => {
      if (attributes === undefined) return;
      setBusy(true);
      setError(undefined);
      // What was there and is there no more is emptied.
      const emptied = 'parameters' in base.draft.attributes ? { parameters: {} } : {};
      const draft = { attributes: { ...emptied, ...attributes }, relationships: {} };
      await send(base, draft).catch(setError);
      setBusy(false);
    },
    dismiss: () => {
      setTheirs(undefined);
    },
    resolve: async (chosen: Draft) => {
      if (theirs !== undefined) await send(theirs, chosen);
    },
  };
}

/** The attributes as `attributesOf` would say them. */
function stored(draft: Draft): Draft['attributes'] {
  const said = attributesOf(definitionOf(draft));
  return 'attributes' in said ? said.attributes : draft.attributes;
}
