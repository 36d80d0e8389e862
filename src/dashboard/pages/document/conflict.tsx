/** What may come between an open document and the service: a deletion that waits, and what somebody else has saved. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Link, Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/fields/dialog.tsx';
import { isSame, linkIn, printed, stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { Linked } from '../../parts/fields/names.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Table, type Column } from '../../parts/page.tsx';
import { useWindow } from '../../parts/window.ts';
import { Time } from '../../parts/words.tsx';
import { go, keep, replaceWith, wayTo } from '../../route.ts';
import { list, read, remove, statusOf, useLoad } from '../../session/service.ts';
import { differencesOf, merged, type Difference, type Draft } from './draft.ts';
import { readDraft, type Open } from './stored.ts';
import { hasHistory, notifyOf, pathOfVersions } from './versions.ts';

/** Milliseconds. */
const HELD_BACK = 10_000;

/**
 * A deletion that is held back for some seconds: a deleted document cannot have its id, its rights and what links to it
 * again, so undo comes before. Whoever leaves the page means it: it is sent then.
 */
export function Deletion({ what, open }: { readonly what: string; readonly open: Open }) {
  const { sort, link, base, undelete } = open;
  const isSent = useRef(false);
  const send = async (onward: () => void) => {
    if (isSent.current) return;
    isSent.current = true;
    try {
      await remove(link, base.etag);
    } catch (cause) {
      undelete(cause);
      return;
    }
    void notifyOf(`${what} was deleted.`, link.type, new Map([[link.id, undefined]]), () =>
      go(wayTo(['documents', link.type, link.id])),
    );
    onward();
  };
  const done = () => replaceWith(wayTo(sort.steps));
  useWindow('pagehide', () => void send(() => undefined));
  const latest = useRef(send);
  latest.current = send;
  // Before it is seen: whoever leaves at once means it, too.
  useLayoutEffect(() => {
    const sendThen = (onward: () => void) => {
      letGo();
      void latest.current(onward);
    };
    const letGo = keep(sendThen);
    const timer = setTimeout(sendThen, HELD_BACK, done);
    return () => {
      clearTimeout(timer);
      letGo();
    };
  }, []);
  return (
    <div class="notice bad" role="alert">
      <Icon name="trash" />
      <p class="row">
        <span>
          {what} is deleted in {HELD_BACK / 1_000} seconds, or when you leave this page. {sort.deletion}
        </span>
        <Button onClick={() => undelete()}>Undo</Button>
        <Button look="danger" onClick={() => void send(done)}>
          Delete now
        </Button>
      </p>
    </div>
  );
}

/** The places of the drafts among the values of a difference. */
const [BASE, MINE, THEIRS] = [0, 1, 2] as const;
type Side = typeof MINE | typeof THEIRS;

/** A conflict, side by side: as it was read, as it is here, and as somebody else has saved it, on which is saved. */
export function Conflict({ open, theirs }: { readonly open: Open; readonly theirs: Draft }) {
  const { dismiss, resolve, link } = open;
  const drafts = [open.base.draft, open.draft, theirs] as const;
  // What both have changed to the same is no matter.
  const differences = useMemo(
    () => differencesOf(...drafts).filter(({ values }) => !isSame(values[MINE], values[THEIRS])),
    drafts,
  );
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const sideOf = (difference: Difference) => chosen[difference.key] ?? onlySideOf(difference);
  const unchosen = differences.filter((difference) => sideOf(difference) === undefined).length;
  const choice = (head: string, side: Side, words: string): Column<Difference> => ({
    head,
    cell: (difference) => (
      <label class="check">
        <input
          type="radio"
          name={difference.key}
          checked={sideOf(difference) === side}
          aria-label={`${words} of ${difference.name}`}
          onChange={() => setChosen({ ...chosen, [difference.key]: side })}
        />
        <Shown value={difference.values[side]} />
      </label>
    ),
  });
  return (
    <FormDialog
      title="Somebody else changed this document"
      wide
      action="Save again"
      cancel="Keep editing"
      note={unchosen > 0 && `${unchosen} ${unchosen === 1 ? 'field is' : 'fields are'} to be chosen`}
      isReady={unchosen === 0}
      onClose={dismiss}
      onSubmit={() => {
        const mine = differences.filter((difference) => sideOf(difference) === MINE);
        return resolve(merged(drafts[THEIRS], mine, MINE));
      }}
    >
      <p>
        <LastChange link={link} /> Your changes are not lost. Choose a value for each field, and save again.
      </p>
      <Differences
        label="Differences"
        of={differences}
        tag={(difference) => onlySideOf(difference) === undefined && <span class="tag">both</span>}
        columns={[
          columnOf('When you read it', BASE),
          choice('Yours', MINE, 'Yours'),
          choice('Theirs, as it is now', THEIRS, 'Theirs'),
        ]}
      />
      {differences.length === 0 && <p>Both changes are the same: nothing to save.</p>}
    </FormDialog>
  );
}

