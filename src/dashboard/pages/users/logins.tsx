/** How a person logs in, and where: passkeys, identities and second factors of users, tokens of external users, and their end. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { isoOf } from '../../parts/fields/kinds.ts';
import { nameOf } from '../../parts/fields/names.tsx';
import { Card } from '../../parts/page.tsx';
import { LoadedTable } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { Time } from '../../parts/words.tsx';
import { list, remove } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { endAllTokens, USER } from './people.ts';

const TOKEN = 'core.external-user.token';

/** The words for a login of each type, and for its end. */
const LOGINS: Readonly<Record<string, readonly [what: string, end: string]>> = {
  [TOKEN]: ['Token', 'End'],
  'core.passkey': ['Passkey', 'Remove'],
  'core.identity': ['Identity provider', 'Remove'],
  'core.second-factor': ['Second factor', 'Remove'],
};

/** What tokens are worth is not asked for: no page shows it. */
async function readLogins({ type, id }: Link, signal: AbortSignal): Promise<readonly Resource[]> {
  const sessions =
    type === USER
      ? Object.keys(LOGINS).flatMap((each) => (each === TOKEN ? [] : [[each, 'user', id] as const]))
      : [[TOKEN, 'user.id', { $oid: id }] as const];
  const lists = sessions.map(([each, field, value]) => {
    const query = { [`filter[${field}]`]: JSON.stringify(value), [`fields[${each}]`]: 'name,created' };
    return list(pathOf(each), { ...query, sort: '-created', 'page[size]': '1000' }, signal);
  });
  return (await Promise.all(lists)).flatMap(({ documents }) => documents);
}

export function Logins({ person, onEnded }: { readonly person: Link; readonly onEnded: () => void }) {
  const logins = useLoad((signal) => readLogins(person, signal), [person.id]);
  return (
    <Card
      title="Logins"
      actions={
        <FormButton
          words="End all tokens"
          look="danger"
          action="End all tokens"
          isDanger
          onSubmit={async () => {
            await endAllTokens(person);
            notify('All tokens have ended.');
            logins.reload();
            onEnded();
          }}
        >
          <p>It logs the user out everywhere.</p>
        </FormButton>
      }
    >
      <LoadedTable
        of={logins}
        what="logins"
        columns={[
          { head: 'Login', cell: (login) => nameOf(login) ?? LOGINS[login.type]?.[0] },
          { head: 'Since', cell: ({ attributes }) => <Time iso={isoOf(attributes?.['created'])} /> },
          { head: 'Id', cell: ({ id }) => <code>{id}</code> },
          {
            head: 'Actions',
            isUnseen: true,
            class: 'number',
            cell: ({ type, id }) => {
              const [what = '', end = ''] = LOGINS[type] ?? [];
              return (
                <FormButton
                  words={end}
                  look="link"
                  label={`${end} the ${what.toLowerCase()} ${id}`}
                  title={`${end} the ${what.toLowerCase()}?`}
                  action={`${end} the ${what.toLowerCase()}`}
                  isDanger
                  onSubmit={async () => {
                    await remove({ type, id });
                    logins.reload();
                  }}
                >
                  <p>It does not let the user in any more, and cannot be had back.</p>
                </FormButton>
              );
            },
          },
        ]}
        empty={
          <p class="soft">
            {person.type === USER
              ? 'By password or mail. Any change of the user ends a login.'
              : 'Not logged in.'}
          </p>
        }
      />
    </Card>
  );
}
