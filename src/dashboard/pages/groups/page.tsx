/** User groups: found by name, made, and opened; one with its members, its own name, and its end. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { DeleteButton, FormButton } from '../../parts/dialog.tsx';
import { MembersCard } from '../../parts/members.tsx';
import { More } from '../../parts/more.tsx';
import { nameOf } from '../../parts/names.tsx';
import { Empty, Opened, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { go, wayTo, type PageProps } from '../../route.ts';
import { change, create, read, type Stored } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { usePages } from '../../session/pages.ts';
import { Listing } from '../users/listing.tsx';
import { calledOf, changeMembers, EXTERNAL_USER, GROUP, PERSONS } from '../users/people.ts';

export default function Groups({ steps: [id] }: PageProps) {
  return id === undefined ? <AllGroups /> : <GroupPage key={id} id={id} />;
}

const NAME = { name: 'name', label: 'Name', required: true, autofocus: true } as const;

function AllGroups() {
  return (
    <Page
      title="Groups"
      lead="Members have the rights of their group."
      wide
      actions={
        <FormButton
          words="New group"
          look="primary"
          icon="add"
          title="New group"
          action="Create"
          fields={[NAME]}
          onSubmit={async (values) => {
            const name = values.name.trim();
            const made = await create(GROUP, {
              attributes: { name },
              relationships: { users: { data: [] } },
            });
            tell(`${name} was created.`);
            if (made !== null) go(wayTo(['groups', made.id]));
          }}
        />
      }
    >
      <Listing
        type={GROUP}
        what="groups"
        name="Name"
        steps={['groups']}
        empty={
          <Empty title="No groups yet.">
            <p>Give rights to a group of editors, for example.</p>
          </Empty>
        }
      />
    </Page>
  );
}

function GroupPage({ id }: { readonly id: string }) {
  const group = useLoad((signal) => read({ type: GROUP, id }, 'name', signal), [id]);
  const above = <a href={wayTo(['groups'])}>Groups</a>;
  return (
    <Opened of={group} title="Group" above={above} what="group">
      {(stored) => (
        <Page
          title={calledOf(stored.document)}
          above={above}
          lead={<code>{id}</code>}
          actions={<Actions stored={stored} onDone={group.reload} />}
        >
          <Problems error={group.error} />
          <GroupMembers group={id} />
        </Page>
      )}
    </Opened>
  );
}

function Actions({ stored, onDone }: { readonly stored: Stored; readonly onDone: () => void }) {
  const { document, etag } = stored;
  const name = calledOf(document);
  return (
    <>
      <FormButton
        words="Rename"
        title="Rename the group"
        action="Rename"
        fields={[{ ...NAME, first: nameOf(document) ?? '' }]}
        onSubmit={async (values) => {
          const next = values.name.trim();
          await change(document, { attributes: { name: next } }, etag);
          tell(`The group is called ${next}.`);
          onDone();
        }}
      />
      <DeleteButton
        link={document}
        title={`Delete ${name}?`}
        action="Delete the group"
        told={`${name} was deleted.`}
        onDone={() => {
          go(wayTo(['groups']));
        }}
      >
        Its members lose the rights that the group gave them.
      </DeleteButton>
    </>
  );
}

function GroupMembers({ group }: { readonly group: string }) {
  const members = usePages(pathOf(GROUP, group, 'users'), { 'page[size]': '100' });
  return (
    <>
      <MembersCard
        title="Members"
        of={members}
        membersIn={() => members.rows.map(memberOf)}
        count={members.value?.count}
        empty="No members."
        adding="Add a member"
        removing={(name) => `Remove ${name}`}
        types={PERSONS}
        onChange={async (method, link, name) => {
          await changeMembers(method, group, link);
          tell(`${name} was ${method === 'POST' ? 'added' : 'removed'}.`);
        }}
      />
      <More of={members}>Show more</More>
    </>
  );
}

function memberOf(document: Resource) {
  const { type, id } = document;
  return {
    link: { type, id },
    name: nameOf(document) ?? id,
    to: ['users', type, id],
    tag: type === EXTERNAL_USER ? 'external' : undefined,
  };
}
