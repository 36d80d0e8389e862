/** An open document: it is read, and what differs is saved on the state that was read. A conflict is shown. */
import { useState } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers, member } from '../../parts/json.ts';
import { isoOf, kindOf, textOf } from '../../parts/kinds.ts';
import { tell } from '../../parts/toasts.tsx';
import { replaceWith, wayTo } from '../../route.ts';
import { change, create, read } from '../../session/documents.ts';
import { ask } from '../../session/service.ts';
import { asJsonApi, changesOf, draftOf, sentOf, type Draft } from './draft.ts';

/** A document as it was read. */
export interface Read {
  readonly draft: Draft;
  readonly etag: string | undefined;
  /** What a new document begins with. */
  readonly copied?: Draft;
}

/** Null for one that was deleted. */
export async function readDraft(link: Link, signal?: AbortSignal): Promise<Read | null> {
  const stored = await read(link, '', signal);
  return stored === null ? null : { draft: draftOf(stored.document), etag: stored.etag };
}

interface Storing {
  readonly type: string;
  /** Undefined for a new one. */
  readonly id: string | undefined;
  readonly first: Read;
  /** As in "The document is made.". */
  readonly what: string;
  /** The route of all of them, and of each behind it. */
  readonly steps: readonly string[];
  /** Shows a draft: one that was chosen, or what was saved in place of what was sent. */
  readonly write: (draft: Draft, instead?: Draft) => void;
}

export function useStored({ type, id, first, what, steps, write }: Storing) {
  const [base, setBase] = useState(first);
  const [theirs, setTheirs] = useState<Read>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [isDeleting, setDeleting] = useState(false);

  /** Saves on the state that was read, or on a later one. A conflict is shown; what else fails is thrown. */
  const send = async (on: Read, next: Draft) => {
    if (id === undefined) {
      const made = await create(type, sentOf(next));
      tell(`The ${what} is made.`);
      replaceWith(wayTo(made === null ? steps : [...steps, made.id]));
      return;
    }
    try {
      await update(type, id, on, next);
    } catch (cause) {
      // Null where it was deleted: then there are no sides to choose from.
      const current = isConflict(cause) ? await readDraft({ type, id }) : null;
      if (current === null) throw cause;
      setBase(on);
      setTheirs(current);
      return;
    }
    // Who may change and not read goes on with what was sent.
    const saved = await readDraft({ type, id }).catch(() => null);
    setBase(saved ?? { draft: next, etag: undefined });
    if (saved !== null) write(saved.draft, next);
    setTheirs(undefined);
    tell('Saved.');
  };
  return {
    base,
    error,
    setError,
    isBusy,
    isDeleting,
    setDeleting,
    /** A deletion that was undone, or refused: what others have changed meanwhile is shown instead. */
    undelete: (cause: unknown) => {
      setDeleting(false);
      setError(cause);
      if (id === undefined || !isConflict(cause)) return;
      readDraft({ type, id })
        .then((current) => {
          if (current === null) return;
          setBase(current);
          write(current.draft);
          setError(new Error(`Somebody changed the ${what} meanwhile. This is how it is now.`));
        })
        .catch(setError);
    },
    save: (draft: Draft) => {
      setBusy(true);
      setError(undefined);
      send(base, draft)
        .catch(setError)
        .finally(() => {
          setBusy(false);
        });
    },
    /** What somebody else has saved meanwhile. */
    theirs,
    dismiss: () => {
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

function isConflict(cause: unknown): boolean {
  return cause instanceof ForedgeError && cause.status === 412;
}

const ATOMIC = 'https://jsonapi.org/ext/atomic';
/** They are checked as a whole, and take no update operators. */
const WITHOUT_OPERATORS = /^core\.(api-key|schema|aggregate|webhook|type)$/;

/** Saves what differs of the draft from the base. A document that has changed since is a ForedgeError of status 412. */
async function update(type: string, id: string, { draft: base, etag }: Read, draft: Draft): Promise<void> {
  const data = { type, id, ...changeOf(type, base, draft) };
  const cleared = namesToClear(base, draft);
  if (cleared.length === 0 || !pathOf(type).startsWith('/resources/')) {
    await change(data, data, etag);
    return;
  }
  // What reads as before keeps its kind in the service: so such a value goes first, in one transaction.
  const nulls = Object.fromEntries(cleared.map((name) => [name, null]));
  await ask('POST', '/operations', {
    extension: ATOMIC,
    body: {
      'atomic:operations': [
        {
          op: 'update',
          data: { type, id, attributes: nulls },
          ...(etag !== undefined && { meta: { 'if-match': etag } }),
        },
        { op: 'update', data },
      ],
    },
  });
}

function changeOf(type: string, base: Draft, draft: Draft) {
  const changes = Object.entries(changesOf(base.attributes, draft.attributes));
  const removed = changes.filter(([, value]) => value === undefined).map(([name]) => name);
  const hasOperators = !WITHOUT_OPERATORS.test(type);
  const attributes = changes
    .filter(([, value]) => value !== undefined || !hasOperators)
    .map(([name, value]) => [name, value ?? null]);
  const relationships = Object.entries(changesOf(base.relationships, draft.relationships)).map(
    ([name, data]) =>
      // A relationship is emptied: no request removes its name.
      [name, data ?? (Array.isArray(member(base.relationships, name)) ? [] : null)] as const,
  );
  return {
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) as unknown }),
    ...(relationships.length > 0 && { relationships: asJsonApi(Object.fromEntries(relationships)) }),
    ...(removed.length > 0 &&
      hasOperators && {
        meta: { update: { $unset: Object.fromEntries(removed.map((name) => [name, true])) } },
      }),
  };
}

/** The attributes of which a part has another kind now, and reads as before. */
function namesToClear(base: Draft, draft: Draft): readonly string[] {
  return Object.entries(draft.attributes)
    .filter(([name, value]) => {
      const before = member(base.attributes, name);
      return before !== undefined && onlyKindDiffers(before, value);
    })
    .map(([name]) => name);
}

function onlyKindDiffers(before: Json, value: Json): boolean {
  const kinds = [kindOf(before), kindOf(value)] as const;
  if (kinds[0] !== kinds[1]) {
    const isWrapped = /^(date|long|decimal|id)$/.test(kinds[0]);
    // A wrapper always says what it says.
    const isPlain = kinds[1] === 'string' || kinds[1] === 'number';
    return (
      isWrapped &&
      isPlain &&
      (textOf(before) === textOf(value) ||
        isoOf(before) === textOf(value) ||
        Number(textOf(before)) === value)
    );
  }
  if (isItems(before) && isItems(value))
    return value.some((item, index) => {
      const old = before[index];
      return old !== undefined && onlyKindDiffers(old, item);
    });
  if (!isMembers(before) || !isMembers(value)) return false;
  return Object.entries(value).some(([name, each]) => {
    const old = member(before, name);
    return old !== undefined && onlyKindDiffers(old, each);
  });
}
