/** The API keys of an application: what each may do, and new ones. */
import { useState } from 'preact/hooks';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import type { PageProps } from '../props.ts';
import { KeyPage } from './key.tsx';
import { readKeys } from './keys.ts';
import { NewKey } from './new-key.tsx';
import { isActive } from './permissions.ts';

export default function Keys({ steps: [id] }: PageProps) {
  return id === undefined ? <AllKeys /> : <KeyPage key={id} id={id} />;
}

function AllKeys() {
  const { value: keys, error } = useLoad(readKeys, []);
  const [isMaking, setMaking] = useState(false);
  return (
    <Page
      title="API keys"
      lead="Every request carries a key. Its permissions say what the request may do."
      wide
      actions={
        <button
          class="button primary"
          type="button"
          onClick={() => {
            setMaking(true);
          }}
        >
          <Icon name="add" /> New key
        </button>
      }
    >
      <Problems error={error} />
      {keys === undefined && error === undefined && <Loading what="keys" />}
      {keys?.length === 0 && <Empty title="You may see no key." />}
      {keys !== undefined && keys.length > 0 && (
        <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col" class="number">
                  Permissions
                </th>
                <th scope="col">For</th>
                <th scope="col" class="number">
                  Requests a second
                </th>
                <th scope="col">Id</th>
              </tr>
            </thead>
            <tbody>
              {keys.map(({ id, name, permissions, requests }) => (
                <tr key={id}>
                  <td class="name-cell">
                    <a href={wayTo(['keys', id])}>{name === '' ? 'Without a name' : name}</a>
                  </td>
                  <td class="number">{permissions.length}</td>
                  <td>{whomFor(permissions.map(isActive))}</td>
                  <td class="number">{requests ?? '—'}</td>
                  <td>
                    <code>{id}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isMaking && (
        <NewKey
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
    </Page>
  );
}

/** Whether rights of users count: with all permissions, with some, or with none. */
function whomFor(active: readonly boolean[]): string {
  if (active.length === 0) return 'nobody';
  if (active.every(Boolean)) return 'users, with their rights';
  return active.some(Boolean) ? 'users, and a trusted service' : 'a trusted service';
}
