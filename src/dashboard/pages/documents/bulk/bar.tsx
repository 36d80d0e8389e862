/** What can be done to the selected documents: change a field, delete, export. */
import { useState } from 'preact/hooks';
import type { Resource } from '../../../../client/transport.ts';
import { Icon } from '../../../parts/icons.tsx';
import { countText } from '../../../parts/numbers.ts';
import { Problems } from '../../../parts/problems.tsx';
import { tell } from '../../../parts/toasts.tsx';
import type { Fields } from '../fields/fields.ts';
import type { Selection } from '../selection.ts';
import { ChangeMany } from './change.tsx';
import { save } from '../../transfer/save.ts';
import { lineOf } from './export.ts';
import { pagesOf } from './many.ts';
import { RemoveMany } from './remove.tsx';

interface BulkBarProps {
  readonly type: string;
  /** The parameters of the list, for all that match. */
  readonly query: string;
  readonly documents: readonly Resource[];
  /** How many match; undefined where nobody knows. */
  readonly count: number | undefined;
  readonly fields: Fields;
  readonly selection: Selection;
  /** Told when documents have been changed or deleted. */
  readonly onDone: () => void;
}

export function BulkBar({ type, query, documents, count, fields, selection, onDone }: BulkBarProps) {
  const [open, setOpen] = useState<'change' | 'remove'>();
  const [error, setError] = useState<unknown>();
  const { ids, isAll } = selection;
  if (ids.size === 0 && !isAll) return null;
  const whole = count ?? documents.length;
  const amount = isAll ? whole : ids.size;
  const target = { type, query, ids: isAll ? null : [...ids], amount };
  const close = () => {
    setOpen(undefined);
  };
  const done = (words: string) => {
    tell(words);
    selection.clear();
    onDone();
  };
  const exportAll = async () => {
    setError(undefined);
    const chosen = documents.filter(({ id }) => ids.has(id));
    const signal = new AbortController().signal;
    try {
      const parts: string[] = [];
      for await (const some of isAll ? pagesOf(type, query, signal) : [chosen]) {
        for (const each of some) parts.push(`${parts.length === 0 ? '' : ',\n'}${lineOf(each)}`);
      }
      save(new Blob(['[\n', ...parts, '\n]\n'], { type: 'application/json' }), `${type}.json`);
    } catch (cause) {
      setError(cause);
    }
  };
  return (
    <section class="bulk" aria-label="Selected documents">
      <strong>{countText(amount)} selected</strong>
      {!isAll && whole > ids.size && (
        <button class="link" type="button" onClick={selection.selectAll}>
          Select all {countText(whole)} that match
        </button>
      )}
      <span class="actions">
        <button
          class="button"
          type="button"
          onClick={() => {
            setOpen('change');
          }}
        >
          <Icon name="pen" /> Change a field…
        </button>
        <button class="button" type="button" onClick={() => void exportAll()}>
          <Icon name="transfer" /> Export as JSON
        </button>
        <button
          class="button danger"
          type="button"
          onClick={() => {
            setOpen('remove');
          }}
        >
          <Icon name="trash" /> Delete…
        </button>
        <button class="button" type="button" onClick={selection.clear}>
          Clear
        </button>
      </span>
      <Problems error={error} />
      {open === 'change' && <ChangeMany target={target} fields={fields} onClose={close} onDone={done} />}
      {open === 'remove' && <RemoveMany target={target} onClose={close} onDone={done} />}
    </section>
  );
}
