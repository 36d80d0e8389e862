/** The relationships of a document: a click follows, a search links, each is to one or many. And what links here. */
import { useMemo } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { IconButton, Opener } from '../../parts/button.tsx';
import { Choose } from '../../parts/choose.tsx';
import { isMembers, isSame, member, stringIn, withMember } from '../../parts/json.ts';
import { fieldsOfNames, keyOfLink, Linked, nameOf, useNames, type Names } from '../../parts/names.tsx';
import { Problems } from '../../parts/problems.tsx';
import { wayTo } from '../../route.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { isList, linksOf, type Draft, type Linkage } from './draft.ts';
import { below, faultOfField } from './faults.ts';
import { useForm } from './form-context.ts';
import { AddNamed, KindSelect, useFirst, ValueRow } from './value-row.tsx';

/** How many links of a relationship are shown before somebody wants all. */
const SHOWN = 50;
/** How many documents are shown that link here. */
const SHOWN_INVERSES = 10;

interface RelationshipsProps {
  readonly draft: Draft;
  readonly base: Draft;
  readonly onDraft: (draft: Draft) => void;
}

export function Relationships({ draft, base, onDraft }: RelationshipsProps) {
  const { isReadOnly, isNew, shape } = useForm();
  const { relationships } = draft;
  const known = isNew ? [...shape.links.values()] : [];
  const all: Draft['relationships'] = {
    ...Object.fromEntries(known.map(({ name, isMany }) => [name, isMany ? [] : null])),
    ...relationships,
  };
  const shown = useMemo(
    () => Object.values(relationships).flatMap((data) => linksOf(data).slice(0, SHOWN)),
    [relationships],
  );
  const names = useNames(shown);
  const taken = [...Object.keys(relationships), ...Object.keys(draft.attributes)];
  const set = (name: string, data: Linkage | undefined) => {
    onDraft({ ...draft, relationships: withMember(relationships, name, data) });
  };
  return (
    <section class="form-part" aria-label="Relationships">
      <h2>Relationships</h2>
      <div class="fields">
        {Object.entries(all).map(([name, data]) => (
          <Relationship
            key={name}
            name={name}
            data={data}
            type={shape.links.get(name)?.type ?? ''}
            names={names}
            isChanged={Object.hasOwn(relationships, name) && !isSame(member(base.relationships, name), data)}
            onData={(next) => {
              set(name, next);
            }}
            onRemove={
              // What is stored keeps its name: it can be emptied.
              Object.hasOwn(base.relationships, name) || !Object.hasOwn(relationships, name)
                ? undefined
                : () => {
                    set(name, undefined);
                  }
            }
          />
        ))}
        {Object.keys(all).length === 0 && <p class="soft">No relationships.</p>}
        {!isReadOnly && (
          <AddNamed<Linkage>
            what="relationship"
            faultOf={(name) => (taken.includes(name) ? 'This field exists already.' : faultOfField(name))}
            choices={[
              ['Add to one', null],
              ['Add to many', []],
            ]}
            onAdd={set}
          />
        )}
      </div>
    </section>
  );
}

interface RelationshipProps {
  readonly name: string;
  readonly data: Linkage;
  /** The type that the search for a first link begins with. */
  readonly type: string;
  readonly names: Names;
  readonly isChanged: boolean;
  readonly onData: (data: Linkage) => void;
  readonly onRemove: (() => void) | undefined;
}

function Relationship({ name, data, type, names, isChanged, onData, onRemove }: RelationshipProps) {
  const { faults, isReadOnly } = useForm();
  const links = linksOf(data);
  const { shown, more } = useFirst(links, SHOWN);
  const pointer = below('/relationships', name);
  const without = (link: Link) => links.filter((each) => keyOfLink(each) !== keyOfLink(link));
  const isAdding = links.length === 0 || isList(data);
  return (
    <ValueRow
      name={name}
      isChanged={isChanged}
      faults={faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`))}
      onRemove={onRemove}
      kind={
        <KindSelect
          label={`Size of ${name}`}
          value={isList(data) ? 'many' : 'one'}
          options={[
            ['one', 'to one'],
            ['many', 'to many'],
          ]}
          disabled={isReadOnly || (isList(data) && links.length > 1)}
          title={links.length > 1 ? 'Unlink all but one first.' : ''}
          onKind={(kind) => {
            onData(kind === 'many' ? links : (links[0] ?? null));
          }}
        />
      }
    >
      <ul class="links">
        {shown.map((link) => (
          <li key={keyOfLink(link)}>
            <Linked link={link} {...names} />
            {!isReadOnly && (
              <IconButton
                icon="close"
                label={`Unlink ${link.id} of ${name}`}
                title="Unlink"
                onClick={() => {
                  onData(isList(data) ? without(link) : null);
                }}
              />
            )}
          </li>
        ))}
        {links.length === 0 && <li class="soft">{isList(data) ? 'no links' : 'no link'}</li>}
      </ul>
      {more}
      {!isReadOnly && (
        <Opener
          look="link"
          label={`${isAdding ? 'Link' : 'Change'} ${name}`}
          dialog={(close) => (
            <Choose
              title={`Link ${name}`}
              type={links[0]?.type ?? type}
              onClose={close}
              onChoose={(link) => {
                onData(isList(data) ? [...without(link), link] : link);
              }}
            />
          )}
        >
          {isAdding ? 'Link a document' : 'Change'}
        </Opener>
      )}
    </ValueRow>
  );
}

/** The settings of a type; undefined where it has none, or they may not be read. */
export function useSettings(type: string) {
  const query = { 'filter[name]': JSON.stringify(type) };
  const { value } = useLoad((signal) => list(pathOf('core.type'), query, signal), [type]);
  return value?.documents[0]?.attributes;
}

/** Documents that link to this one, as the settings of its type name them. */
export function Inverses({ link }: { readonly link: Link }) {
  const inverses = useSettings(link.type)?.['inverses'];
  if (!isMembers(inverses)) return null;
  return (
    <section class="form-part" aria-label="What links here">
      <h2>What links here</h2>
      <div class="fields">
        {Object.entries(inverses).map(([name, from]) => (
          <Linking
            key={name}
            name={name}
            from={isMembers(from) ? stringIn(from['type']) : ''}
            path={pathOf(link.type, link.id, name)}
          />
        ))}
      </div>
    </section>
  );
}

interface LinkingProps {
  readonly name: string;
  /** The type of those that link here. */
  readonly from: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** The first documents of a list of those that link here. */
export function Linking({ name, from, path, query }: LinkingProps) {
  const { value, error } = useLoad(
    (signal) =>
      list(path, { ...query, 'page[limit]': String(SHOWN_INVERSES), ...fieldsOfNames(from) }, signal),
    [path, name, from],
  );
  const { documents = [], count = 0 } = value ?? {};
  return (
    <ValueRow name={name} kind={<span class="soft">{from}</span>}>
      <Problems error={error} />
      <ul class="links">
        {documents.map((document) => (
          <li key={document.id}>
            <a href={wayTo(['documents', document.type, document.id])}>
              {nameOf(document) ?? <code>{document.id}</code>}
            </a>
          </li>
        ))}
        {value !== undefined && documents.length === 0 && <li class="soft">nothing you may read</li>}
      </ul>
      {count > documents.length && (
        <p class="soft">
          The first {documents.length} of {count.toLocaleString()}
        </p>
      )}
    </ValueRow>
  );
}
