/**
 * An open document: the words for its type, how it is read and written, and saving what differs on the state that was
 * read. Conflicts and faults of the draft are shown.
 */
import type { ComponentChildren } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { faultsBelow, notify, useRun } from '../../parts/button.tsx';
import { isItems, isMembers, member, type Fault, type Members } from '../../parts/fields/json.ts';
import { isoOf, kindOf, unwrapped } from '../../parts/fields/kinds.ts';
import { wordsOfType } from '../../parts/fields/names.tsx';
import { replaceWith, wayTo } from '../../route.ts';
import { FILE } from '../../session/files.ts';
import { change, create, read, statusOf } from '../../session/service.ts';
import { perform } from '../documents/many.ts';
import { useSchemas } from '../schemas/check.ts';
import {
  asJsonApi,
  differencesOf,
  differing,
  draftOf,
  faultsOfMembers,
  merged,
  sentOf,
  type Draft,
} from './draft.ts';

/** A part of the page of a document. */
type Part = (open: Open) => ComponentChildren;

export interface Sort extends Facts {
  /** The words for the route of all. */
  readonly all: string;
  /** It is not deleted as documents are. */
  readonly isUndeletable?: boolean;
  readonly title?: (attributes: Members, id: string | undefined) => string | undefined;
  readonly actions?: Part;
  /** More of the form, and what stands below it. */
  readonly form?: Part;
  readonly below?: Part;
}

/** Words for the documents of a type, and what more there is to say of them. */
export function sortOf(type: string, more: Partial<Sort> = {}): Sort {
  return { type, ...wordsOfType(type), ...(type === FILE && { all: 'All files' }), ...more };
}

export function isOwn({ steps: [first] }: Sort): boolean {
  return first !== 'documents';
}

/** What reading and saving documents of a type goes by. */
export interface Facts {
  readonly type: string;
  /** The route of all of them. */
  readonly steps: readonly string[];
  /** As in "The key is made.". */
  readonly what: string;
  /** The attributes that are asked for: all without it. */
  readonly fields?: string;
  /** The attributes that are rows of its form, as a JSON Schema: of types that have no others but in `form`. */
  readonly known?: Readonly<Record<string, Members>>;
  /** Its relationships, likewise. */
  readonly links?: Members;
  /** What cannot be right, as one writes. */
  readonly check?: (attributes: Members) => readonly Fault[];
  /** What else a deletion does. */
  readonly deletion?: string;
  /** The words after a change. */
  readonly saved?: string;
}

export interface ReadDocument {
  readonly draft: Draft;
  readonly etag: string | undefined;
  readonly copied?: Draft;
}

/** Null for one that was deleted. */
export async function readDraft(
  sort: Facts,
  id: string,
  signal?: AbortSignal,
  etag?: string,
): Promise<ReadDocument | null> {
  const stored = await read({ type: sort.type, id }, sort.fields, signal, etag);
  return stored === null ? null : { draft: draftIn(sort, stored.document), etag: stored.etag };
}

/** A document as its page shows it: without hashes of passwords, and without what its type may have and it has not. */
function draftIn({ known }: Facts, document: Resource): Draft {
  const { attributes, relationships } = draftOf(document);
  const shown = Object.entries(attributes).filter(
    ([name, value]) =>
      (known === undefined || value !== null) && (document.type !== 'core.user' || name !== 'password'),
  );
  return { attributes: Object.fromEntries(shown), relationships };
}

export type Open = ReturnType<typeof useDraft>;

