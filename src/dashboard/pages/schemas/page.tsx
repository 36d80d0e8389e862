/** Schemas by the type that they are for, and new ones; settings of types. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Collection, ID_COLUMN, nameColumn } from '../../parts/collection.tsx';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { isMembers, stringIn } from '../../parts/fields/json.ts';
import { LoadedTable, type Column } from '../../parts/table.tsx';
import { go, route, wayTo, type PageProps } from '../../route.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { readTypes, useTypeNames } from '../../session/types.ts';
import { SETTINGS } from '../document/shape.ts';
import { BlankSchema, SCHEMA, SchemaPage } from './schema.tsx';
import { settingsIn, SettingsPage } from './settings.tsx';

const STEPS = ['schemas'];

export default function Schemas({ steps: [id, type] }: PageProps) {
  const target = route.value.query.get('target') ?? '';
  if (id === undefined || (id === 'new' && target === '')) return <AllSchemas />;
  if (id === 'settings' && type !== undefined) return <SettingsPage key={type} type={type} />;
  return id === 'new' ? <BlankSchema key={target} target={target} /> : <SchemaPage key={id} id={id} />;
}

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('For', STEPS, ({ attributes }) => stringIn(attributes?.['target'])),
  {
    head: 'Fields',
    class: 'soft wrap',
    cell: ({ attributes }) => fieldsOf(attributes?.['content']).join(', '),
  },
  ID_COLUMN,
];

function AllSchemas() {
  return (
    <Collection
      title="Schemas"
      lead="Every write must satisfy the JSON Schemas of its type."
      type={SCHEMA}
      what="schemas"
      query={{ sort: 'target' }}
      actions={() => (
        <>
          <OfType
            words="New type"
            title="What is the type called?"
            action="Write its settings"
            hint="A first document makes a type as well."
            way={(type) => wayTo(['schemas', 'settings', type])}
          />
          <NewSchema look="primary" icon="add">
            New schema
          </NewSchema>
        </>
      )}
      below={<SettingsList />}
      empty={{
        title: 'No schemas yet.',
        children: () => (
          <>
            <p>A schema can be drafted from stored documents.</p>
            <NewSchema>Create the first schema</NewSchema>
          </>
        ),
      }}
      show={COLUMNS}
    />
  );
}

interface NewSchemaProps {
  readonly look?: 'primary';
  readonly icon?: 'add';
  readonly children: string;
}

function NewSchema({ children, ...button }: NewSchemaProps) {
  const suggestions = useTypeNames();
  return (
    <OfType
      {...button}
      words={children}
      title="A schema for which type?"
      action="Write it"
      hint="A type of documents, or core.user, core.external-user, core.user-group."
      suggestions={suggestions}
      way={(target) => wayTo(['schemas', 'new'], { target })}
    />
  );
}

interface OfTypeProps extends Omit<NewSchemaProps, 'children'> {
  readonly words: string;
  readonly title: string;
  readonly action: string;
  readonly hint: string;
  readonly suggestions?: readonly string[];
  readonly way: (type: string) => string;
}

/** A button that asks for the name of a type and leads on. */
function OfType({ hint, suggestions = [], way, ...button }: OfTypeProps) {
  return (
    <FormButton
      {...button}
      fields={[{ name: 'type', label: 'Type', hint, required: true, autofocus: true, suggestions }]}
      onSubmit={({ type }) => {
        go(way(type.trim()));
        return Promise.resolve();
      }}
    />
  );
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
interface Settings {
  readonly name: string;
  readonly settings: readonly string[];
}

async function readAll(signal: AbortSignal): Promise<readonly Settings[]> {
  const [{ documents }, types] = await Promise.all([
    list(pathOf(SETTINGS), { 'page[size]': '1000', sort: 'name' }, signal),
    readTypes(signal).catch(() => []),
  ]);
  const stored = new Map(documents.map((each) => [stringIn(each.attributes?.['name']), each]));
  const names = new Set([...stored.keys(), ...types.map(({ name }) => name)]);
  return [...names].sort().map((name) => ({ name, settings: Object.keys(settingsIn(stored.get(name))) }));
}

const SETTINGS_COLUMNS: readonly Column<Settings>[] = [
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
