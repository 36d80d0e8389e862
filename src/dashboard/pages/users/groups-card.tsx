/** The groups of a person: what they may do by these, and the way in and out. */
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { Icon } from '../../parts/icons.tsx';
import { Loading } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { Choose } from '../document/related/choose.tsx';
import { nameOf } from '../document/related/names.ts';
import { addToGroup, GROUP, groupsOf, removeFromGroup } from './people.ts';

export function GroupsCard({ person }: { readonly person: Link }) {
  const { value: groups, error, reload } = useLoad((signal) => groupsOf(person, signal), [person.id]);
  const [isChoosing, setChoosing] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const done = (doing: Promise<void>, text: string) => {
    setFailure(undefined);
    doing.then(() => {
      tell(text);
      reload();
    }, setFailure);
  };
  return (
    <section class="card" aria-label="Groups">
      <header class="card-head">
        <h2>Groups</h2>
        <button
          class="button"
          type="button"
          onClick={() => {
            setChoosing(true);
          }}
        >
          <Icon name="add" /> Add to a group
        </button>
      </header>
      <Problems error={failure ?? error} />
      {groups === undefined && error === undefined && <Loading what="groups" />}
      {groups?.length === 0 && <p class="soft">In no group: only rights of their own count.</p>}
      <ul class="members">
        {groups?.map((group) => {
          const name = nameOf(group) ?? group.id;
          return (
            <li key={group.id}>
              <a href={wayTo(['groups', group.id])}>{name}</a>
              <button
                class="bare"
                type="button"
                aria-label={`Remove from ${name}`}
                onClick={() => {
                  done(removeFromGroup(group.id, person), `Removed from ${name}.`);
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ul>
      {isChoosing && (
        <Choose
          title="Add to a group"
          type={GROUP}
          types={[[GROUP, 'Group']]}
          onClose={() => {
            setChoosing(false);
          }}
          onChoose={({ id }, name) => {
            setChoosing(false);
            done(addToGroup(id, person), `Added to ${name}.`);
          }}
        />
      )}
    </section>
  );
}
