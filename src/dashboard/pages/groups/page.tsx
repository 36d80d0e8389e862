/** User groups: found by name, made, and opened. */
import { useState } from 'preact/hooks';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Page } from '../../parts/page.tsx';
import { tell } from '../../parts/toasts.tsx';
import { go, replaceWith, route, wayTo } from '../../route.ts';
import type { PageProps } from '../props.ts';
import { Listing } from '../users/listing.tsx';
import { create, GROUP } from '../users/people.ts';
import { GroupPage } from './group.tsx';
import { NameDialog } from './name-dialog.tsx';

export default function Groups({ steps: [id] }: PageProps) {
  return id === undefined ? <AllGroups /> : <GroupPage key={id} id={id} />;
}

function AllGroups() {
  const [isMaking, setMaking] = useState(false);
  const { query } = route.value;
  return (
    <Page
      title="Groups"
      lead="A right that a group has, each of its members has."
      wide
      actions={
        <button
          class="button primary"
          type="button"
          onClick={() => {
            setMaking(true);
          }}
        >
          <Icon name="add" /> New group
        </button>
      }
    >
      <Listing
        type={GROUP}
        what="groups"
        columns={['Name']}
        cells={() => []}
        to={({ id }) => ['groups', id]}
        text={query.get('q') ?? ''}
        after={query.get('after') ?? ''}
        onSeek={(next) => {
          replaceWith(wayTo(['groups'], next));
        }}
        empty={
          <Empty title="There is no group yet.">
            <p>A group of editors, say, gets the right to change what each of them may change.</p>
          </Empty>
        }
      />
      {isMaking && (
        <NameDialog
          title="New group"
          action="Create"
          first=""
          onClose={() => {
            setMaking(false);
          }}
          onName={async (name) => {
            const { id } = await create(GROUP, { name }, { users: [] });
            tell(`${name} was created.`);
            go(wayTo(['groups', id]));
          }}
        />
      )}
    </Page>
  );
}
