/** Which fields are columns: a list of all that are known, in which one checks those to see. */
import { useId, useState } from 'preact/hooks';
import { application } from '../../../session/credentials.ts';
import { Icon } from '../../../parts/icons.tsx';
import type { View } from '../view.ts';
import type { Fields } from '../fields/fields.ts';

/** Columns of a table where nobody has chosen. */
const FIRST = 8;

/** What the service knows of each document, by the names that show it. */
const KNOWN = ['$created', '$updated'];

/** The columns of a table: those of its route, else those chosen here before, else the first fields there are. */
export function columnsOf(
  type: string,
  { columns, sort }: Pick<View, 'columns' | 'sort'>,
  fields: Fields,
): readonly string[] {
  const chosen = columns ?? restored(type);
  if (chosen !== undefined) return chosen;
  const first = [...fields.keys()].slice(0, FIRST);
  // What the rows are sorted by is worth seeing.
  const sorting = sort.map((name) => name.replace(/^-/, '')).filter((name) => fields.has(name));
  return [...new Set([...first, ...sorting])];
}

/** Names of fields, for this browser: they are no secret to whoever has seen the table. */
function placeOf(type: string): string {
  return `foredge-columns ${application.value?.id ?? ''} ${type}`;
}

function restored(type: string): readonly string[] | undefined {
  const text = localStorage.getItem(placeOf(type));
  return text === null ? undefined : text.split(',').filter((name) => name !== '');
}

export function keepColumns(type: string, columns: readonly string[] | null): void {
  if (columns === null) localStorage.removeItem(placeOf(type));
  else localStorage.setItem(placeOf(type), columns.join(','));
}

interface ColumnsProps {
  readonly fields: Fields;
  readonly columns: readonly string[];
  readonly onColumns: (columns: readonly string[] | null) => void;
  /** Told when it is opened: then it is time to know all names. */
  readonly onOpen: () => void;
}

export function Columns({ fields, columns, onColumns, onOpen }: ColumnsProps) {
  const [name, setName] = useState('');
  const id = useId();
  const names = [...new Set([...columns, ...fields.keys(), ...KNOWN])];
  const toggle = (each: string) => {
    onColumns(columns.includes(each) ? columns.filter((other) => other !== each) : [...columns, each]);
  };
  return (
    <>
      <button class="button" type="button" popovertarget={id} onClick={onOpen}>
        <Icon name="bulk" /> Columns
      </button>
      <div class="popover columns" popover="auto" id={id} role="group" aria-label="Columns">
        <ul>
          {names.map((each) => (
            <li key={each}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={columns.includes(each)}
                  onChange={() => {
                    toggle(each);
                  }}
                />
                <span>{each}</span>
              </label>
            </li>
          ))}
        </ul>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const added = name.trim();
            if (added !== '' && !columns.includes(added)) onColumns([...columns, added]);
            setName('');
          }}
        >
          <input
            type="text"
            aria-label="Another field"
            placeholder="Another field"
            value={name}
            onInput={({ currentTarget }) => {
              setName(currentTarget.value);
            }}
          />
          <button class="button" type="submit">
            Add
          </button>
        </form>
        <button
          class="link"
          type="button"
          onClick={() => {
            onColumns(null);
          }}
        >
          As the documents have them
        </button>
      </div>
    </>
  );
}
