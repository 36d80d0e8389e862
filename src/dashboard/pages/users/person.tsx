/** One user or external user: attributes, password, groups, tokens, and their end. */
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/dialog.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { goFreely, wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { nameOf } from '../document/related/names.ts';
import { AttributesCard } from './attributes.tsx';
import { GroupsCard } from './groups-card.tsx';
import { PasswordDialog } from './password.tsx';
import { readCurrent, remove, USER, type PersonType } from './people.ts';
import { TokensCard } from './tokens-card.tsx';

export function PersonPage({ type, id }: { readonly type: PersonType; readonly id: string }) {
  const {
    value: current,
    error,
    isLoading,
    reload,
    refresh,
  } = useLoad((signal) => readCurrent(type, id, signal), [type, id]);
  const [isOpen, setOpen] = useState<'password' | 'delete'>();
  const close = () => {
    setOpen(undefined);
  };
  const above = <a href={wayTo(['users', type])}>{type === USER ? 'Users' : 'External users'}</a>;
  if (current === undefined) {
    return (
      <Page title={type === USER ? 'User' : 'External user'} above={above}>
        <Problems error={error} />
        {isLoading && <Loading what="the user" />}
        {!isLoading && error === undefined && <Empty title="This user was deleted." />}
      </Page>
    );
  }
  const { document } = current;
  const name = nameOf(document) ?? 'Without a name';
  const link = { type, id };
  return (
    <Page
      title={name}
      above={above}
      lead={<code>{id}</code>}
      actions={
        <>
          {type === USER && (
            <button
              class="button"
              type="button"
              onClick={() => {
                setOpen('password');
              }}
            >
              Set password
            </button>
          )}
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
      <AttributesCard key={current.etag} current={current} onSaved={refresh} />
      <GroupsCard person={link} />
      <TokensCard person={link} onEnded={reload} />
      {isOpen === 'password' && (
        <PasswordDialog current={current} name={name} onClose={close} onDone={reload} />
      )}
      {isOpen === 'delete' && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete the user"
          onClose={close}
          onConfirm={async () => {
            await remove(link);
            tell(`${name} was deleted.`);
            goFreely(wayTo(['users', type]));
          }}
        >
          <p>All tokens end at once. Documents that the user has made stay.</p>
        </Confirm>
      )}
    </Page>
  );
}
