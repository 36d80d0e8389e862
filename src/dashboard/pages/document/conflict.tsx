/** A conflict, side by side: each field as it was read, as it is here, and as somebody else has saved it. */
import { useMemo, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { printed } from '../../parts/json.ts';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/run.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { differencesOf, merged, type Difference, type Draft, type Side } from './draft.ts';

interface ConflictProps {
  readonly base: Draft;
  readonly mine: Draft;
  readonly theirs: Draft;
  readonly onClose: () => void;
  /** Saves on the state that is theirs. */
  readonly onSave: (draft: Draft) => Promise<void>;
}

export function Conflict({ base, mine, theirs, onClose, onSave }: ConflictProps) {
  const differences = useMemo(() => differencesOf(base, mine, theirs), [base, mine, theirs]);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const sideOf = ({ key, by }: Difference) => chosen[key] ?? (by === 'both' ? undefined : by);
  const open = differences.filter((difference) => sideOf(difference) === undefined).length;
  const { error, isBusy, submit } = useSubmit(() =>
    onSave(
      merged(
        theirs,
        differences.filter((difference) => sideOf(difference) === 'mine'),
      ),
    ),
  );
  const choice = (head: string, side: Side, words: string): Column<Difference> => ({
    head,
    cell: (difference) => (
      <label class="check">
        <input
          type="radio"
          name={difference.key}
          checked={sideOf(difference) === side}
          aria-label={`${words} of ${difference.name}`}
          onChange={() => {
            setChosen({ ...chosen, [difference.key]: side });
          }}
        />
        <Shown value={difference[side]} />
      </label>
    ),
  });
  return (
    <Dialog
      title="Somebody else changed this document"
      wide
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          {open > 0 && (
            <span class="soft">
              {open} {open === 1 ? 'field is' : 'fields are'} to be chosen
            </span>
          )}
          <Button onClick={onClose}>Keep editing</Button>
          <Button look="primary" disabled={open > 0 || isBusy}>
            Save again
          </Button>
        </>
      }
    >
      <p>Your changes are not lost. Choose a value for each field, and save again.</p>
      <Table
        label="Differences"
        class="conflict"
        rows={differences}
        keyOf={({ key }) => key}
        columns={[
          {
            head: 'Field',
            isHead: true,
            cell: ({ name, by }) => (
              <>
                {name}
                {by === 'both' && <span class="tag">both</span>}
              </>
            ),
          },
          { head: 'When you read it', cell: ({ base: value }) => <Shown value={value} /> },
          choice('Yours', 'mine', 'Yours'),
          choice('Theirs, as it is now', 'theirs', 'Theirs'),
        ]}
      />
      {differences.length === 0 && <p>Both changes are the same: nothing to save.</p>}
      <Problems error={error} />
    </Dialog>
  );
}

/** The value of a field. */
export function Shown({ value }: { readonly value: Difference['base'] }) {
  if (value === undefined) return <span class="soft">not set</span>;
  return <code class="conflict-value">{typeof value === 'string' ? value : printed(value)}</code>;
}
