/** A conflict, side by side: each field as it was read, as it is here, and as somebody else has saved it. */
import { useMemo, useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Problems } from '../../../parts/problems.tsx';
import { useSubmit } from '../../../parts/submit.ts';
import { printed, type Draft } from '../draft.ts';
import { differencesOf, keyOf, merged, type Difference, type Side } from './differences.ts';

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
  const sideOf = (difference: Difference) =>
    chosen[keyOf(difference)] ?? (difference.by === 'both' ? undefined : difference.by);
  const open = differences.filter((difference) => sideOf(difference) === undefined).length;
  const { error, isBusy, submit } = useSubmit(() => onSave(merged(theirs, differences, sideOf)));
  return (
    <Dialog title="Somebody else has changed this document" wide onClose={onClose}>
      <form onSubmit={submit}>
        <div class="dialog-body">
          <p>
            It was saved since you read it. Nothing of yours is lost: choose for each field, and save again.
          </p>
          <div class="table-frame" role="region" aria-label="Differences" tabIndex={0}>
            <table class="table conflict">
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  <th scope="col">When you read it</th>
                  <th scope="col">Yours</th>
                  <th scope="col">Theirs, as it is now</th>
                </tr>
              </thead>
              <tbody>
                {differences.map((difference) => (
                  <tr key={keyOf(difference)}>
                    <th scope="row">
                      {difference.name}
                      {difference.by === 'both' && <span class="tag">both</span>}
                    </th>
                    <td>
                      <Shown value={difference.base} />
                    </td>
                    {(['mine', 'theirs'] as const).map((side) => (
                      <td key={side}>
                        <label class="choice">
                          <input
                            type="radio"
                            name={keyOf(difference)}
                            checked={sideOf(difference) === side}
                            aria-label={`${side === 'mine' ? 'Yours' : 'Theirs'} of ${difference.name}`}
                            onChange={() => {
                              setChosen({ ...chosen, [keyOf(difference)]: side });
                            }}
                          />
                          <Shown value={difference[side]} />
                        </label>
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {differences.length === 0 && <p>Both changes are the same: there is nothing left to save.</p>}
          <Problems error={error} />
        </div>
        <footer>
          {open > 0 && (
            <span class="soft">
              {open} {open === 1 ? 'field is' : 'fields are'} to be chosen
            </span>
          )}
          <button class="button" type="button" onClick={onClose}>
            Go on writing
          </button>
          <button class="button primary" type="submit" disabled={open > 0 || isBusy}>
            Save again
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function Shown({ value }: { readonly value: Difference['base'] }) {
  if (value === undefined) return <span class="soft">not there</span>;
  return <code class="conflict-value">{typeof value === 'string' ? value : printed(value)}</code>;
}