/** Who has changed a field, if only one side has. */
function onlySideOf({ values: [base, mine, theirs] }: Difference): Side | undefined {
  return isSame(base, mine) ? THEIRS : isSame(base, theirs) ? MINE : undefined;
}

interface DifferencesProps {
  readonly label: string;
  readonly of: readonly Difference[];
  readonly columns: readonly Column<Difference>[];
  /** What stands beside the name of a field. */
  readonly tag?: (difference: Difference) => ComponentChildren;
}

/** The fields in which drafts differ, side by side. */
export function Differences({ label, of, columns, tag }: DifferencesProps) {
  const field: Column<Difference> = {
    head: 'Field',
    isHead: true,
    cell: (difference) => (
      <>
        {difference.name}
        {tag?.(difference)}
      </>
    ),
  };
  return (
    <Table label={label} class="conflict" rows={of} keyOf={({ key }) => key} columns={[field, ...columns]} />
  );
}

/** What one of several drafts has in the fields in which they differ. */
export function columnOf(head: string, at: number): Column<Difference> {
  return { head, cell: ({ values }) => <Shown value={values[at]} /> };
}

function Shown({ value }: { readonly value: Difference['values'][number] }) {
  if (value === undefined) return <span class="soft">not set</span>;
  return <code class="conflict-value">{typeof value === 'string' ? value : printed(value)}</code>;
}

/** Milliseconds between two looks. */
const EVERY = 5_000;

export function Outdated({ open }: { readonly open: Open }) {
  const { sort, link, base, isBusy, isDirty, reload } = open;
  const [now, setNow] = useState<Draft | null>();
  // While it is saved here, what has changed is ours.
  const busy = useRef(isBusy);
  busy.current = isBusy;
  useEffect(() => {
    setNow(undefined);
    let { etag } = base;
    if (etag === undefined) return undefined;
    const control = new AbortController();
    const isSaving = () => busy.current;
    const look = async () => {
      if (document.hidden || isSaving()) return;
      const read = await readDraft(sort, link.id, control.signal, etag);
      if (control.signal.aborted || isSaving()) return;
      // What was deleted is no more looked at.
      if (read === null) clearInterval(timer);
      else ({ etag } = read);
      // Fields that are not shown may have changed.
      if (read === null || differencesOf(base.draft, read.draft).length > 0) setNow(read && read.draft);
    };
    const timer = setInterval(() => {
      look().catch((cause: unknown) => {
        // Whoever may not read it any more is told when saving.
        if ((statusOf(cause) ?? 0) >= 400) clearInterval(timer);
      });
    }, EVERY);
    return () => {
      control.abort();
      clearInterval(timer);
    };
  }, [base]);
  if (now === undefined || isBusy) return null;
  return (
    <div class="notice" role="status">
      <p class="row">
        <strong>Somebody else has {now === null ? 'deleted' : 'changed'} this document.</strong>
        {now !== null && <LastChange key={JSON.stringify(now)} link={link} />}
        {isDirty ? (
          <span>Your changes are kept{now !== null && ': when you save, you choose for each field'}.</span>
        ) : (
          <Button onClick={reload}>Show it as it is now</Button>
        )}
      </p>
      {now !== null && (
        <Differences
          label="What has changed"
          of={differencesOf(base.draft, now)}
          columns={['When you read it', 'Now'].map(columnOf)}
        />
      )}
    </div>
  );
}

/** The user of a version, else its key. */
export function Who({ of: { user: json, key } }: { readonly of: Maker }) {
  const user = linkIn(json);
  if (user) return <Linked link={user} />;
  return key === undefined || key === null ? (
    <>{stringIn(json)}</>
  ) : (
    <span>
      key <code>{stringIn(key)}</code>
    </span>
  );
}

type Maker = NonNullable<Resource['attributes']>;

/** When a document was changed last, and by whom where its type has a history. */
function LastChange({ link }: { readonly link: Link }) {
  const { value = {} } = useLoad((signal) => readLast(link, signal), []);
  const iso = isoOf(value['at']);
  if (iso === undefined) return null;
  return (
    <span>
      <Time iso={iso} /> {('user' in value || 'key' in value) && <Who of={value} />}
    </span>
  );
}

async function readLast(link: Link, signal: AbortSignal): Promise<Maker> {
  if (await hasHistory(link.type, signal)) {
    const { documents } = await list(pathOfVersions(link), { 'page[size]': '1' }, signal);
    return documents[0]?.attributes ?? {};
  }
  const updated = (await read(link, '$updated', signal))?.document.meta?.['updated'];
  return updated === undefined ? {} : { at: updated };
}
