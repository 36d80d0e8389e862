/** One user or external user: attributes, password, groups, logins, documents, changes, and their end. */
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { MembersCard } from '../../parts/fields/members.tsx';
import { calledOf } from '../../parts/fields/names.tsx';
import { Card } from '../../parts/page.tsx';
import { counted, LoadedTable, type Column } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { wayTo } from '../../route.ts';
import { mayList } from '../../session/credentials.ts';
import { change, list, listNone } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { largestOf, readTypes } from '../../session/types.ts';
import { ENTRY, ENTRY_COLUMNS } from '../audit/entries.tsx';
import type { Sort } from '../document/sort.ts';
import { KEY } from '../keys/key.tsx';
import { changeMembers, GROUP, PEOPLE, USER, type PersonType } from './people.ts';
import { Logins } from './logins.tsx';
import { Sees } from './sees.tsx';

const PASSWORD = [
  {
    name: 'password',
    label: 'New password',
    kind: 'password',
    required: true,
    autofocus: true,
    autocomplete: 'new-password',
    hint: 'At least 6 characters. It logs the user out everywhere.',
  },
] as const;

export function sortOf(type: PersonType): Sort {
  return {
    type,
    steps: ['users', type],
    all: PEOPLE[type].all,
    what: PEOPLE[type].one,
    deletion: 'It logs the user out everywhere. Documents of the user are kept.',
    saved: 'Saved. All tokens of this user have ended.',
    actions: ({ base, reload }, id = '') => {
      const name = calledOf(base.draft);
      if (type !== USER) return null;
      return (
        <FormButton
          words="Set password"
          title={`Set the password of ${name}`}
          action="Set password"
          fields={PASSWORD}
          onSubmit={async (attributes) => {
            await change({ type, id }, { attributes }, base.etag);
            notify(`${name} has a new password. All tokens have ended.`);
            reload();
          }}
        />
      );
    },
    below: (open, id = '') => (
      <>
        <MembersCard
          title="Groups"
          path={pathOf(GROUP)}
          query={{ 'filter[users.id]': JSON.stringify({ $oid: id }), [`fields[${GROUP}]`]: 'name' }}
          empty="In no group."
          adding="Add to a group"
          removing={(name) => `Remove from ${name}`}
          types={[[GROUP, 'Group']]}
          changed={(method, name) => `${method === 'POST' ? 'Added to' : 'Removed from'} ${name}.`}
          onChange={(method, group) => changeMembers(method, group.id, { type, id })}
        />
        <Logins person={{ type, id }} open={open} />
        <Theirs person={{ type, id }} />
        {mayList(pathOf(KEY)) && <Sees person={{ type, id }} />}
        <Done person={{ type, id }} />
      </>
    ),
  };
}

interface Created {
  readonly type: string;
  readonly count: number;
  readonly way: string;
}

async function readCreated(id: string, signal: AbortSignal): Promise<readonly Created[]> {
  const filter = { 'filter[$creator.id]': JSON.stringify({ $oid: id }) };
  const types = largestOf(await readTypes(signal));
  const lists = types.map(async ({ name }) => {
    const { count = 0 } = await listNone(name, filter, signal);
    return { type: name, count, way: wayTo(['documents', name], filter) };
  });
  const found = await Promise.all(lists);
  return found.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
}

const COLUMNS: readonly Column<Created>[] = [
  { head: 'Type', cell: ({ type, way }) => <a href={way}>{type}</a> },
  counted('Documents', ({ count }) => count),
];

function Theirs({ person: { id } }: { readonly person: Link }) {
  const created = useLoad((signal) => readCreated(id, signal), [id]);
  const empty = <p class="soft">No documents.</p>;
  return (
    <Card title="Created">
      <LoadedTable of={created} what="documents by creator" columns={COLUMNS} empty={empty} />
    </Card>
  );
}

/** Entries that are shown. */
const LAST = 10;

function Done({ person: { id } }: { readonly person: Link }) {
  const query = { 'filter[user.id]': JSON.stringify(id), sort: '-at', 'page[size]': String(LAST) };
  const entries = useLoad(async (signal) => (await list(pathOf(ENTRY), query, signal)).documents, [id]);
  return (
    <Card title="Last changes" actions={<a href={wayTo(['audit'], { 'user.id': id })}>Audit trail</a>}>
      <LoadedTable
        of={entries}
        what="changes"
        columns={ENTRY_COLUMNS}
        empty={<p class="soft">None while the audit trail was on.</p>}
      />
    </Card>
  );
}
