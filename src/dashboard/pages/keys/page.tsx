/** The API keys of an application: what each may do, and new ones. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { ID_COLUMN, nameColumn } from '../../parts/collection.tsx';
import { Dialog, FormButton } from '../../parts/fields/dialog.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { calledOf } from '../../parts/fields/names.tsx';
import type { Column } from '../../parts/page.tsx';
import { go, wayTo } from '../../route.ts';
import { create, list } from '../../session/service.ts';
import { ownPage } from '../document/own.tsx';
import { GROUP } from '../users/people.ts';
import { FIELDS, KEY, keyOf, KEYS, SecureId } from './key.tsx';
import { BEGINNINGS, isActive, permissionsOfRoles, ROLES } from './permissions.ts';

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('Name'),
  { head: 'Permissions', class: 'number', cell: (key) => keyOf(key).permissions.length },
  { head: 'For', cell: (key) => whomFor(keyOf(key).permissions.map(isActive)) },
  { head: 'Requests a second', class: 'number', cell: (key) => keyOf(key).requests || '—' },
  ID_COLUMN,
];

export default ownPage(KEYS, {
  lead: 'Every request carries a key, whose permissions say what it may do.',
  wide: true,
  query: { [`fields[${KEY}]`]: FIELDS, sort: 'name' },
  searchAt: KEYS.steps,
  actions: () => <NewKey />,
  empty: { title: 'No keys that you may see.' },
  show: COLUMNS,
});

/** Whether rights of users count: with all permissions, with some, or with none. */
function whomFor(active: readonly boolean[]): string {
  if (active.length === 0) return 'nobody';
  if (active.every(Boolean)) return 'users, with their rights';
  return active.some(Boolean) ? 'users, and a trusted service' : 'a trusted service';
}

const NEW = [
  {
    name: 'name',
    label: 'Name',
    required: true,
    autofocus: true,
    hint: 'What it is for: website, import, …',
  },
  {
    name: 'beginning',
    label: 'It may',
    kind: 'choice',
    first: 'nothing',
    options: [
      ...BEGINNINGS.map(([name, words]) => [name, words] as const),
      ['roles', 'What owners, developers and support do, who log in by name'],
    ] as const,
  },
] as const;

/** The groups of the roles: those with these names, or new ones. */
async function groupsOfRoles(): Promise<readonly Resource[]> {
  const names = ROLES.map(({ name }) => name);
  const query = { 'filter[*]': JSON.stringify({ name: { $in: names } }), [`fields[${GROUP}]`]: 'name' };
  const { documents } = await list(pathOf(GROUP), query);
  return Promise.all(
    names.map(async (name) => {
      const found = documents.find(({ attributes }) => attributes?.['name'] === name);
      return found ?? (await create(GROUP, { attributes: { name } })) ?? { type: GROUP, id: '' };
    }),
  );
}

/** Makes a key, and shows once what it is to be sent as. */
function NewKey() {
  const [made, setMade] = useState<Resource>();
  const edit = () => go(wayTo([...KEYS.steps, made?.id ?? '']));
  return (
    <>
      <FormButton
        words="New key"
        look="primary"
        icon="add"
        title="New API key"
        action="Create"
        fields={NEW}
        onSubmit={async ({ name, beginning }) => {
          const [, , begun] = BEGINNINGS.find(([each]) => each === beginning) ?? [];
          const permissions = beginning === 'roles' ? permissionsOfRoles(await groupsOfRoles()) : begun;
          const key = await create(KEY, { attributes: { name: name.trim(), permissions } });
          if (key !== null) setMade(key);
        }}
      />
      {made && (
        <Dialog
          title={`The key ${calledOf(made)} was created`}
          onClose={edit}
          footer={
            <Button look="primary" onClick={edit}>
              Edit its permissions
            </Button>
          }
        >
          <SecureId text={stringIn(made.attributes?.['secure-id'])} />
        </Dialog>
      )}
    </>
  );
}
