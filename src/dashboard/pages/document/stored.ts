/**
 * An open document: it is read and written, and what differs is saved on the state that was read. A conflict is shown, and
 * so is what is wrong with the draft.
 */
import { useCallback, useMemo, useState } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isItems, isMembers, member } from '../../parts/fields/json.ts';
import { isoOf, kindOf, unwrapped } from '../../parts/fields/kinds.ts';
import { faultsBelow } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { notify } from '../../parts/toasts.tsx';
import { replaceWith, wayTo } from '../../route.ts';
import { change, create, read } from '../../session/documents.ts';
import { perform } from '../documents/many.ts';
import { useSchemas } from './check/check.ts';
import {
  asJsonApi,
  differencesOf,
  differing,
  draftOf,
  faultsOfMembers,
  sentOf,
  type Draft,
} from './draft.ts';

export interface Read {
  readonly draft: Draft;
  readonly etag: string | undefined;
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
  const [isDeleting, setDeleting] = useState(false);
  const { run, ...running } = useRun((work: () => Promise<void>) => work());

  /** The document as it is, where a conflict says that it has changed; null where it was deleted, too. */
  const readAnew = async (cause: unknown) => {
    const isConflict = cause instanceof ForedgeError && cause.status === 412;
    return isConflict && id !== undefined ? readDraft({ type, id }) : null;
  };
  /** Saves on the state that was read, or on a later one. A conflict is shown; what else fails is thrown. */
  const send = async (on: Read, next: Draft) => {
    if (id === undefined) {
      const made = await create(type, sentOf(next));
      notify(`The ${what} is made.`);
      replaceWith(wayTo(made === null ? steps : [...steps, made.id]));
      return;
    }
    try {
      await update({ type, id }, on, next);
    } catch (cause) {
      // Where it was deleted there are no sides to choose from.
      const current = await readAnew(cause);
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
    notify('Saved.');
  };
  return {
    ...running,
    steps,
    base,
    setBase,
    isDeleting,
    setDeleting,
    /** Nothing is deleted: it was undone, or refused. What others have changed meanwhile is shown instead. */
    undelete: (cause?: unknown) => {
      setDeleting(false);
      if (cause === undefined) return;
      run(async () => {
        const current = await readAnew(cause);
        if (current === null) {
          running.setError(cause);
          return;
        }
        setBase(current);
        write(current.draft);
        throw new Error(`Somebody changed the ${what} meanwhile. This is how it is now.`);
      });
    },
    save: (draft: Draft) => run(() => send(base, draft)),
    theirs,
    dismiss: () => setTheirs(undefined),
    /** Saves what was chosen, on the state that is theirs. */
    resolve: async (chosen: Draft) => {
      if (theirs === undefined) return;
      write(chosen);
      await send(theirs, chosen);
    },
  };
}

/** The draft of an open document, and what is wrong with it. */
export function useDraft(type: string, id: string | undefined, first: Read) {
  const [draft, write] = useState(first.copied ?? first.draft);
  /** Where texts stand that do not read. */
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const [turn, setTurn] = useState(0);
  const stored = useStored({
    ...{ type, id, first, what: 'document', steps: ['documents', type] },
    write: (next, instead) => {
      // What was typed meanwhile stays.
      write((current) => (instead === undefined || current === instead ? next : current));
    },
  });
  const { base, error, setError } = stored;
  const checked = useSchemas(type, draft);
  const own = useMemo(() => faultsOfMembers(draft.attributes, '/attributes'), [draft]);
  const changed = useMemo(() => differencesOf(base.draft, draft).map(({ name }) => name), [base, draft]);
  const faults = [...own, ...checked.faults, ...faultsBelow(error, '/data')];
  const setDraft = (next: Draft) => {
    write(next);
    setError(undefined);
  };
  return {
    ...stored,
    draft,
    setDraft,
    changed,
    /** Whether something hinders saving: what no request can say. */
    isHindered: own.length + broken.size > 0,
    /** Each once; the same list, as long as it says the same. */
    faults: useMemo(
      () => [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()],
      [JSON.stringify(faults)],
    ),
    checked,
    isDirty: changed.length > 0 || broken.size > 0,
    /** Told whether the text at a place does not read. */
    onBroken: useCallback(
      (pointer: string, isBroken: boolean) =>
        setBroken((before) => {
          const others = [...before].filter((each) => each !== pointer);
          return new Set(isBroken ? [...others, pointer] : others);
        }),
      [],
    ),
    /** Counts what was discarded: controls with text of their own begin anew. */
    turn,
    discard: () => {
      const show = (next: Draft) => {
        setTurn((count) => count + 1);
        setDraft(next);
        setBroken(new Set());
      };
      show(base.draft);
      notify('Changes discarded.', () => show(draft));
    },
  };
}

/** They are checked as a whole, and take no update operators. */
const WITHOUT_OPERATORS = /^core\.(api-key|schema|aggregate|webhook|type)$/;

/** Saves what differs of the draft from the base. A document that has changed since is a ForedgeError of status 412. */
async function update(link: Link, { draft: base, etag }: Read, draft: Draft): Promise<void> {
  const data = { ...link, ...changeOf(link.type, base, draft) };
  // What reads as before keeps its kind in the service: so such a value goes first, in one transaction.
  const cleared = Object.entries(draft.attributes)
    .filter(([name, value]) => onlyKindDiffers(member(base.attributes, name), value))
    .map(([name]) => [name, null]);
  if (cleared.length === 0 || !pathOf(link.type).startsWith('/resources/')) {
    await change(data, data, etag);
    return;
  }
  const emptied = { ...link, attributes: Object.fromEntries(cleared) as unknown };
  await perform([
    { op: 'update', data: emptied, meta: { 'if-match': etag } },
    { op: 'update', data },
  ]);
}

function changeOf(type: string, base: Draft, draft: Draft) {
  const hasOperators = !WITHOUT_OPERATORS.test(type);
  const attributes: [string, Json][] = [];
  const removed: [string, true][] = [];
  for (const { name, values } of differing([base.attributes, draft.attributes]))
    if (values[1] === undefined && hasOperators) removed.push([name, true]);
    else attributes.push([name, values[1] ?? null]);
  const links = differing([base.relationships, draft.relationships]).map(
    // A relationship is emptied: no request removes its name.
    ({ name, values: [before, now] }) => [name, now ?? (Array.isArray(before) ? [] : null)] as const,
  );
  return {
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...(links.length > 0 && { relationships: asJsonApi(Object.fromEntries(links)) }),
    ...(removed.length > 0 && { meta: { update: { $unset: Object.fromEntries(removed) } } }),
  };
}

/** Whether a part of a value has another kind now, and reads as before: a wrapper always says what it says. */
function onlyKindDiffers(before: Json | undefined, value: Json): boolean {
  if (before === undefined) return false;
  const wrapped = unwrapped(before);
  if (wrapped !== undefined && (typeof value === 'string' || typeof value === 'number'))
    return [wrapped.text, isoOf(before), Number(wrapped.text)].includes(value);
  if (kindOf(before) !== kindOf(value)) return false;
  if (isItems(before) && isItems(value))
    return value.some((item, index) => onlyKindDiffers(before[index], item));
  if (!isMembers(before) || !isMembers(value)) return false;
  return Object.entries(value).some(([name, each]) => onlyKindDiffers(member(before, name), each));
}
