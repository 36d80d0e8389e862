/** Schemas by the type that they are for, each as a form and JSON, and settings of types (docs/types.md). */
import { useEffect } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { checkSchema } from '../../../schema/check.ts';
import { notify, RunButton } from '../../parts/button.tsx';
import { ID_COLUMN, nameColumn, NewLink } from '../../parts/collection.tsx';
import { isMembers, parsed, stringIn, withMember, type Members } from '../../parts/fields/json.ts';
import { ID } from '../../parts/fields/kinds.ts';
import { Content, LoadedTable, Page, type Column } from '../../parts/page.tsx';
import { route, wayTo, type PageProps } from '../../route.ts';
import { BASE, list, useLoad } from '../../session/service.ts';
import { readTitles, readTypes } from '../../session/types.ts';
import { Document } from '../document/document.tsx';
import { printedPlainly, readExactly, readMembers } from '../document/draft.ts';
import { ownPage } from '../document/own.tsx';
import { SETTINGS, storedSettings } from '../document/shape.ts';
import { sortOf, type Open } from '../document/stored.ts';
import { BoundJson } from '../document/value-row.tsx';
import { ByForm, completeSchema } from './by-form.tsx';
import { Count } from './count.tsx';
import { schemaFrom } from './infer.ts';

/** How many documents a draft is made from. */
const SAMPLE = 200;

const BLANK: Json = {
  type: 'object',
  required: ['attributes'],
  properties: { attributes: { type: 'object', properties: {} } },
};

const targetIn = ({ draft }: Open) => stringIn(draft.attributes['target']);

const withContent = ({ draft }: Open, content: Json) => ({
  ...draft,
  attributes: { ...draft.attributes, content },
});

const TARGETS = 'A type of documents, or core.user, core.external-user, core.user-group.';

const SCHEMAS = sortOf('core.schema', {
  title: ({ target }) => stringIn(target) || undefined,
  known: { target: { title: 'Type', description: TARGETS } },
  check: ({ content = {} }) =>
    checkSchema(parsed(printedPlainly(content))).map(({ pointer, detail }) => ({
      pointer: `/attributes/content${pointer}`,
      message: detail,
    })),
  deletion: 'Writes are no longer checked against it.',
  saved: 'Saved. Every write must now satisfy it.',
  actions: (open) => <RunButton work={() => drafted(open)}>Draft from documents</RunButton>,
  form: (open) => {
    const { content = {} } = open.draft.attributes;
    const set = (next: Json) => open.setDraft(withContent(open, next));
    return (
      <div key={open.turn} class="stack">
        <ByForm content={content} onContent={set} />
        <BoundJson<Json>
          label="Schema as JSON"
          value={content}
          pointer="/attributes/content"
          print={printedPlainly}
          read={readExactly}
          complete={completeSchema}
          onValue={set}
        />
        <p class="hint">
          It looks at <code>attributes</code> and <code>relationships</code> of the whole document. Ctrl-Space
          offers keywords.
        </p>
      </div>
    );
  },
  below: (open) => (
    <Count type={targetIn(open)} text={printedPlainly(open.draft.attributes['content'] ?? {})} />
  ),
});

/** Writes what all of some documents satisfy in the place of what is there. */
async function drafted(open: Open): Promise<void> {
  const target = targetIn(open);
  const query = { 'page[size]': String(SAMPLE), 'page[after]': '', 'page[count]': 'false' };
  const { documents } = await list(pathOf(target), query);
  if (documents.length === 0) throw new Error(`There are no documents of type ${target} yet.`);
  // What is drafted is JSON.
  const undo = open.show(withContent(open, schemaFrom(documents) as Json));
  notify(`Drafted from ${documents.length} documents. Remove what is only by chance.`, undo);
}

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('For', ({ attributes }) => stringIn(attributes?.['target'])),
  {
    head: 'Fields',
    class: 'soft wrap',
    cell: ({ attributes }) => fieldsOf(attributes?.['content']).join(', '),
  },
  ID_COLUMN,
];

