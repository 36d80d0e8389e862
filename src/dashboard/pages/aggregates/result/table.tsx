/** Documents of a pipeline as a table: each field a column, in the order in which they first come. */
import type { Json } from '../../../../client/values.ts';
import { kindOf, textOf, type Members } from '../../document/values/kinds.ts';
import { printed } from '../../document/draft.ts';

/** How many columns are shown, and how much of a value. */
const COLUMNS = 24;
const LONGEST = 90;

interface TableProps {
  readonly label: string;
  readonly rows: readonly Members[];
}

export function ResultTable({ label, rows }: TableProps) {
  const names = columnsOf(rows);
  const shown = names.slice(0, COLUMNS);
  return (
    <>
      <div class="table-frame result" role="region" aria-label={label} tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              {shown.map((name) => (
                <th key={name} scope="col" class={isNumeric(rows, name) ? 'number' : ''}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {shown.map((name) => (
                  <Cell key={name} value={Object.hasOwn(row, name) ? row[name] : undefined} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {names.length > shown.length && (
        <p class="hint">{names.length - shown.length} more fields are not shown.</p>
      )}
    </>
  );
}

function Cell({ value }: { readonly value: Json | undefined }) {
  if (value === undefined) return <td />;
  const kind = kindOf(value);
  const isNumber = kind === 'number' || kind === 'long' || kind === 'decimal';
  const hasParts = kind === 'array' || kind === 'object' || kind === 'geometry';
  const text = hasParts ? JSON.stringify(value) : kind === 'null' ? 'null' : textOf(value);
  const isCut = text.length > LONGEST;
  return (
    <td class={isNumber ? 'number' : hasParts || kind === 'id' ? 'mono' : kind === 'null' ? 'soft' : ''}>
      <span {...(isCut && { title: hasParts ? printed(value) : text })}>
        {isCut ? `${text.slice(0, LONGEST)}…` : text}
      </span>
    </td>
  );
}

export function columnsOf(rows: readonly Members[]): readonly string[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  // What a document is, before what it has.
  return [...['id', 'type'].filter((name) => names.delete(name)), ...names];
}

/** Whether all values of the column are numbers, and at least one is there. */
export function isNumeric(rows: readonly Members[], name: string): boolean {
  const values = rows.flatMap((row) => (Object.hasOwn(row, name) ? [row[name] ?? null] : []));
  const numbers = values.filter((value) => /^(number|long|decimal)$/.test(kindOf(value)));
  return numbers.length > 0 && values.every((value) => value === null || numbers.includes(value));
}
