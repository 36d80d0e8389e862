/** User groups: found by name, made, and opened; one with its members, its own name, and its end. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Collection, Creating, ID_COLUMN, nameColumn, Single, type Open } from '../../parts/collection.tsx';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { MembersCard } from '../../parts/fields/members.tsx';
import { More } from '../../parts/more.tsx';
import { nameOf } from '../../parts/fields/names.tsx';
import { notify } from '../../parts/toasts.tsx';
import type { PageProps } from '../../route.ts';
import { change } from '../../session/documents.ts';
import { usePages } from '../../session/pages.ts';
import { changeMembers, GROUP, PERSONS, TAGS } from '../users/people.ts';

const STEPS = ['groups'];
const NAME = { name: 'name', label: 'Name', required: true, autofocus: true } as const;

export default function Groups({ steps: [id] }: PageProps) {
  if (id === undefined)
    return (
      <Collection
        title="Groups"
        lead="Members have the rights of their group."
        wide
        type={GROUP}
        what="groups"
        // The members of a group may be thousands.
        query={{ [`fields[${GROUP}]`]: 'name' }}
        searchAt={STEPS}
        actions={() => (
          <Creating
            type={GROUP}
            words="New group"
            steps={STEPS}
            fields={[NAME]}
            sent={({ name }) => ({
              attributes: { name: name.trim() },
              relationships: { users: { data: [] } },
            })}
          />
        )}
        empty={{
          title: 'No groups yet.',
          children: () => <p>Give rights to a group of editors, for example.</p>,
        }}
        show={[nameColumn('Name', STEPS), ID_COLUMN]}
      />
    );
  return (
    <Single
      key={id}
      link={{ type: GROUP, id }}
      fields="name"
      what="group"
      steps={STEPS}
      all="Groups"
      deletion="Its members lose the rights that the group gave them."
      actions={(open) => <Rename {...open} />}
    >
      {() => <GroupMembers group={id} />}
    </Single>
  );
}

function Rename({ stored: { document, etag }, refresh }: Open) {
  return (
    <FormButton
      words="Rename"
      title="Rename the group"
      action="Rename"
      fields={[{ ...NAME, first: nameOf(document) ?? '' }]}
      onSubmit={async (values) => {
        const name = values.name.trim();
        await change(document, { attributes: { name } }, etag);
        notify(`The group is called ${name}.`);
        await refresh();
      }}
    />
  );
}

function GroupMembers({ group }: { readonly group: string }) {
  const members = usePages(pathOf(GROUP, group, 'users'), {}, { size: 100 });
  return (
    <>
      <MembersCard
        title="Members"
        of={members}
        membersIn={() => members.documents.map(memberOf)}
        count={members.count}
        empty="No members."
        adding="Add a member"
        removing={(name) => `Remove ${name}`}
        types={PERSONS}
        onChange={async (method, link, name) => {
          await changeMembers(method, group, link);
          notify(`${name} was ${method === 'POST' ? 'added' : 'removed'}.`);
        }}
      />
      <More of={members}>Show more</More>
    </>
  );
}

function memberOf({ type, id, attributes = {} }: Resource) {
  const name = nameOf({ attributes }) ?? id;
  return { link: { type, id }, name, to: ['users', type, id], tag: TAGS[type] };
}
