/**
 * The fields of a document, and of what is in it: each with its name, its kind and a control of that kind. Arrays and
 * objects are fields again, or JSON in their place: long and deep ones begin as JSON.
 */
import { useCallback, useId, useRef, useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { faultOfNewFieldName } from '../../../domain/field-names.ts';
import { Button } from '../../parts/button.tsx';
import { Select, SelectField } from '../../parts/form.tsx';
import { isItems, isMembers, isSame, member, printed, withMember, type Members } from '../../parts/json.ts';
import { converted, KINDS, kindOf, type Kind } from '../../parts/kinds.ts';
import { stable } from '../../parts/stable.tsx';
import { ChoiceControl, Place, ScalarControl, useAsJson } from './controls.tsx';
import { below, readExactly } from './draft.ts';
import { BLANKS, type Shape } from './shape.ts';
import { AddNamed, BoundJson, useFirst, useForm, ValueRow } from './value-row.tsx';

/** How many parts are shown as fields, and how deep, before JSON is easier to read. */
const SHOWN_PARTS = 40;
const SHOWN_DEPTH = 3;
/** How many fields are shown before somebody wants all. */
const SHOWN_FIELDS = 150;

interface RowProps {
  /** What the field is called where it stands. */
  readonly name: string;
  readonly pointer: string;
  readonly value: Json;
  readonly onValue: (value: Json) => void;
  readonly onRemove: () => void;
  /** How many arrays and objects are around it. */
  readonly depth: number;
  readonly isChanged?: boolean;
  /** Whether the document does not have it: the value is what an empty control shows. */
  readonly isUnset?: boolean;
}

function Row(props: RowProps) {
  const { name, pointer, value, onValue, onRemove, depth, isChanged = false, isUnset = false } = props;
  const id = useId();
  const { faults, isReadOnly, shape } = useForm();
  const known = depth === 1 ? shape.fields.get(name) : undefined;
  const mine = faults.filter((fault) => fault.pointer === pointer);
  const kind = kindOf(value);
  const shown = known?.title ?? (name === '' ? '(no name)' : name);
  const choices = known?.choices;
  const hasParts = kind === 'object' || kind === 'array' || kind === 'geometry';
  const control = {
    value,
    onValue,
    label: shown,
    ties: { id, ...(mine.length > 0 && { 'aria-describedby': `${id}-faults`, 'aria-invalid': true }) },
    isReadOnly,
  };
  return (
    <ValueRow
      name={shown}
      control={hasParts ? undefined : id}
      isChanged={isChanged}
      faults={mine}
      onRemove={isUnset ? undefined : onRemove}
      hint={known?.hint}
      isRequired={isUnset && known?.isRequired === true}
      kind={
        <Select
          class="kind"
          aria-label={`Kind of ${shown}`}
          value={kind}
          options={KINDS}
          disabled={isReadOnly}
          onValue={(chosen) => {
            onValue(converted(value, chosen));
          }}
        />
      }
    >
      {choices !== undefined && !hasParts ? (
        <ChoiceControl {...control} choices={choices} isUnset={isUnset} />
      ) : kind === 'geometry' ? (
        <Place
          {...control}
          asText={<InPlace label={shown} value={value} onValue={onValue} pointer={pointer} />}
        />
      ) : hasParts ? (
        <Parts label={shown} value={value} onValue={onValue} pointer={pointer} depth={depth} />
      ) : (
        <ScalarControl {...control} />
      )}
    </ValueRow>
  );
}

interface PartsProps {
  readonly label: string;
  readonly value: Json;
  readonly onValue: (value: Json) => void;
  readonly pointer: string;
  readonly depth: number;
}

function Parts(props: PartsProps) {
  const { label, value, onValue, pointer, depth } = props;
  const count = isItems(value) ? value.length : isMembers(value) ? Object.keys(value).length : 0;
  const { asJson, toggle } = useAsJson(label, 'fields', count > SHOWN_PARTS || depth >= SHOWN_DEPTH);
  return (
    <>
      <p class="row">
        <span class="soft">
          {count} {isItems(value) ? 'item' : 'field'}
          {count !== 1 && 's'}
        </span>
        {toggle}
      </p>
      {asJson ? (
        <InPlace label={label} value={value} onValue={onValue} pointer={pointer} />
      ) : isItems(value) ? (
        <Items {...props} value={value} />
      ) : (
        isMembers(value) && <Fields value={value} onValue={onValue} pointer={pointer} depth={depth} />
      )}
    </>
  );
}

/** A value as JSON in its place in a form. */
function InPlace({ label, value, onValue, pointer }: Omit<PartsProps, 'depth'>) {
  return (
    <BoundJson
      label={`${label} as JSON`}
      value={value}
      pointer={pointer}
      print={printed}
      read={readExactly}
      onValue={onValue}
    />
  );
}

interface ItemsProps extends Omit<PartsProps, 'value'> {
  readonly value: readonly Json[];
}

function Items({ value, onValue, pointer, depth }: ItemsProps) {
  const { isReadOnly } = useForm();
  return (
    <div class="parts">
      {value.map((item, index) => (
        <Row
          key={index}
          name={`item ${index + 1}`}
          pointer={below(pointer, index)}
          value={item}
          depth={depth + 1}
          onValue={(next) => {
            onValue(value.with(index, next));
          }}
          onRemove={() => {
            onValue(value.toSpliced(index, 1));
          }}
        />
      ))}
      {!isReadOnly && (
        <Button
          look="link"
          onClick={() => {
            onValue([...value, blankLike(value.at(-1))]);
          }}
        >
          Add an item
        </Button>
      )}
    </div>
  );
}

/** The next item of a list is likely to be of the kind of the last. */
function blankLike(last: Json | undefined): Json {
  if (isItems(last)) return [];
  if (typeof last === 'number') return 0;
  if (typeof last === 'boolean') return false;
  return isMembers(last) && !Object.keys(last).some((name) => name.startsWith('$')) ? {} : '';
}

interface FieldsProps {
  readonly value: Members;
  readonly onValue: (value: Members) => void;
  readonly pointer: string;
  readonly depth: number;
  /** What was read, where fields that differ from it are marked. */
  readonly base?: Members;
}

export function Fields({ value, onValue, pointer, depth, base }: FieldsProps) {
  const { isReadOnly, shape, isNew } = useForm();
  const [kind, setKind] = useState<Kind>('string');
  const latest = useRef({ value, onValue });
  latest.current = { value, onValue };
  const onField = useCallback((name: string, next: Json | undefined) => {
    latest.current.onValue(withMember(latest.current.value, name, next));
  }, []);
  const { shown, more, showAll } = useFirst(
    isNew && depth === 0 ? knownFirst(value, shape) : entriesOf(value),
    SHOWN_FIELDS,
    'fields',
  );
  const faultOf = (name: string) => {
    if (Object.hasOwn(value, name)) return 'This field exists already.';
    return depth === 0 ? faultOfNewFieldName(name) : undefined;
  };
  return (
    <div class={depth === 0 ? 'fields' : 'parts'}>
      {shown.map(({ name, value: each, isUnset }) => (
        <FieldRow
          key={name}
          name={name}
          pointer={below(pointer, name)}
          value={each}
          depth={depth + 1}
          isUnset={isUnset}
          isChanged={!isUnset && base !== undefined && !isSame(member(base, name), each)}
          onField={onField}
        />
      ))}
      {more}
      {!isReadOnly && (
        <AddNamed
          what="field"
          faultOf={faultOf}
          choices={[['Add', kind]]}
          onAdd={(name) => {
            showAll();
            onField(name, converted(kind === 'string' ? '' : null, kind));
          }}
        >
          <SelectField label="Kind" value={kind} options={KINDS} onValue={setKind} />
        </AddNamed>
      )}
    </div>
  );
}

interface Entry {
  readonly name: string;
  readonly value: Json;
  readonly isUnset: boolean;
}

function entriesOf(value: Members): readonly Entry[] {
  return Object.entries(value).map(([name, each]) => ({ name, value: each, isUnset: false }));
}

/** The fields that the type is known to have, and then others: one that is filled in stays where it is. */
function knownFirst(value: Members, { fields }: Shape): readonly Entry[] {
  const known = [...fields.values()].map(({ name, kind }) =>
    Object.hasOwn(value, name)
      ? { name, value: value[name] ?? null, isUnset: false }
      : { name, value: BLANKS[kind] ?? '', isUnset: true },
  );
  return [...known, ...entriesOf(value).filter(({ name }) => !fields.has(name))];
}

interface FieldRowProps extends Omit<RowProps, 'onValue' | 'onRemove'> {
  /** Stays the same: so only the field that is written is drawn again. */
  readonly onField: (name: string, value: Json | undefined) => void;
}

const FieldRow = stable(({ onField, ...row }: FieldRowProps) => (
  <Row
    {...row}
    onValue={(next) => {
      onField(row.name, next);
    }}
    onRemove={() => {
      onField(row.name, undefined);
    }}
  />
));
