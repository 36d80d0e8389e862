/**
 * The filter bar: conditions as they are typed, completed from what is known of the type; and the same as a form and as
 * JSON, of which each writes the other.
 */
import { useId, useRef, useState } from 'preact/hooks';
import { Button, errorsOf, IconButton, Opener } from '../../../parts/button.tsx';
import { FormDialog } from '../../../parts/fields/dialog.tsx';
import { Field, LineInput, SelectField, TextField } from '../../../parts/fields/form.tsx';
import { isMembers, parsed, printed } from '../../../parts/fields/json.ts';
import { kindOf, textOf, wrap, type KindName } from '../../../parts/fields/kinds.ts';
import { Icon } from '../../../parts/icons.tsx';
import { useSlashFor } from '../../../parts/window.ts';
import { ScalarControl } from '../../document/controls.tsx';
import { readExactly, type Said } from '../../document/draft.ts';
import { BoundJson } from '../../document/value-row.tsx';
import { withNames, type Fields } from '../fields.ts';
import { filterOf, type Condition } from '../view.ts';
import {
  alternativesIn,
  anyOf,
  conditionsIn,
  conditionsOf,
  editedCondition,
  isCondition,
  kindAt,
  operatorOf,
  operatorsFor,
  partsOf,
  rowOf,
  shownCondition,
  suggestions,
  textOfValue,
  written,
  type ConditionRow,
} from './condition.ts';

interface FilterBarProps {
  readonly fields: Fields;
  readonly conditions: readonly Condition[];
  readonly onConditions: (conditions: readonly Condition[]) => void;
  /** What the service has refused: the conditions that it is about are marked. */
  readonly error: unknown;
  /** Told when it gets the focus: then it is time to know all names. */
  readonly onFocus: () => void;
}

/** A line of text with what may come next, and the same as a form. */
export function FilterBar({ fields: known, conditions, onConditions, error, onFocus }: FilterBarProps) {
  const fields = useNamed(known, conditions);
  const [text, setText] = useState('');
  /** Whether somebody has pressed Enter before there was a value. */
  const [isLacking, setLacking] = useState(false);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useSlashFor(input);
  const isFirst = conditions.length === 0;

  const write = (next: string) => {
    setText(next);
    setLacking(false);
  };
  const add = (typed: string) => {
    if (isCondition(typed, fields)) {
      onConditions([...conditions, ...conditionsOf(typed, fields)]);
      write('');
      return;
    }
    // The name of a field alone: its operators come next.
    write(fields.has(typed.trim()) ? `${typed.trim()} ` : text);
    setLacking(partsOf(`${typed.trim()} `, fields)?.operator !== undefined);
  };
  const drop = (at: number) => {
    onConditions(conditions.toSpliced(at, 1));
    input.current?.focus();
  };
  const edit = (at: number) => {
    const condition = conditions[at];
    if (condition === undefined) return;
    write(editedCondition(condition, fields));
    drop(at);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') add(text);
    else if (event.key === 'Backspace' && text === '' && !isFirst) edit(conditions.length - 1);
    else return;
    event.preventDefault();
  };
  return (
    <div role="search">
      <div class="filter-box">
        <Icon name="search" />
        {conditions.map((condition, index) => {
          const faults = faultsOf(error, condition);
          const shown = shownCondition(condition);
          return (
            <span key={`${index} ${condition.field}`} class={faults.length > 0 ? 'chip wrong' : 'chip'}>
              <button
                type="button"
                class="chip-text"
                title={faults.length > 0 ? faults.join('\n') : `filter[${condition.field}]=${condition.text}`}
                aria-label={`Change the condition ${shown}`}
                onClick={() => edit(index)}
              >
                {shown}
              </button>
              <IconButton icon="close" label={`Remove the condition ${shown}`} onClick={() => drop(index)} />
            </span>
          );
        })}
        <LineInput
          ref={input}
          list={id}
          aria-label="Filter"
          placeholder={isFirst ? 'Filter: year >= 1990, words to find, or JSON  ( / )' : 'and…'}
          value={text}
          onText={write}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        />
        <datalist id={id}>
          {suggestions(text, fields).map(([value, says]) => (
            <option key={value} value={value} label={says} />
          ))}
        </datalist>
        <Opener
          look="link"
          icon="menu"
          dialog={(close) => (
            <FilterForm fields={fields} conditions={conditions} onConditions={onConditions} onClose={close} />
          )}
        >
          Form
        </Opener>
      </div>
      <div role="alert">{isLacking && <p class="field-error">Type a value to compare with.</p>}</div>
    </div>
  );
}

/** What the service says of a condition. Two on one field share their parameter. */
function faultsOf(error: unknown, { field }: Condition): readonly string[] {
  return errorsOf(error)
    .filter((each) => each.source?.parameter === `filter[${field}]`)
    .map(({ detail, title }) => detail ?? title);
}

/** The fields with those of the conditions: what is changed in the bar stays a name, though no document may have it. */
function useNamed(known: Fields, conditions: readonly Condition[]): Fields {
  const names = useRef(new Set<string>());
  for (const { field } of conditions) if (field !== '*' && !field.endsWith('.id')) names.current.add(field);
  return withNames(
    known,
    [...names.current].map((name) => [name, 'null'] as const),
  );
}

type Conditions = readonly Condition[];

interface FilterFormProps {
  readonly fields: Fields;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
  readonly onClose: () => void;
}

/** The filter as a form and as JSON: each writes the other. All blocks must hold, and one row of each. */
function FilterForm({ fields, conditions: first, onConditions, onClose }: FilterFormProps) {
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
