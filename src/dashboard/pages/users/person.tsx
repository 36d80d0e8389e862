/** One user or external user: password, groups, logins and their end, documents, changes. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { notify } from '../../parts/button.tsx';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { MembersCard } from '../../parts/fields/members.tsx';
import { calledOf, keyOfLink, nameOf } from '../../parts/fields/names.tsx';
import { Card, counted, LoadedTable, type Column } from '../../parts/page.tsx';
import { cut, Time } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { mayList } from '../../session/credentials.ts';
import { change, list, listNone, remove, statusOf, useLoad } from '../../session/service.ts';
import { largestOf, readTypes } from '../../session/types.ts';
import { ENTRY, ENTRY_COLUMNS } from '../audit/page.tsx';
import { sortOf, type Open, type Sort } from '../document/stored.ts';
import { KEY } from '../keys/key.tsx';
import { changeMembers, GROUP, USER, type PersonType } from './people.ts';
import { Sees } from './sees.tsx';

const PASSWORD = [
  {
    name: 'password',
    label: 'New password',
    kind: 'password',
    required: true,
    autofocus: true,
    autocomplete: 'new-password',
    hint: 'At least 6 characters. It logs the user out everywhere.',
  },
] as const;

export function personSort(type: PersonType): Sort {
  return sortOf(type, {
    deletion: 'It logs the user out everywhere. Documents of the user are kept.',
    saved: 'Saved. All tokens of this user have ended.',
    actions: ({ base, reload, link }) => {
      const name = calledOf(base.draft);
      if (type !== USER) return null;
      return (
        <FormButton
          words="Set password"
          title={`Set the password of ${name}`}
          action="Set password"
          fields={PASSWORD}
          onSubmit={async (attributes) => {
            await change(link, { attributes }, base.etag);
            notify(`${name} has a new password. All tokens have ended.`);
            reload();
          }}
        />
      );
    },
    below: (open) => (
      <>
        <MembersCard
          title="Groups"
          path={pathOf(GROUP)}
          query={{ 'filter[users.id]': JSON.stringify({ $oid: open.link.id }), [`fields[${GROUP}]`]: 'name' }}
          empty="In no group."
          adding="Add to a group"
          removing={(name) => `Remove from ${name}`}
          types={[[GROUP, 'Group']]}
          changed={(method, name) => `${method === 'POST' ? 'Added to' : 'Removed from'} ${name}.`}
          onChange={(method, group) => changeMembers(method, group.id, open.link)}
        />
        <Logins open={open} />
        <Theirs person={open.link} />
        {mayList(pathOf(KEY)) && <Sees person={open.link} />}
        <Done person={open.link} />
      </>
    ),
  });
}

interface Created {
  readonly type: string;
  readonly count: number;
  readonly way: string;
}

async function readCreated(id: string, signal: AbortSignal): Promise<readonly Created[]> {
  const filter = { 'filter[$creator.id]': JSON.stringify({ $oid: id }) };
  const types = largestOf(await readTypes(signal));
  const lists = types.map(async ({ name }) => {
    const { count = 0 } = await listNone(name, filter, signal);
    return { type: name, count, way: wayTo(['documents', name], filter) };
  });
  const found = await Promise.all(lists);
  return found.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
}

const COLUMNS: readonly Column<Created>[] = [
  { head: 'Type', cell: ({ type, way }) => <a href={way}>{type}</a> },
  counted('Documents', ({ count }) => count),
];

function Theirs({ person: { id } }: { readonly person: Link }) {
  const created = useLoad((signal) => readCreated(id, signal), [id]);
  const empty = <p class="soft">No documents.</p>;
  return (
    <Card title="Created">
      <LoadedTable of={created} what="documents by creator" columns={COLUMNS} empty={empty} />
    </Card>
  );
}

/** Entries that are shown. */
const LAST = 10;

function Done({ person: { id } }: { readonly person: Link }) {
  const query = { 'filter[user.id]': JSON.stringify(id), sort: '-at', 'page[size]': String(LAST) };
  const entries = useLoad(async (signal) => (await list(pathOf(ENTRY), query, signal)).documents, [id]);
  return (
    <Card title="Last changes" actions={<a href={wayTo(['audit'], { 'user.id': id })}>Audit trail</a>}>
      <LoadedTable
        of={entries}
        what="changes"
        columns={ENTRY_COLUMNS}
        empty={<p class="soft">None while the audit trail was on.</p>}
      />
    </Card>
  );
}

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

/** Sessions, passkeys, identities and second factors of users, tokens of external users, and their end. */
function Logins({ open: { link, base, reload } }: { readonly open: Open }) {
  const logins = useLoad((signal) => readLogins(link, signal), [link.id, base.etag]);
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
            await change(link, {});
            notify('All tokens have ended.');
            reload();
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
