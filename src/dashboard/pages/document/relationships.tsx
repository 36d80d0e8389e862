/**
 * The relationships of a document: a click follows, a search links, each is to one or many. What links
 * here; and the content of a file, with what uses it.
 */
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { faultOfNewFieldName } from '../../../domain/field-names.ts';
import { IconButton, Opener, Problems, RunButton } from '../../parts/button.tsx';
import { Select } from '../../parts/fields/form.tsx';
import {
  faultsIn,
  isItems,
  isMembers,
  isSame,
  member,
  stringIn,
  withMember,
} from '../../parts/fields/json.ts';
import { Choose, fieldsOfNames, keyOfLink, Linked, nameOf } from '../../parts/fields/names.tsx';
import { download, Picture, wordsOfFile, type Seen } from '../../parts/files.tsx';
import { countText } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { files } from '../../session/files.ts';
import { list, useLoad } from '../../session/service.ts';
import { titlesRead } from '../../session/types.ts';
import { below, linksOf, type Draft, type Linkage } from './draft.ts';
import { linkingTo, readSettings, SETTINGS, type Way } from './shape.ts';
import type { Open } from './stored.ts';
import { AddNamed, useFirst, useForm, ValueRow } from './value-row.tsx';
import { isList } from '../../../domain/values/tree.ts';

/** How many links of a relationship are shown before somebody wants all. */
const SHOWN = 50;
const SHOWN_INVERSES = 10;

