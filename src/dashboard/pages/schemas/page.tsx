/** Schemas by the type that they are for, and new ones; settings of types. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { ID_COLUMN, nameColumn, NewLink } from '../../parts/collection.tsx';
import { isMembers, stringIn } from '../../parts/fields/json.ts';
import { LoadedTable, type Column } from '../../parts/table.tsx';
import { route, wayTo, type PageProps } from '../../route.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { readTypes } from '../../session/types.ts';
import { ownPage } from '../document/own.tsx';
import { SETTINGS } from '../document/shape.ts';
import { BLANK, SCHEMAS } from './schema.tsx';
import { SettingsPage } from './settings.tsx';

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('For', SCHEMAS.steps, ({ attributes }) => stringIn(attributes?.['target'])),
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
    empty: {
      title: 'No schemas yet.',
      children: () => <p>A schema can be drafted from stored documents.</p>,
    },
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
  return [...names].sort().map((name) => {
    const { name: _, ...settings } = stored.get(name)?.attributes ?? {};
    return { name, settings: Object.keys(settings).filter((each) => settings[each] !== null) };
  });
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
