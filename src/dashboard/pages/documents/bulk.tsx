/** Which documents are selected, and what can be done to them: change a field, delete, export. */
import { useEffect, useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { Button, notify, Opener, RunButton } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/fields/dialog.tsx';
import { Check, TextField } from '../../parts/fields/form.tsx';
import { save } from '../../parts/files.tsx';
import { countText, documentsIn } from '../../parts/words.tsx';
import type { Pages } from '../../session/pages.ts';
import { listNone, useLoad } from '../../session/service.ts';
import { hasHistory, notifyOf, takeAllBack, UNDONE, type Tags } from '../document/versions.ts';
import { topNames, type Fields } from './fields.ts';
import { textOfValue } from './filter/condition.ts';
import { allOf, lineOf, removal, workOn, type BulkTarget, type Work } from './many.ts';

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

interface BulkBarProps {
  readonly type: string;
  /** The parameters of the list, for all that match. */
  readonly query: string;
  readonly rows: Pages;
  readonly fields: Fields;
  readonly selection: Selection;
}

export function BulkBar({ type, query, rows, fields, selection }: BulkBarProps) {
  const { documents, count, reload } = rows;
  const { ids, isAll } = selection;
  const exportAll = async () => {
    const chosen = documents.filter(({ id }) => ids.has(id));
    const parts: string[] = [];
    for await (const some of isAll ? allOf(type, query) : [chosen]) {
      for (const each of some) parts.push(`${parts.length === 0 ? '' : ',\n'}${lineOf(each)}`);
    }
    save(new Blob(['[\n', ...parts, '\n]\n'], { type: 'application/json' }), `${type}.json`);
  };
  if (ids.size === 0 && !isAll) return null;
  const whole = count ?? documents.length;
  const amount = isAll ? whole : ids.size;
  const target = { type, query, ids: isAll ? null : [...ids], amount };
  const done = (does: string, written: Tags) => {
    selection.clear();
    reload();
    void notifyOf(`${documentsIn(written.size)} ${does}`, type, written, reload);
  };
  return (
    <section class="notice row" aria-label="Selected documents">
      <strong>{countText(amount)} selected</strong>
      {!isAll && whole > ids.size && (
        <Button look="link" onClick={selection.selectAll}>
          Select all {countText(whole)} that match
        </Button>
      )}
      <span class="row">
        <Opener
          icon="pen"
          dialog={(close) => <ChangeMany target={target} fields={fields} onClose={close} onDone={done} />}
        >
          Change a field…
        </Opener>
        {!isAll && ids.size <= UNDONE && <UndoLast type={type} ids={ids} onDone={reload} />}
        <RunButton icon="transfer" work={exportAll}>
          Export as JSON
        </RunButton>
        <Opener
          look="danger"
          icon="trash"
          dialog={(close) => <RemoveMany target={target} onClose={close} onDone={done} />}
        >
          Delete…
        </Opener>
        <Button onClick={selection.clear}>Clear</Button>
      </span>
    </section>
  );
}

interface UndoLastProps {
  readonly type: string;
  readonly ids: ReadonlySet<string>;
  readonly onDone: () => void;
}

/** Undoes what was done last to documents, for as long as the history of their type has what they were. */
function UndoLast({ type, ids, onDone }: UndoLastProps) {
  const has = useLoad((signal) => hasHistory(type, signal), [type]);
  const undo = async () => {
    notify(await takeAllBack(type, new Map(Array.from(ids, (id) => [id, undefined]))));
    onDone();
  };
  return has.value === true && <RunButton work={undo}>Undo last change</RunButton>;
}

interface ManyProps {
  readonly target: BulkTarget;
  readonly onClose: () => void;
  readonly onDone: (does: string, written: Tags) => void;
}

/** Work on many documents: how many are meant, how far it is, and doing it. */
function useMany({ target, onDone }: ManyProps) {
  const [done, setDone] = useState(0);
  const { type, query, ids } = target;
  // All that match are counted again, because others write.
  const { value: amount = target.amount } = useLoad(async (signal) => {
    if (ids !== null) return target.amount;
    return (await listNone(type, query, signal)).count ?? 0;
  }, []);
  return {
    words: documentsIn(amount),
    progress: done > 0 && (
      <p role="status">
        {countText(done)} of {countText(amount)} done
      </p>
    ),
    work: async (does: string, operationOf: Work) => onDone(does, await workOn(target, operationOf, setDone)),
  };
}

/** One field of many documents gets one value, or goes. */
function ChangeMany({ fields, ...props }: ManyProps & { readonly fields: Fields }) {
  const [field, setField] = useState('');
  const [value, setValue] = useState('');
  const [goes, setGoes] = useState(false);
  const { words, progress, work } = useMany(props);
  const json = textOfValue(value.trim(), fields.get(field)?.kind ?? 'null');
  return (
    <FormDialog
      title={`Change ${words}`}
      action={`Change ${words}`}
      isReady={field !== ''}
      onClose={props.onClose}
      onSubmit={() => {
        const change = goes
          ? { meta: { update: { $unset: { [field]: true } } } }
          : { attributes: { [field]: JSON.parse(json) as unknown } };
        return work('changed', (link) => ({ op: 'update', data: { ...link, ...change } }));
      }}
    >
      <TextField
        label="Field"
        required
        value={field}
        onText={setField}
        suggestions={topNames(fields).filter((name) => fields.get(name)?.kind !== 'link')}
        autofocus
      />
      <Check checked={goes} onChecked={setGoes}>
        Remove the field
      </Check>
      {!goes && (
        <TextField
          label="New value"
          value={value}
          onText={setValue}
          hint={
            <>
              It is stored as <code>{json}</code>. JSON is stored as such; other text as a string.
            </>
          }
        />
      )}
      {progress}
    </FormDialog>
  );
}

/** Asks before many documents are deleted: it says how many, and all that match need the name of their type as well. */
function RemoveMany(props: ManyProps) {
  const { ids, type } = props.target;
  const { words, progress, work } = useMany(props);
  return (
    <FormDialog
      isDanger
      title={`Delete ${words}?`}
      action={`Delete ${words}`}
      typed={ids === null ? type : undefined}
      onClose={props.onClose}
      onSubmit={() => work('deleted', removal)}
    >
      <p>
        {ids === null && 'These are all that match the filter now. '}
        They are deleted for everybody. Links to them are kept.
      </p>
      {progress}
    </FormDialog>
  );
}