const SchemasPage = ownPage(
  SCHEMAS,
  {
    lead: 'Every write must satisfy the JSON Schemas of its type.',
    query: { sort: 'target' },
    actions: () => (
      <>
        <a class="button" href={wayTo(['schemas', 'settings', 'new'])}>
          New type
        </a>
        <NewLink steps={SCHEMAS.steps}>New schema</NewLink>
      </>
    ),
    below: <SettingsList />,
    empty: { title: 'No schemas yet.', children: <p>A schema can be drafted from stored documents.</p> },
    show: COLUMNS,
  },
  () => ({ attributes: { target: route.value.query.get('target') ?? '', content: BLANK } }),
);

export default function Schemas({ steps: [id, type] }: PageProps) {
  if (id !== 'settings') return <SchemasPage steps={id === undefined ? [] : [id]} />;
  return type === undefined ? <SchemasPage steps={[]} /> : <SettingsPage key={type} of={type} />;
}

/** The names of the attributes and relationships that a schema tells of. */
function fieldsOf(content: unknown): readonly string[] {
  const parts = propertiesOf(content);
  return ['attributes', 'relationships'].flatMap((part) => Object.keys(propertiesOf(parts[part])));
}

function propertiesOf(schema: unknown) {
  const properties = isMembers(schema) ? schema['properties'] : undefined;
  return isMembers(properties) ? properties : {};
}

/** Each type that is there, or has settings. */
interface TypeSettings {
  readonly name: string;
  readonly settings: readonly string[];
}

async function readAll(signal: AbortSignal): Promise<readonly TypeSettings[]> {
  const [{ documents }, types] = await Promise.all([
    list(pathOf(SETTINGS), { 'page[size]': '1000', sort: 'name' }, signal),
    readTypes(signal).catch(() => []),
  ]);
  const stored = new Map(documents.map((each) => [stringIn(each.attributes?.['name']), each]));
  const names = new Set([...stored.keys(), ...types.map(({ name }) => name)]);
  return [...names].sort().map((name) => {
    const { name: _, ...settings } = stored.get(name)?.attributes ?? {};
    return { name, settings: Object.keys(settings).filter((each) => settings[each] !== null) };
  });
}

const SETTINGS_COLUMNS: readonly Column<TypeSettings>[] = [
  {
    head: 'Type',
    class: 'name-cell',
    cell: ({ name }) => <a href={wayTo(['schemas', 'settings', name])}>{name}</a>,
  },
  {
    head: 'Settings',
    class: 'soft wrap',
    cell: ({ settings }) => settings.join(', ') || 'none',
  },
];

function SettingsList() {
  const all = useLoad(readAll, []);
  if (all.value?.length === 0) return null;
  return (
    <>
      <h2>Settings of types</h2>
      <LoadedTable of={all} what="settings" columns={SETTINGS_COLUMNS} empty={null} />
    </>
  );
}

const SORT = sortOf(SETTINGS, {
  title: ({ name }) => (name === undefined ? 'A new type' : `Settings of ${stringIn(name)}`),
  known: { name: { title: 'Type', description: 'A first document makes a type as well.' } },
  saved: 'Saved. They apply to every write from now on.',
  form: (open) => <Settings key={open.turn} open={open} />,
});

/** By the name of the type, or by their id. */
function SettingsPage({ of }: { readonly of: string }) {
  const isId = of === 'new' || ID.test(of);
  const id = useLoad(
    async (signal) => (isId ? of : ((await storedSettings(of, signal))?.document.id ?? 'new')),
    [of],
  );
  if (id.value !== undefined)
    return <Document sort={SORT} id={id.value} blank={isId ? {} : { attributes: { name: of } }} />;
  return (
    <Page title={`Settings of ${of}`} above={<a href={wayTo(SORT.steps)}>{SORT.all}</a>}>
      <Content of={id} what="settings">
        {() => null}
      </Content>
    </Page>
  );
}

function Settings({ open: { base, draft, setDraft } }: { readonly open: Open }) {
  const { name, ...settings } = draft.attributes;
  // They say what documents are called by.
  useEffect(() => void readTitles(), [base.etag]);
  return (
    <div>
      <BoundJson<Members>
        label="Settings as JSON"
        value={settings}
        pointer="/attributes"
        print={printedPlainly}
        read={readMembers}
        onValue={(next) => setDraft({ ...draft, attributes: withMember(next, 'name', name) })}
      />
      <p class="hint">
        Stored documents must obey. If one does not, nothing is changed, and the error names it.{' '}
        <a href={`${BASE}/docs/types`}>Which settings there are</a>
      </p>
    </div>
  );
}
