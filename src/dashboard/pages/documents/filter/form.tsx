/** The filter as a form and as JSON: each writes the other. All blocks must hold, and one row of each. */
import { useState } from 'preact/hooks';
import { Button, IconButton } from '../../../parts/button.tsx';
import { FormDialog } from '../../../parts/fields/dialog.tsx';
import { Field, SelectField, TextField } from '../../../parts/fields/form.tsx';
import { isMembers, parsed, printed } from '../../../parts/fields/json.ts';
import { kindOf, textOf, wrap, type KindName } from '../../../parts/fields/kinds.ts';
import { ScalarControl } from '../../document/controls.tsx';
import { readExactly, type Said } from '../../document/draft.ts';
import { BoundJson } from '../../document/value-row.tsx';
import type { Fields } from '../fields.ts';
import { filterOf, type Condition } from '../view.ts';
import {
  alternativesIn,
  anyOf,
  conditionsIn,
  kindAt,
  operatorOf,
  operatorsFor,
  rowOf,
  textOfValue,
  written,
  type ConditionRow,
} from './condition.ts';

type Conditions = readonly Condition[];

interface FilterFormProps {
  readonly fields: Fields;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
  readonly onClose: () => void;
}

export function FilterForm({ fields, conditions: first, onConditions, onClose }: FilterFormProps) {
  const blank: ConditionRow = { field: '', operator: undefined, kind: 'null', value: '' };
  const blocksOf = (conditions: Conditions) =>
    conditions.map((each) => alternativesIn(each).map((one) => unquoted(rowOf(one, fields))));
  // JSON that rows say otherwise stays as it was written.
  const [{ blocks, conditions }, setBoth] = useState(() => ({
    blocks: first.length === 0 ? [[blank]] : blocksOf(first),
    conditions: first,
  }));
  const setBlocks = (next: typeof blocks) => setBoth({ blocks: next, conditions: next.flatMap(conditionOf) });
  const set = (at: number, rows: readonly ConditionRow[]) =>
    setBlocks(rows.length === 0 ? blocks.toSpliced(at, 1) : blocks.with(at, [...rows]));
  return (
    <FormDialog
      title="Filter"
      action="Filter"
      wide
      onClose={onClose}
      onSubmit={() => {
        onConditions(conditions);
        return Promise.resolve();
      }}
    >
      {blocks.map((rows, at) => (
        <div key={at} class="card stack" role="group" aria-label={`Condition ${at + 1}`}>
          {rows.map((row, index) => (
            <Condition
              key={index}
              row={row}
              fields={fields}
              onRow={(next) =>
                set(at, next === undefined ? rows.toSpliced(index, 1) : rows.with(index, next))
              }
            />
          ))}
          <Button look="link" label={`Or, in condition ${at + 1}`} onClick={() => set(at, [...rows, blank])}>
            Or…
          </Button>
        </div>
      ))}
      <Button look="link" onClick={() => setBlocks([...blocks, [blank]])}>
        And…
      </Button>
      <BoundJson
        label="The filter as JSON"
        value={conditions}
        pointer=""
        print={textOfConditions}
        read={conditionsOfText}
        onValue={(next) => setBoth({ blocks: blocksOf(next), conditions: next })}
      />
    </FormDialog>
  );
}

interface ConditionProps {
  readonly row: ConditionRow;
  readonly fields: Fields;
  /** Told of another row, and of none where it goes. */
  readonly onRow: (row: ConditionRow | undefined) => void;
}

/** One condition. Without a field it is words, or JSON. */
function Condition({ row, fields, onRow }: ConditionProps) {
  const { field, operator, kind, value } = row;
  const setValue = (next: string) => onRow({ ...row, value: next });
  const setField = (next: string) =>
    onRow({
      ...{ ...row, field: next, kind: kindAt(next, fields) },
      operator: next === '' ? undefined : (operator ?? operatorOf('$eq')),
    });
  const understood = operator?.operand === 'value' ? kindOf(parsed(textOfValue(value, kind)) ?? null) : null;
  return (
    <div class="toolbar">
      <TextField
        label="Field"
        placeholder="any: words"
        value={field}
        onText={setField}
        suggestions={['id', ...fields.keys()]}
      />
      {operator && (
        <SelectField
          label="Operator"
          value={operator.name}
          options={operatorsFor(kind).map(({ name, sign, says }) => [name, `${sign} ${says}`] as const)}
          onValue={(name) => onRow({ ...row, operator: operatorOf(name) })}
        />
      )}
      {understood !== null && (
        <SelectField
          label="As"
          value={understood}
          options={[...new Set<KindName>([understood, 'string', 'number', 'date', 'id'])]}
          onValue={(next) => onRow({ ...row, kind: next })}
        />
      )}
      {understood === 'date' ? (
        <Field
          label="Value"
          control={(ties) => (
            <ScalarControl
              {...{ label: 'Value', ties, isReadOnly: false, value: wrap('date', value) }}
              onValue={(next) => setValue(textOf(next))}
            />
          )}
        />
      ) : (
        <TextField
          label="Value"
          required
          value={value}
          onText={setValue}
          suggestions={operator?.operand === 'boolean' ? ['true', 'false'] : seenIn(fields, field)}
        />
      )}
      <IconButton icon="trash" label="Remove this condition" onClick={() => onRow(undefined)} />
    </div>
  );
}

function seenIn(fields: Fields, field: string): readonly string[] {
  return [...(fields.get(field)?.seen ?? [])].map((text) => textOf(parsed(text) ?? text));
}

/** A string that reads as one without its quotes stands without them. */
function unquoted(row: ConditionRow): ConditionRow {
  const json = parsed(row.value);
  const isPlain = typeof json === 'string' && json !== '' && textOfValue(json, row.kind) === row.value;
  return isPlain ? { ...row, value: json } : row;
}

/** What the rows of a block say so far. */
function conditionOf(rows: readonly ConditionRow[]): Conditions {
  const [first, ...others] = rows.filter(({ value }) => value !== '').map(written);
  if (first === undefined) return [];
  return others.length === 0 ? [first] : [anyOf([first, ...others].map((each) => [each]))];
}

function textOfConditions(conditions: Conditions): string {
  const said = readExactly(filterOf(conditions) || '{}');
  return 'value' in said ? printed(said.value) : filterOf(conditions);
}

function conditionsOfText(text: string): Said<Conditions> {
  const said = readExactly(text);
  if ('error' in said) return said;
  return isMembers(said.value) ? { value: conditionsIn(said.value) } : { error: 'A filter is an object.' };
}
