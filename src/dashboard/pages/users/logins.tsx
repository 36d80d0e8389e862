/** Sessions, passkeys, identities and second factors of users, tokens of external users, and their end. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { keyOfLink, nameOf } from '../../parts/fields/names.tsx';
import { Card } from '../../parts/page.tsx';
import { LoadedTable } from '../../parts/table.tsx';
import { notify } from '../../parts/toasts.tsx';
import { cut, Time } from '../../parts/words.tsx';
import { change, list, remove } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { statusOf } from '../../session/service.ts';
import type { Opened } from '../document/sort.ts';
import { USER } from './people.ts';

const TOKEN = 'core.external-user.token';
const SESSION = 'core.session';

/** The words for a login of each type, for its end, and the type that is deleted then. */
const LOGINS: Readonly<Record<string, readonly [what: string, end: string, of?: string]>> = {
  [SESSION]: ['Session', 'End', 'core.user.token'],
  [TOKEN]: ['Token', 'End'],
  'core.passkey': ['Passkey', 'Remove'],
  'core.identity': ['Identity provider', 'Remove'],
  'core.second-factor': ['Second factor', 'Remove'],
};

/** What tokens are worth is not asked for: no page shows it. What may not be read is left out. */
async function readLogins({ type, id }: Link, signal: AbortSignal): Promise<readonly Resource[]> {
  const named = { 'filter[user]': JSON.stringify(id) };
  const linked = { 'filter[user.id]': JSON.stringify({ $oid: id }) };
  const lists = Object.keys(LOGINS).map(async (of) => {
    if ((of === TOKEN) === (type === USER)) return [];
    const plain = { [`fields[${of}]`]: 'name,created', sort: '-created', 'page[size]': '1000' };
    const query = of === SESSION ? named : { ...(of === TOKEN ? linked : named), ...plain };
    return list(pathOf(of), query, signal).then(
      ({ documents }) => documents,
      (cause: unknown) => {
        if (statusOf(cause) === 403) return [];
        throw cause;
      },
    );
  });
  return (await Promise.all(lists)).flat();
}

const BROWSERS = { Edg: 'Edge', OPR: 'Opera', Firefox: 'Firefox', Chrome: 'Chrome', Safari: 'Safari' };

/** `Chrome on Linux`, of what a browser calls itself. */
function deviceOf({ attributes = {} }: Resource): string {
  const text = stringIn(attributes['device']);
  const [system] = /Android|iPhone|iPad|Windows|Mac OS|Linux/.exec(text) ?? [];
  const [, browser] = Object.entries(BROWSERS).find(([sign]) => text.includes(`${sign}/`)) ?? [];
  const device = system && browser ? `${browser} on ${system}` : cut(text, LONGEST);
  return [device, stringIn(attributes['country'])].filter(Boolean).join(', ');
}

const LONGEST = 60;

export function Logins({ person, open }: { readonly person: Link; readonly open: Opened }) {
  const logins = useLoad((signal) => readLogins(person, signal), [person.id, open.base.etag]);
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
            // Any change of a user does.
            await change(person, {});
            notify('All tokens have ended.');
            open.reload();
          }}
        >
          <p>It logs the user out everywhere.</p>
        </FormButton>
      }
    >
      <LoadedTable
        of={logins}
        what="logins"
        label="Ways in"
        keyOf={keyOfLink}
        columns={[
          { head: 'Login', cell: (login) => nameOf(login) ?? LOGINS[login.type]?.[0] },
          { head: 'Device', class: 'name-cell', cell: deviceOf },
          {
            head: 'Since',
            class: 'nowrap',
            cell: ({ attributes }) => <Time iso={isoOf(attributes?.['created'])} style="short" />,
          },
          {
            head: 'Last used',
            class: 'nowrap',
            // It is told by the hour, and is not before the login.
            cell: ({ attributes: { created, used } = {} }) => (
              <Time iso={[isoOf(created), isoOf(used)].sort().at(-1)} style="short" />
            ),
          },
          {
            head: 'Actions',
            isUnseen: true,
            class: 'number nowrap',
            cell: ({ type, id }) => {
              const [what = '', end = '', of = type] = LOGINS[type] ?? [];
              return (
                <FormButton
                  words={end}
                  look="link"
                  label={`${end} the ${what.toLowerCase()} ${id}`}
                  title={`${end} the ${what.toLowerCase()}?`}
                  action={`${end} the ${what.toLowerCase()}`}
                  isDanger
                  onSubmit={async () => {
                    await remove({ type: of, id });
                    logins.reload();
                  }}
                >
                  <p>It does not let the user in any more, and cannot be had back.</p>
                </FormButton>
              );
            },
          },
        ]}
        empty={<p class="soft">No logins that you may see.</p>}
      />
    </Card>
  );
}
