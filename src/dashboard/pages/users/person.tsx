/** One user or external user: attributes, password, groups, logins, documents, changes, and their end. */
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { Single, type Open } from '../../parts/collection.tsx';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { JsonForm } from '../../parts/fields/json-form.tsx';
import { membersIn } from '../../parts/fields/json.ts';
import { MembersCard } from '../../parts/fields/members.tsx';
import { calledOf } from '../../parts/fields/names.tsx';
import { Card } from '../../parts/page.tsx';
import { counted, LoadedTable, type Column } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { wayTo } from '../../route.ts';
import { change, list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { largestOf, readTypes } from '../../session/types.ts';
import { ENTRY, ENTRY_COLUMNS } from '../audit/entries.tsx';
import { changeMembers, GROUP, PEOPLE, USER, type PersonType } from './people.ts';
import { Logins } from './logins.tsx';

export function PersonPage({ type, id }: { readonly type: PersonType; readonly id: string }) {
  const link = { type, id };
  return (
    <Single
      link={link}
      what="user"
      steps={['users', type]}
      all={PEOPLE[type].all}
      deletion="It logs the user out everywhere. Documents of the user are kept."
      actions={(open) => type === USER && <SetPassword {...open} />}
    >
      {(open) => (
        <>
          <Attributes key={open.stored.etag} {...open} />
          <Groups person={link} />
          <Logins person={link} onEnded={() => void open.refresh()} />
          <Theirs person={link} />
          <Done person={link} />
        </>
      )}
    </Single>
  );
}

function SetPassword({ stored: { document, etag }, refresh }: Open) {
  const name = calledOf(document);
  return (
    <FormButton
      words="Set password"
      title={`Set the password of ${name}`}
      action="Set password"
      fields={[
        {
          name: 'password',
          label: 'New password',
          kind: 'password',
          required: true,
          autofocus: true,
          autocomplete: 'new-password',
          hint: 'At least 6 characters. It logs the user out everywhere.',
        },
      ]}
      onSubmit={async (attributes) => {
        await change(document, { attributes }, etag);
        notify(`${name} has a new password. All tokens have ended.`);
        await refresh();
      }}
    />
  );
}

/** All attributes but the password: that is set elsewhere, and shown nowhere. */
function Attributes({ stored: { document, etag }, refresh }: Open) {
  const { password: _, ...shown } = document.attributes ?? {};
  const save = async (text: string) => {
    const attributes = membersIn(text, 'Attributes');
    const changed = Object.entries(attributes).filter(
      ([name, value]) => JSON.stringify(shown[name]) !== JSON.stringify(value),
    );
    const removed = Object.keys(shown).filter((name) => !Object.hasOwn(attributes, name));
    const update = { $unset: Object.fromEntries(removed.map((name) => [name, true])) };
    const sent = { attributes: Object.fromEntries(changed), ...(removed.length > 0 && { meta: { update } }) };
    await change(document, sent, etag);
    await refresh();
    return 'Saved. All tokens of this user have ended.';
  };
  return (
    <Card title="Attributes">
      <JsonForm
        label="Attributes"
        editorLabel="Attributes as JSON"
        what="This user"
        first={JSON.stringify(shown, null, 2)}
        pointer="/data/attributes"
        hint="Changes log the user out."
        onSave={save}
      />
    </Card>
  );
}

function Groups({ person }: { readonly person: Link }) {
  const filter = { 'filter[users.id]': JSON.stringify({ $oid: person.id }) };
  const query = { ...filter, [`fields[${GROUP}]`]: 'name', 'page[size]': '1000' };
  const groups = useLoad((signal) => list(pathOf(GROUP), query, signal), [person.id]);
  return (
    <MembersCard
      title="Groups"
      of={groups}
      membersIn={({ documents }) =>
        documents.map(({ type, id, attributes = {} }) => ({
          link: { type, id },
          name: calledOf({ attributes }),
          to: ['groups', id],
        }))
      }
      empty="In no group."
      adding="Add to a group"
      removing={(name) => `Remove from ${name}`}
      types={[[GROUP, 'Group']]}
      onChange={async (method, { id }, name) => {
        await changeMembers(method, id, person);
        notify(`${method === 'POST' ? 'Added to' : 'Removed from'} ${name}.`);
      }}
    />
  );
}

/** Of one type. */
interface Created {
  readonly type: string;
  readonly count: number;
  readonly way: string;
}

async function readCreated(id: string, signal: AbortSignal): Promise<readonly Created[]> {
  const filter = { 'filter[$creator.id]': JSON.stringify({ $oid: id }) };
  const types = largestOf(await readTypes(signal));
  const lists = types.map(async ({ name }) => {
    const few = { 'page[limit]': '1', [`fields[${name}]`]: '$created' };
    const { count = 0 } = await list(pathOf(name), { ...filter, ...few }, signal);
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
        columns={ENTRY_COLUMNS.filter(({ head }) => head !== 'User')}
        empty={<p class="soft">None while the audit trail was on.</p>}
      />
    </Card>
  );
}
