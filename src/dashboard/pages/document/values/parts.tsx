/** An array or an object, as fields of its own or as JSON in its place. Long and deep ones begin as JSON. */
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { Json } from '../../../../client/values.ts';
import { isSame, member, withMember } from '../draft.ts';
import { AddField } from './add-field.tsx';
import { useForm } from './context.ts';
import { below, faultOfField } from './faults.ts';
import { InPlace } from './in-place.tsx';
import { isItems, isMembers, type Members } from './kinds.ts';
import { Row } from './row.tsx';
import type { PartsProps } from './props.ts';

/** How many parts are shown as fields, and how deep, before JSON is easier to read. */
const SHOWN_PARTS = 40;
const SHOWN_DEPTH = 3;
/** How many fields are shown before somebody wants all. */
const SHOWN_FIELDS = 150;

function Parts(props: PartsProps) {
  const { value, label, depth } = props;
  const count = isItems(value) ? value.length : isMembers(value) ? Object.keys(value).length : 0;
  const [asJson, setAsJson] = useState(count > SHOWN_PARTS || depth >= SHOWN_DEPTH);
  return (
    <>
      <p class="parts-head">
        <span class="soft">
          {count} {isItems(value) ? (count === 1 ? 'item' : 'items') : count === 1 ? 'field' : 'fields'}
        </span>
        <button
          class="link"
          type="button"
          aria-label={asJson ? `${label} as fields` : `${label} as JSON`}
          onClick={() => {
            setAsJson(!asJson);
          }}
        >
          {asJson ? 'As fields' : 'As JSON'}
        </button>
      </p>
      {asJson ? (
        <InPlace {...props} />
      ) : isItems(value) ? (
        <Items {...props} value={value} />
      ) : (
        isMembers(value) && <Fields {...props} value={value} />
      )}
    </>
  );
}

function Items({
  value,
  onValue,
  pointer,
  depth,
}: Omit<PartsProps, 'value'> & { readonly value: readonly Json[] }) {
  const { isReadOnly } = useForm();
  return (
    <div class="parts">
      {value.map((item, index) => (
        <Row
          Parts={Parts}
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
        <button
          class="link"
          type="button"
          onClick={() => {
            onValue([...value, blankLike(value.at(-1))]);
          }}
        >
          Add an item
        </button>
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

/** The fields of an object, and of a document. */
export function Fields({ value, onValue, pointer, depth, base }: FieldsProps) {
  const { isReadOnly } = useForm();
  const [showsAll, setShowsAll] = useState(false);
  const latest = useRef({ value, onValue });
  latest.current = { value, onValue };
  const onField = useCallback((name: string, next: Json | undefined) => {
    latest.current.onValue(withMember(latest.current.value, name, next));
  }, []);
  const fields = Object.entries(value);
  return (
    <div class={depth === 0 ? 'fields' : 'parts'}>
      {(showsAll ? fields : fields.slice(0, SHOWN_FIELDS)).map(([name, each]) => (
        <FieldRow
          key={name}
          name={name}
          pointer={below(pointer, name)}
          value={each}
          depth={depth + 1}
          isChanged={base !== undefined && !isSame(member(base, name), each)}
          onField={onField}
        />
      ))}
      {fields.length > SHOWN_FIELDS && !showsAll && (
        <button
          class="link"
          type="button"
          onClick={() => {
            setShowsAll(true);
          }}
        >
          Show all {fields.length.toLocaleString()} fields
        </button>
      )}
      {!isReadOnly && (
        <AddField
          faultOf={(name) =>
            Object.hasOwn(value, name)
              ? 'There is a field of this name.'
              : depth === 0
                ? faultOfField(name)
                : undefined
          }
          onAdd={(name, first) => {
            setShowsAll(true);
            onField(name, first);
          }}
        />
      )}
    </div>
  );
}

interface FieldRowProps {
  readonly name: string;
  readonly pointer: string;
  readonly value: Json;
  readonly depth: number;
  readonly isChanged: boolean;
  /** Stays the same: so only the field that is written is drawn again. */
  readonly onField: (name: string, value: Json | undefined) => void;
}

function FieldRow({ name, pointer, value, depth, isChanged, onField }: FieldRowProps) {
  return useMemo(
    () => (
      <Row
        Parts={Parts}
        name={name}
        pointer={pointer}
        value={value}
        depth={depth}
        isChanged={isChanged}
        onValue={(next) => {
          onField(name, next);
        }}
        onRemove={() => {
          onField(name, undefined);
        }}
      />
    ),
    [name, pointer, value, depth, isChanged, onField],
  );
}
