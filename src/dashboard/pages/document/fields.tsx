/**
 * The fields of a document, and of what is in it: each with its name, its kind and a control of that kind. Arrays and
 * objects are fields again, or JSON in their place: long and deep ones begin as JSON.
 */
import { useCallback, useId, useRef, useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { faultOfNewFieldName } from '../../../domain/field-names.ts';
import { stepsOf } from '../../../domain/pointer.ts';
import { Button } from '../../parts/button.tsx';
import { Select, SelectField } from '../../parts/fields/form.tsx';
import {
  isItems,
  isMembers,
  isSame,
  member,
  printed,
  withMember,
  type Members,
} from '../../parts/fields/json.ts';
import { blankOf, converted, KINDS, kindOf, type KindName } from '../../parts/fields/kinds.ts';
import { useRows } from '../../parts/list.tsx';
import { stable } from '../../parts/stable.tsx';
import { ChoiceControl, Place, ScalarControl, useAsJson } from './controls.tsx';
import { below, readExactly } from './draft.ts';
import { KnownControl } from './known.tsx';
import { AddNamed, BoundJson, FormContext, useFirst, useForm, ValueRow } from './value-row.tsx';

/** How many parts are shown as fields, and how deep, before JSON is easier to read. */
const SHOWN_PARTS = 40;
const SHOWN_DEPTH = 3;
/** How many fields are shown before somebody wants all. */
const SHOWN_FIELDS = 150;

interface Spot<T> {
  readonly value: T;
  readonly onValue: (value: T) => void;
  readonly pointer: string;
  /** How many arrays and objects are around it. */
  readonly depth: number;
}

interface RowProps {
  /** Its name, or its place in a list. */
  readonly step: string;
  /** What it is called, if not by its name. */
  readonly words?: string;
  readonly value: Json;
  /** Told of another value, and of none where it is removed. It stays the same: only a written row is drawn again. */
  readonly onStep: (step: string, value: Json | undefined) => void;
  /** Of what it is in. */
  readonly around: string;
  readonly depth: number;
  readonly isChanged?: boolean;
  /** Whether the document does not have it: the value is what an empty control shows. */
  readonly isUnset?: boolean;
}

const Row = stable((props: RowProps) => {
  const { step, words = step, value, onStep, around, depth, isChanged = false, isUnset = false } = props;
  const id = useId();
  const form = useForm();
  const { faults, shape } = form;
  const pointer = below(around, step);
  const known = shape.fields.get(pathOf(pointer));
  const isComputed = depth === 1 && shape.computed.has(step);
  const isReadOnly = form.isReadOnly || isComputed;
  const mine = faults.filter((fault) => fault.pointer === pointer);
  const kind = form.isFixed ? (known?.kind ?? 'string') : kindOf(value);
  const isKnown = form.isFixed && kind !== 'object';
  const label = known?.title ?? (words === '' ? '(no name)' : words);
  const hasParts = !isKnown && (kind === 'object' || kind === 'array' || kind === 'geometry');
  const onValue = (next: Json) => onStep(step, form.isFixed && next === '' ? undefined : next);
  const spot = { label, value, onValue, pointer, depth };
  const control = {
    ...{ value, onValue, label, isReadOnly },
    ties: { id, ...(mine.length > 0 && { 'aria-describedby': `${id}-faults`, 'aria-invalid': true }) },
  };
  return (
    <ValueRow
      name={label}
      control={hasParts || known?.options ? undefined : id}
      isChanged={isChanged}
      faults={mine}
      onRemove={isUnset || isReadOnly || form.isFixed ? undefined : () => onStep(step, undefined)}
      hint={isComputed ? 'The service computes it.' : known?.hint}
      isRequired={isUnset && known?.isRequired === true}
      kind={
        form.isFixed ? null : (
          <Select
            class="kind"
            aria-label={`Kind of ${label}`}
            value={kind}
            options={KINDS}
            disabled={isReadOnly}
            onValue={(chosen) => onValue(converted(value, chosen))}
          />
        )
      }
    >
      {known?.choices !== undefined && !hasParts ? (
        <ChoiceControl {...control} choices={known.choices} isUnset={isUnset} mayGo={isKnown} />
      ) : kind === 'geometry' ? (
        <Place {...control} asText={<InPlace {...spot} />} />
      ) : isKnown && known ? (
        <KnownControl {...control} field={known} isUnset={isUnset} />
      ) : hasParts ? (
        <FormContext.Provider value={isComputed ? { ...form, isReadOnly } : form}>
          <Parts {...spot} />
        </FormContext.Provider>
      ) : (
        <ScalarControl {...control} format={known?.format} />
      )}
    </ValueRow>
  );
});

/** The place of a field in what is known of its type: `*` stands for each item of a list. */
function pathOf(pointer: string): string {
  const [, first = '', ...others] = stepsOf(pointer);
  return [first, ...others.map((step) => (/^\d+$/.test(step) ? '*' : step))].join('.');
}

interface PartsProps extends Spot<Json> {
  readonly label: string;
}

function Parts(props: PartsProps) {
  const { label, value, depth, ...spot } = props;
  const { isFixed } = useForm();
  const count = isItems(value) ? value.length : isMembers(value) ? Object.keys(value).length : 0;
  const { asJson, toggle } = useAsJson(label, 'fields', count > SHOWN_PARTS || depth >= SHOWN_DEPTH);
  if (isFixed && isMembers(value)) return <Fields {...spot} value={value} depth={depth} />;
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
        <InPlace {...props} />
      ) : isItems(value) ? (
        <Items {...spot} value={value} depth={depth} />
      ) : (
        isMembers(value) && <Fields {...spot} value={value} depth={depth} />
      )}
    </>
  );
}

