/** An array or an object, as fields of its own or as JSON in its place. Long and deep ones begin as JSON. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../../client/values.ts';
import { member, withMember } from '../draft.ts';
import { AddField } from './add-field.tsx';
import { useForm } from './context.ts';
import { below, faultOfField } from './faults.ts';
import { InPlace } from './in-place.tsx';
import { isItems, isMembers, type Members } from './kinds.ts';
import { Row } from './row.tsx';
import type { ControlProps } from './scalars.tsx';

/** How many parts are shown as fields, and how deep, before JSON is easier to read. */
const SHOWN_PARTS = 40;
const SHOWN_DEPTH = 3;

export interface PartsProps extends ControlProps {
  readonly pointer: string;
  readonly depth: number;
}

export function Parts(props: PartsProps) {
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
  return (
    <div class={depth === 0 ? 'fields' : 'parts'}>
      {Object.entries(value).map(([name, each]) => (
        <Row
          key={name}
          name={name}
          pointer={below(pointer, name)}
          value={each}
          depth={depth + 1}
          isChanged={base !== undefined && JSON.stringify(member(base, name)) !== JSON.stringify(each)}
          onValue={(next) => {
            onValue(withMember(value, name, next));
          }}
          onRemove={() => {
            onValue(withMember(value, name, undefined));
          }}
        />
      ))}
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
            onValue(withMember(value, name, first));
          }}
        />
      )}
    </div>
  );
}
