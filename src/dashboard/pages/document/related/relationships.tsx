/** The relationships of a document: followed by a click, linked by a search, unlinked; each to one or to many. */
import { useMemo, useState } from 'preact/hooks';
import type { Link } from '../../../../client/transport.ts';
import { Icon } from '../../../parts/icons.tsx';
import { TextField } from '../../../parts/field.tsx';
import { isList, isSame, linksOf, member, withMember, type Draft, type Linkage } from '../draft.ts';
import { useForm } from '../values/context.ts';
import { below, faultOfField } from '../values/faults.ts';
import { Choose } from './choose.tsx';
import { Linked } from './linked.tsx';
import { keyOfLink, useNames } from './names.ts';

/** How many links of a relationship are shown before somebody wants all. */
const SHOWN = 50;

interface RelationshipsProps {
  readonly draft: Draft;
  readonly base: Draft;
  readonly onDraft: (draft: Draft) => void;
}

export function Relationships({ draft, base, onDraft }: RelationshipsProps) {
  const { isReadOnly } = useForm();
  const { relationships } = draft;
  const shown = useMemo(
    () => Object.values(relationships).flatMap((data) => linksOf(data).slice(0, SHOWN)),
    [relationships],
  );
  const names = useNames(shown);
  const set = (name: string, data: Linkage | undefined) => {
    onDraft({ ...draft, relationships: withMember(relationships, name, data) });
  };
  return (
    <section class="form-part" aria-label="Relationships">
      <h2>Relationships</h2>
      <div class="fields">
        {Object.entries(relationships).map(([name, data]) => (
          <Relationship
            key={name}
            name={name}
            data={data}
            names={names}
            isChanged={!isSame(member(base.relationships, name), data)}
            onData={(next) => {
              set(name, next);
            }}
            onRemove={
              // What is stored keeps its name: it can be emptied.
              Object.hasOwn(base.relationships, name)
                ? undefined
                : () => {
                    set(name, undefined);
                  }
            }
          />
        ))}
        {Object.keys(relationships).length === 0 && <p class="soft">This document links to no other.</p>}
        {!isReadOnly && (
          <AddRelationship
            taken={[...Object.keys(relationships), ...Object.keys(draft.attributes)]}
            onAdd={(name, data) => {
              set(name, data);
            }}
          />
        )}
      </div>
    </section>
  );
}

interface RelationshipProps {
  readonly name: string;
  readonly data: Linkage;
  readonly names: ReturnType<typeof useNames>;
  readonly isChanged: boolean;
  readonly onData: (data: Linkage) => void;
  readonly onRemove: (() => void) | undefined;
}

function Relationship({ name, data, names, isChanged, onData, onRemove }: RelationshipProps) {
  const { faults, isReadOnly } = useForm();
  const [isChoosing, setChoosing] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const links = linksOf(data);
  const pointer = below('/relationships', name);
  const mine = faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
  const unlink = (link: Link) => {
    onData(isList(data) ? data.filter((each) => keyOfLink(each) !== keyOfLink(link)) : null);
  };
  return (
    <div class={isChanged ? 'value-row changed' : 'value-row'} role="group" aria-label={name}>
      <div class="value-name">
        <span class="value-label">{name}</span>
        <select
          class="kind"
          aria-label={`Size of ${name}`}
          value={isList(data) ? 'many' : 'one'}
          disabled={isReadOnly || (isList(data) && links.length > 1)}
          title={links.length > 1 ? 'Unlink all but one to have a relationship to one.' : ''}
          onChange={({ currentTarget }) => {
            onData(currentTarget.value === 'many' ? links : (links[0] ?? null));
          }}
        >
          <option value="one">to one</option>
          <option value="many">to many</option>
        </select>
      </div>
      <div class="value-body">
        <ul class="links">
          {(showsAll ? links : links.slice(0, SHOWN)).map((link) => (
            <li key={keyOfLink(link)}>
              <Linked link={link} {...names} />
              {!isReadOnly && (
                <button
                  class="bare"
                  type="button"
                  aria-label={`Unlink ${link.id} of ${name}`}
                  title="Unlink"
                  onClick={() => {
                    unlink(link);
                  }}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
          {links.length === 0 && <li class="soft">{isList(data) ? 'no links' : 'no link'}</li>}
        </ul>
        {links.length > SHOWN && !showsAll && (
          <button
            class="link"
            type="button"
            onClick={() => {
              setShowsAll(true);
            }}
          >
            Show all {links.length}
          </button>
        )}
        {!isReadOnly && (
          <button
            class="link"
            type="button"
            aria-label={`${links.length === 0 || isList(data) ? 'Link' : 'Change'} ${name}`}
            onClick={() => {
              setChoosing(true);
            }}
          >
            {links.length === 0 || isList(data) ? 'Link a document' : 'Change'}
          </button>
        )}
        {mine.length > 0 && <p class="field-error">{mine.map(({ message }) => message).join(' ')}</p>}
      </div>
      {onRemove !== undefined && !isReadOnly && (
        <button class="bare" type="button" aria-label={`Remove ${name}`} title="Remove" onClick={onRemove}>
          <Icon name="trash" />
        </button>
      )}
      {isChoosing && (
        <Choose
          title={`Link ${name}`}
          type={links[0]?.type ?? ''}
          onClose={() => {
            setChoosing(false);
          }}
          onChoose={(link) => {
            setChoosing(false);
            const others = links.filter((each) => keyOfLink(each) !== keyOfLink(link));
            onData(isList(data) ? [...others, link] : link);
          }}
        />
      )}
    </div>
  );
}

function AddRelationship({
  taken,
  onAdd,
}: {
  readonly taken: readonly string[];
  readonly onAdd: (name: string, data: Linkage) => void;
}) {
  const [name, setName] = useState<string>();
  if (name === undefined)
    return (
      <button
        class="link"
        type="button"
        onClick={() => {
          setName('');
        }}
      >
        Add a relationship
      </button>
    );
  const fault = taken.includes(name) ? 'There is a field of this name.' : faultOfField(name);
  const add = (data: Linkage) => {
    if (fault !== undefined) return;
    onAdd(name, data);
    setName(undefined);
  };
  return (
    <div
      class="add-field"
      role="group"
      aria-label="A new relationship"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setName(undefined);
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        event.preventDefault();
        add(null);
      }}
    >
      <TextField
        label="Name"
        value={name}
        onText={setName}
        error={name === '' ? undefined : fault}
        autofocus
      />
      {(
        [
          ['Add to one', null],
          ['Add to many', []],
        ] as const
      ).map(([words, data]) => (
        <button
          key={words}
          class="button"
          type="button"
          disabled={fault !== undefined}
          onClick={() => {
            add(data);
          }}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