/** A value as JSON in its place in a form. */
function InPlace({ label, ...spot }: Omit<PartsProps, 'depth'>) {
  return <BoundJson {...spot} label={`${label} as JSON`} print={printed} read={readExactly} />;
}

function Items({ value, onValue, pointer, depth }: Spot<readonly Json[]>) {
  const { isReadOnly } = useForm();
  const { rows, add } = useRows(value, onValue);
  return (
    <div class="parts">
      {rows.map(({ item, key, put, remove }, index) => (
        <Row
          key={key}
          step={String(index)}
          words={`item ${index + 1}`}
          around={pointer}
          value={item}
          depth={depth + 1}
          onStep={(_, next) => (next === undefined ? remove() : put(next))}
        />
      ))}
      {!isReadOnly && (
        // The next item is likely to be of the kind of the last.
        <Button look="link" onClick={() => add(converted(null, kindOf(value.at(-1) ?? '')))}>
          Add an item
        </Button>
      )}
    </div>
  );
}

interface FieldsProps extends Spot<Members> {
  /** What was read, where fields that differ from it are marked. */
  readonly base?: Members;
}

export function Fields({ value, onValue, pointer, depth, base }: FieldsProps) {
  const { isReadOnly, shape, isNew, isFixed } = useForm();
  const [kind, setKind] = useState<KindName>('string');
  const latest = useRef({ value, onValue });
  latest.current = { value, onValue };
  const onStep = useCallback(
    (name: string, next: Json | undefined) =>
      latest.current.onValue(withMember(latest.current.value, name, next)),
    [],
  );
  // The fields that the type is known to have come first: one that is filled in stays where it is.
  const around = depth === 0 ? '' : `${pathOf(pointer)}.`;
  const known = [...shape.fields.values()].flatMap((field) => {
    const name = field.name.startsWith(around) ? field.name.slice(around.length) : '.';
    return (isNew || isFixed) && !name.includes('.') && !shape.computed.has(field.name)
      ? [{ ...field, name }]
      : [];
  });
  // What own types do without a value is known; a default in a schema is not what is stored.
  const blanks = new Map(
    known.map(({ name, kind, schema }) => [name, (isFixed && schema?.['default']) || blankOf(kind)]),
  );
  const names = [...new Set([...blanks.keys(), ...(isFixed ? [] : Object.keys(value))])];
  const { shown, more, showAll } = useFirst(names, SHOWN_FIELDS, 'fields');
  const faultOf = (name: string) => {
    if (Object.hasOwn(value, name)) return 'This field exists already.';
    return depth === 0 ? faultOfNewFieldName(name) : undefined;
  };
  return (
    <div class={depth === 0 ? 'fields' : 'parts'}>
      {shown.map((name) => {
        const own = member(value, name);
        return (
          <Row
            key={name}
            step={name}
            around={pointer}
            value={own ?? blanks.get(name) ?? null}
            depth={depth + 1}
            isUnset={own === undefined}
            isChanged={own !== undefined && base !== undefined && !isSame(member(base, name), own)}
            onStep={onStep}
          />
        );
      })}
      {more}
      {!isReadOnly && !isFixed && (
        <AddNamed
          what="field"
          faultOf={faultOf}
          choices={[['Add', kind]]}
          onAdd={(name) => {
            showAll();
            onStep(name, converted(null, kind));
          }}
        >
          <SelectField label="Kind" value={kind} options={KINDS} onValue={setKind} />
        </AddNamed>
      )}
    </div>
  );
}
