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
  /** Changes a part of a column. */
  const set =
    <Part extends keyof Column>(name: string, part: Part) =>
    (value: Column[Part]) => {
      onColumns(columns.map((each) => (each.name === name ? { ...each, [part]: value } : each)));
    };
  const inFile = ({ name }: Column) => (
    <>
      {name} <p class="fine soft">{sampleOf(rows, name)}</p>
    </>
  );
  const becoming = ({ name, becomes }: Column) => (
    <SelectField
      label={`What ${name} becomes`}
      value={becomes}
      options={BECOMES}
      onValue={set(name, 'becomes')}
    />
  );
  const field = ({ name, becomes, field: value }: Column) =>
    (becomes === 'attribute' || becomes === 'link') && (
      <TextField label={`Field of ${name}`} value={value} onText={set(name, 'field')} />
    );
  const more = ({ name, becomes, kind, type, by }: Column) =>
    becomes === 'attribute' ? (
      <SelectField label={`Kind of ${name}`} value={kind} options={kinds} onValue={set(name, 'kind')} />
    ) : (
      becomes === 'link' && (
        <div class="row together">
          <TextField
            label={<Named words="Leads to" name={name} />}
            placeholder="type"
            value={type}
            suggestions={types}
            onText={set(name, 'type')}
          />
          <TextField
            label={<Named words="Found by" name={name} />}
            placeholder="id"
            value={by}
            onText={set(name, 'by')}
          />
        </div>
      )
    );
  return (
    <Table
      label="Columns"
      class="mapping"
      rows={columns}
      keyOf={({ name }) => name}
      columns={[
        { head: 'In the file', isHead: true, cell: inFile },
        { head: 'Becomes', cell: becoming },
        { head: 'Field', cell: field },
        { head: 'Kind, or what it leads to', cell: more },
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