/** An open document, whose id is undefined as long as it is new: its draft, what is wrong with it, and saving it. */
export function useDraft(sort: Sort, id: string | undefined, first: ReadDocument, reload: () => void) {
  const { type, steps, what, saved = 'Saved.', known, check } = sort;
  const [base, setBase] = useState(first);
  const [theirs, setTheirs] = useState<ReadDocument>();
  const [isDeleting, setDeleting] = useState(false);
  const [draft, write] = useState(first.copied ?? first.draft);
  /** The controls whose texts do not read. */
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const [turn, setTurn] = useState(0);
  const { run, error, isBusy, setError } = useRun((work: () => Promise<void>) => work());
  const checked = useSchemas(type, draft, known === undefined);
  const own = useMemo(
    () => (known === undefined ? faultsOfMembers(draft.attributes, '/attributes') : []),
    [draft],
  );
  const told = useMemo(() => check?.(draft.attributes) ?? [], [draft]);
  const changed = useMemo(() => differencesOf(base.draft, draft).map(({ name }) => name), [base, draft]);
  const faults = [...own, ...told, ...checked.faults, ...faultsBelow(error, '/data')];
  const isNew = id === undefined;
  /** Whether something hinders saving: what no request can say. */
  const isHindered = own.length + broken.size > 0;
  const isDirty = changed.length > 0 || broken.size > 0;
  const canSave = !isHindered && !isBusy && (isDirty || isNew);

  /** Goes on from another state of the document. What was typed since the draft that was saved or read stays. */
  const rebase = (from: Draft, now: ReadDocument) => {
    setBase(now);
    write((current) => merged(now.draft, differencesOf(from, current), 1));
  };
  useLayoutEffect(() => {
    if (first === base) return;
    // It was read anew.
    rebase(base.draft, first);
    setError(undefined);
  }, [first]);
  /** The document as it is, where a conflict says that it has changed; null where it was deleted, too. */
  const readAnew = async (cause: unknown) => {
    return statusOf(cause) === 412 && id !== undefined ? readDraft(sort, id) : null;
  };
  /** Saves on the state that was read, or on a later one. A conflict is shown; what else fails is thrown. */
  const send = async (on: ReadDocument, next: Draft) => {
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
    const now = (await readDraft(sort, id).catch(() => null)) ?? { draft: next, etag: undefined };
    rebase(next, now);
    setTheirs(undefined);
    notify(saved);
  };
  const setDraft = (next: Draft) => {
    write(next);
    setError(undefined);
  };
  /** Shows a draft in the place of all that was typed; gives what takes that back. */
  const show = (next: Draft) => {
    setTurn((count) => count + 1);
    setDraft(next);
    setBroken(new Set());
    return () => void show(draft);
  };
  return {
    ...{ sort, base, setBase, draft, setDraft, show, changed, checked, theirs, isDeleting, setDeleting },
    ...{ error, isBusy, isNew, link: { type, id: id ?? '' }, isHindered, isDirty, canSave },
    /** Reads it anew. */
    reload,
    /** Counts what was shown so: controls with text of their own begin anew. */
    turn,
    /** Each once; the same list, as long as it says the same. */
    faults: useMemo(
      () => [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()],
      [JSON.stringify(faults)],
    ),
    /** Told whether the text of a control does not read. */
    onBroken: useCallback(
      (control: string, isBroken: boolean) =>
        setBroken((before) => {
          if (before.has(control) === isBroken) return before;
          const others = [...before].filter((each) => each !== control);
          return new Set(isBroken ? [...others, control] : others);
        }),
      [],
    ),
    discard: () => notify('Changes discarded.', show(base.draft)),
    /** Nothing is deleted: it was undone, or refused. What others have changed meanwhile is shown instead. */
    undelete: (cause?: unknown) => {
      setDeleting(false);
      if (cause === undefined) return;
      run(async () => {
        const current = await readAnew(cause);
        if (current === null) {
          setError(cause);
          return;
        }
        setBase(current);
        write(current.draft);
        throw new Error(`Somebody changed the ${what} meanwhile. This is how it is now.`);
      });
    },
    save: () => {
      if (canSave) run(() => send(base, draft));
    },
    /** What somebody has saved since stays to be chosen from. */
    dismiss: () => setTheirs((now) => (now === theirs ? undefined : now)),
    /** Saves what was chosen, on the state that is theirs. */
    resolve: async (chosen: Draft) => {
      if (theirs === undefined) return;
      write(chosen);
      await send(theirs, chosen);
    },
  };
}

/** They are checked as a whole, and take no update operators. */
const WITHOUT_OPERATORS =
  /^core\.(api-key|application|schema|aggregate|webhook|type|mail-template|account-settings|identity-provider)$/;

/** Saves what differs of the draft from the base. A document that has changed since is a ForedgeError of status 412. */
async function update(link: Link, { draft: base, etag }: ReadDocument, draft: Draft): Promise<void> {
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
