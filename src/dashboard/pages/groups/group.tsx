/** One group: its members by name, who joins and leaves, its own name, and its end. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { go, wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { Choose } from '../document/related/choose.tsx';
import { nameOf } from '../document/related/names.ts';
import {
  addToGroup,
  change,
  EXTERNAL_USER,
  GROUP,
  pageOf,
  readCurrent,
  remove,
  removeFromGroup,
  USER,
} from '../users/people.ts';
import { NameDialog } from './name-dialog.tsx';

const MEMBERS = '100';

export function GroupPage({ id }: { readonly id: string }) {
  const {
    value: current,
    error,
    isLoading,
    reload,
  } = useLoad((signal) => readCurrent(GROUP, id, signal), [id]);
  const [isOpen, setOpen] = useState<'name' | 'delete'>();
  const close = () => {
    setOpen(undefined);
  };
  const above = <a href={wayTo(['groups'])}>Groups</a>;
  if (current === undefined) {
    return (
      <Page title="Group" above={above}>
        <Problems error={error} />
        {isLoading && <Loading what="the group" />}
        {!isLoading && error === undefined && <Empty title="This group was deleted." />}
      </Page>
    );
  }
  const name = nameOf(current.document) ?? 'Without a name';
  return (
    <Page
      title={name}
      above={above}
      lead={<code>{id}</code>}
      actions={
        <>
          <button
            class="button"
            type="button"
            onClick={() => {
              setOpen('name');
            }}
          >
            Rename
          </button>
          <button
            class="button danger"
            type="button"
            onClick={() => {
              setOpen('delete');
            }}
          >
            Delete
          </button>
        </>
      }
    >
      <Problems error={error} />
      <Members group={id} />
      {isOpen === 'name' && (
        <NameDialog
          title="Rename the group"
          action="Rename"
          first={nameOf(current.document) ?? ''}
          onClose={close}
          onName={async (next) => {
            await change(current, { name: next });
            tell(`The group is called ${next}.`);
            reload();
          }}
        />
      )}
      {isOpen === 'delete' && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the group"
          onClose={close}
          onConfirm={async () => {
            await remove({ type: GROUP, id });
            tell(`${name} was deleted.`);
            go(wayTo(['groups']));
          }}
        >
          <p>Its members stay, without the rights that the group gave them.</p>
        </Confirm>
      )}
    </Page>
  );
}

function Members({ group }: { readonly group: string }) {
  const [after, setAfter] = useState('');
  const [isChoosing, setChoosing] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { value, error, reload } = useLoad(
    (signal) => {
      const query = new URLSearchParams({ 'page[size]': MEMBERS, 'page[after]': after });
      return pageOf(pathOf(GROUP, group, 'users'), query, signal);
    },
    [group, after],
  );
  const done = (doing: Promise<void>, text: string) => {
    setFailure(undefined);
    doing.then(() => {
      tell(text);
      reload();
    }, setFailure);
  };
  return (
    <section class="card" aria-label="Members">
      <header class="card-head">
        <h2>
          Members{' '}
          {value?.count !== undefined && <span class="soft number">{value.count.toLocaleString('en')}</span>}
        </h2>
        <button
          class="button"
          type="button"
          onClick={() => {
            setChoosing(true);
          }}
        >
          <Icon name="add" /> Add a member
        </button>
      </header>
      <Problems error={failure ?? error} />
      {value === undefined && error === undefined && <Loading what="members" />}
      {value?.documents.length === 0 && <p class="soft">Nobody is in this group.</p>}
      <ul class="members">
        {value?.documents.map((member) => {
          const name = nameOf(member) ?? member.id;
          return (
            <li key={member.id}>
              <a href={wayTo(['users', member.type, member.id])}>{name}</a>
              {member.type === EXTERNAL_USER && <span class="tag">external</span>}
              <button
                class="bare"
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => {
                  const link = { type: member.type, id: member.id };
                  done(removeFromGroup(group, link), `${name} was removed.`);
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ul>
      {value?.next !== undefined && (
        <button
          class="button"
          type="button"
          onClick={() => {
            setAfter(value.next ?? '');
          }}
        >
          Next members
        </button>
      )}
      {isChoosing && (
        <Choose
          title="Add a member"
          type={USER}
          types={[
            [USER, 'User'],
            [EXTERNAL_USER, 'External user'],
          ]}
          onClose={() => {
            setChoosing(false);
          }}
          onChoose={(link, name) => {
            setChoosing(false);
            done(addToGroup(group, link), `${name} was added.`);
          }}
        />
      )}
    </section>
  );
}
