/** User groups: found by name, made, and opened; one with its members. */
import { pathOf } from '../../../client/paths.ts';
import { ID_COLUMN, nameColumn } from '../../parts/collection.tsx';
import { MembersCard } from '../../parts/fields/members.tsx';
import { ownPage } from '../document/own.tsx';
import type { Sort } from '../document/sort.ts';
import { readDraft } from '../document/stored.ts';
import { changeMembers, GROUP, PERSONS, TAGS } from '../users/people.ts';

const SORT: Sort = {
  type: GROUP,
  steps: ['groups'],
  all: 'Groups',
  what: 'group',
  fields: 'name',
  known: { name: { title: 'Name' } },
  deletion: 'Its members lose the rights that the group gave them.',
  below: (open, group) =>
    group !== undefined && (
      <MembersCard
        title="Members"
        path={pathOf(GROUP, group, 'users')}
        tags={TAGS}
        empty="No members."
        adding="Add a member"
        removing={(name) => `Remove ${name}`}
        types={PERSONS}
        changed={(method, name) => `${name} was ${method === 'POST' ? 'added' : 'removed'}.`}
        onChange={async (method, link) => {
          await changeMembers(method, group, link);
          // The group has another tag now; what was typed of it stays.
          const now = await readDraft(SORT, group);
          if (now !== null) open.setBase(now);
        }}
      />
    ),
};

export default ownPage(
  SORT,
  {
    lead: 'Members have the rights of their group.',
    wide: true,
    // The members of a group may be thousands.
    query: { [`fields[${GROUP}]`]: 'name' },
    searchAt: SORT.steps,
    empty: {
      title: 'No groups yet.',
      children: () => <p>Give rights to a group of editors, for example.</p>,
    },
    show: [nameColumn('Name', SORT.steps), ID_COLUMN],
  },
  () => ({ relationships: { users: [] } }),
);