export function Relationships({ open }: { readonly open: Open }) {
  const { isReadOnly, isNew, isFixed, shape } = useForm();
  const { draft, setDraft } = open;
  const stored = open.base.draft.relationships;
  const { relationships } = draft;
  const known = isNew || isFixed ? [...shape.links.values()] : [];
  const all: Draft['relationships'] = {
    ...Object.fromEntries(known.map(({ name, isMany }) => [name, isMany ? [] : null])),
    ...relationships,
  };
  const taken = [...Object.keys(relationships), ...Object.keys(draft.attributes)];
  const set = (name: string, data: Linkage | undefined) =>
    setDraft({ ...draft, relationships: withMember(relationships, name, data) });
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
            isChanged={Object.hasOwn(relationships, name) && !isSame(member(stored, name), data)}
            onData={(next) => set(name, next)}
            onRemove={
              // What is stored keeps its name: it can be emptied.
              Object.hasOwn(stored, name) || !Object.hasOwn(relationships, name)
                ? undefined
                : () => set(name, undefined)
            }
          />
        ))}
        {Object.keys(all).length === 0 && <p class="soft">No relationships.</p>}
        {!isReadOnly && !isFixed && (
          <AddNamed<Linkage>
            what="relationship"
            faultOf={(name) =>
              taken.includes(name) ? 'This field exists already.' : faultOfNewFieldName(name)
            }
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
  readonly isChanged: boolean;
  readonly onData: (data: Linkage) => void;
  readonly onRemove: (() => void) | undefined;
}

function Relationship({ name, data, type, isChanged, onData, onRemove }: RelationshipProps) {
  const { faults, isReadOnly } = useForm();
  const links = linksOf(data);
  const { shown, more } = useFirst(links, SHOWN);
  const without = (link: Link) => links.filter((each) => keyOfLink(each) !== keyOfLink(link));
  const isAdding = links.length === 0 || isList(data);
  return (
    <ValueRow
      name={name}
      isChanged={isChanged}
      faults={faultsIn(faults, below('/relationships', name))}
      onRemove={onRemove}
      kind={
        <Select
          class="kind"
          aria-label={`Size of ${name}`}
          value={isList(data) ? 'many' : 'one'}
          options={[
            ['one', 'to one'],
            ['many', 'to many'],
          ]}
          disabled={isReadOnly || (isList(data) && links.length > 1)}
          title={links.length > 1 ? 'Unlink all but one first.' : ''}
          onValue={(kind) => onData(kind === 'many' ? links : (links[0] ?? null))}
        />
      }
    >
      <ul>
        {shown.map((link) => (
          <li key={keyOfLink(link)} class="row">
            <Linked link={link} />
            {!isReadOnly && (
              <IconButton
                icon="close"
                label={`Unlink ${link.id} of ${name}`}
                title="Unlink"
                onClick={() => onData(isList(data) ? without(link) : null)}
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
              onChoose={(link) => onData(isList(data) ? [...without(link), link] : link)}
            />
          )}
        >
          {isAdding ? 'Link' : 'Change'}
        </Opener>
      )}
    </ValueRow>
  );
}

/** The settings of a type; undefined where it has none, or they may not be read. */
export function useSettings(type: string) {
  return useLoad((signal) => readSettings(type, signal), [type]).value;
}

/** Documents that link to this one, as the settings of its type name them. */
export function Inverses({ link }: { readonly link: Link }) {
  const inverses = useSettings(link.type)?.['inverses'];
  const lists = Object.entries(isMembers(inverses) ? inverses : {}).map(([name, from]) => ({
    name,
    from: isMembers(from) ? stringIn(from['type']) : '',
    path: pathOf(link.type, link.id, name),
  }));
  return <LinkingHere title="What links here" lists={lists} />;
}

function LinkingHere({ title, lists }: { readonly title: string; readonly lists: readonly LinkingProps[] }) {
  if (lists.length === 0) return null;
  return (
    <section class="form-part" aria-label={title}>
      <h2>{title}</h2>
      <div class="fields">
        {lists.map((each) => (
          <Linking key={`${each.from} ${each.name}`} {...each} />
        ))}
      </div>
    </section>
  );
}

interface LinkingProps {
  readonly name: string;
  readonly from: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** The first documents of a list of those that link here. */
function Linking({ name, from, path, query }: LinkingProps) {
  const { value, error } = useLoad(
    async (signal) => {
      await titlesRead();
      const few = { 'page[limit]': String(SHOWN_INVERSES), ...fieldsOfNames(from) };
      return list(path, { ...query, ...few }, signal);
    },
    [path, name, from],
  );
  const { documents = [], count = 0 } = value ?? {};
  return (
    <ValueRow name={name} kind={<span class="soft">{from}</span>}>
      <Problems error={error} />
      <ul>
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
          The first {documents.length} of {countText(count)}
        </p>
      )}
    </ValueRow>
  );
}

/** The content of a file on its page: a look at it, saving it, and which documents use it. */
export function FileContent({ file }: { readonly file: Seen }) {
  const name = nameOf(file) ?? '';
  const { value: href } = useLoad(async () => {
    const { value: own } = files;
    return own.url(file, { width: 1024 }).catch(() => own.url(file));
  }, [file.id]);
  return (
    <>
      <section class="form-part" aria-label="Content">
        <h2>Content</h2>
        <div class="file-content stack">
          <Picture file={file} href={href} alt={name} />
          <p class="soft">{wordsOfFile(file)}</p>
          <RunButton
            icon="down"
            work={async () => download(await files.value.url(file, { download: true }), name)}
          >
            Download
          </RunButton>
        </div>
      </section>
      <Users file={file} />
    </>
  );
}

/** The documents that have a file, by relationships that settings or schemas name as leading to files. */
function Users({ file: { type, id } }: { readonly file: Link }) {
  const { value: lists = [] } = useLoad(
    async (signal) => {
      const said = [fromSettings(signal), linkingTo(type, signal)].map((each) => each.catch(() => []));
      const ways = (await Promise.all(said)).flat();
      const query = (name: string) => ({ 'filter[*]': JSON.stringify({ [`${name}.id`]: { $oid: id } }) });
      const known = ways.map((way) => [keyOfLink({ type: way.from, id: way.name }), way] as const);
      return [...new Map(known).values()].map(({ from, name }) => ({
        ...{ name, from, path: pathOf(from), query: query(name) },
      }));
    },
    [type, id],
  );
  return <LinkingHere title="What uses this file" lists={lists} />;
}

async function fromSettings(signal: AbortSignal): Promise<readonly Way[]> {
  const query = { 'filter[files]': '{"$exists":true}', 'page[limit]': '50' };
  const { documents } = await list(pathOf(SETTINGS), query, signal);
  return documents.flatMap(({ attributes: { name: from, files: names } = {} }) =>
    isItems(names) ? names.map((name) => ({ from: stringIn(from), name: stringIn(name) })) : [],
  );
}
