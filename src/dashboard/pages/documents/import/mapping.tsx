/** What becomes of each column, to be changed. */
import { SelectField, TextField } from '../../../parts/form.tsx';
import { KINDS, textOf, type Kind } from '../../../parts/kinds.ts';
import { Table } from '../../../parts/table.tsx';
import { cut } from '../../../parts/words.tsx';
import { useTypeNames } from '../../../session/types.ts';
import type { Column } from './columns.ts';
import type { Rows } from './rows.ts';

interface MappingProps {
  readonly rows: Rows;
  readonly columns: readonly Column[];
  readonly onColumns: (columns: readonly Column[]) => void;
}

const BECOMES = [
  ['attribute', 'Attribute'],
  ['link', 'Link'],
  ['id', 'Id'],
  ['nothing', 'Nothing'],
] as const;
const AS_IT_IS = ['', 'as it is'] as const;
const OF_KINDS = KINDS.filter((kind) => kind !== 'null').map((kind) => [kind, kind] as const);

export function Mapping({ rows, columns, onColumns }: MappingProps) {
  const types = useTypeNames();
  const kinds: readonly (readonly [Kind | '', string])[] = rows.isText ? OF_KINDS : [AS_IT_IS, ...OF_KINDS];
  const change = (name: string) => (part: Partial<Column>) => {
    onColumns(columns.map((each) => (each.name === name ? { ...each, ...part } : each)));
  };
  return (
    <Table
      label="Columns"
      class="mapping"
      rows={columns}
      keyOf={({ name }) => name}
      columns={[
        {
          head: 'In the file',
          isHead: true,
          cell: ({ name }) => (
            <>
              {name} <p class="fine soft">{sampleOf(rows, name)}</p>
            </>
          ),
        },
        {
          head: 'Becomes',
          cell: ({ name, becomes }) => (
            <SelectField
              label={`What ${name} becomes`}
              value={becomes}
              options={BECOMES}
              onValue={(next) => {
                change(name)({ becomes: next });
              }}
            />
          ),
        },
        {
          head: 'Field',
          cell: ({ name, becomes, field }) =>
            (becomes === 'attribute' || becomes === 'link') && (
              <TextField
                label={`Field of ${name}`}
                value={field}
                onText={(text) => {
                  change(name)({ field: text });
                }}
              />
            ),
        },
        {
          head: 'Kind, or what it leads to',
          cell: ({ name, becomes, kind, type, by }) =>
            becomes === 'attribute' ? (
              <SelectField
                label={`Kind of ${name}`}
                value={kind}
                options={kinds}
                onValue={(next) => {
                  change(name)({ kind: next });
                }}
              />
            ) : (
              becomes === 'link' && (
                <div class="row together">
                  <TextField
                    label={<Named words="Leads to" name={name} />}
                    placeholder="type"
                    value={type}
                    suggestions={types}
                    onText={(text) => {
                      change(name)({ type: text });
                    }}
                  />
                  <TextField
                    label={<Named words="Found by" name={name} />}
                    placeholder="id"
                    value={by}
                    onText={(text) => {
                      change(name)({ by: text });
                    }}
                  />
                </div>
              )
            ),
        },
      ]}
    />
  );
}

/** A label that is seen, with the column for those who hear it alone. */
function Named({ words, name }: { readonly words: string; readonly name: string }) {
  return (
    <>
      {words} <span class="visually-hidden">of {name}</span>
    </>
  );
}

/** The first values of a column. */
function sampleOf({ rows }: Rows, name: string): string {
  const values = rows.slice(0, 20).flatMap(({ values: all }) => all.get(name) ?? []);
  return cut([...new Set(values.map(textOf))].slice(0, 3).join(', '), 60);
}
