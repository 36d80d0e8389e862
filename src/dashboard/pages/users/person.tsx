/** One user or external user: attributes, password, groups, tokens, and their end. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { DeleteButton, FormButton } from '../../parts/dialog.tsx';
import { JsonForm } from '../../parts/json-form.tsx';
import { membersIn } from '../../parts/json.ts';
import { isoOf } from '../../parts/kinds.ts';
import { MembersCard } from '../../parts/members.tsx';
import { Opened, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { LoadedTable } from '../../parts/table.tsx';
import { tell } from '../../parts/toasts.tsx';
import { Time } from '../../parts/words.tsx';
import { goFreely, wayTo } from '../../route.ts';
import { change, list, read, remove, type Stored } from '../../session/documents.ts';
import { useLoad, type Loaded } from '../../session/load.ts';
import {
  calledOf,
  changeMembers,
  endAllTokens,
  EXTERNAL_USER,
  GROUP,
  PEOPLE,
  USER,
  type PersonType,
} from './people.ts';

export function PersonPage({ type, id }: { readonly type: PersonType; readonly id: string }) {
  const link = { type, id };
  const person = useLoad((signal) => read(link, '', signal), [type, id]);
  const above = <a href={wayTo(['users', type])}>{PEOPLE[type].all}</a>;
  return (
    <Opened of={person} title={PEOPLE[type].one} above={above} what="user">
      {(stored) => {
        const name = calledOf(stored.document);
        return (
          <Page
            title={name}
            above={above}
            lead={<code>{id}</code>}
            actions={<Actions link={link} name={name} stored={stored} onDone={person.reload} />}
          >
            <Problems error={person.error} />
            <Attributes key={stored.etag} stored={stored} onSaved={person.refresh} />
            <Groups person={link} />
            <Tokens person={link} onEnded={person.reload} />
          </Page>
        );
      }}
    </Opened>
  );
}

interface ActionsProps {
  readonly link: Link;
  readonly name: string;
  readonly stored: Stored;
  readonly onDone: () => void;
}

function Actions({ link, name, stored, onDone }: ActionsProps) {
  return (
    <>
      {link.type === USER && (
        <FormButton
          words="Set password"
          title={`Set the password of ${name}`}
          action="Set password"
          fields={[
            {
              name: 'password',
              label: 'New password',
              kind: 'password',
              required: true,
              autofocus: true,
              autocomplete: 'new-password',
              hint: 'At least 6 characters. It logs the user out everywhere.',
            },
          ]}
          onSubmit={async (attributes) => {
            await change(link, { attributes }, stored.etag);
            tell(`${name} has a new password. All tokens have ended.`);
            onDone();
          }}
        />
      )}
      <DeleteButton
        link={link}
        title={`Delete ${name}?`}
        action="Delete the user"
        told={`${name} was deleted.`}
        onDone={() => {
          goFreely(wayTo(['users', link.type]));
        }}
      >
        It logs the user out everywhere. Documents of the user are kept.
      </DeleteButton>
    </>
  );
}

interface AttributesProps {
  readonly stored: Stored;
  readonly onSaved: () => Promise<void>;
}

/** All attributes but the password: that is set elsewhere, and shown nowhere. */
function Attributes({ stored: { document, etag }, onSaved }: AttributesProps) {
  const { password: _, ...shown } = document.attributes ?? {};
  const save = async (text: string) => {
    const attributes = membersIn(text, 'Attributes');
    const changed = Object.entries(attributes).filter(
      ([name, value]) => JSON.stringify(shown[name]) !== JSON.stringify(value),
    );
    const removed = Object.keys(shown).filter((name) => !Object.hasOwn(attributes, name));
    const update = { $unset: Object.fromEntries(removed.map((name) => [name, true])) };
    const sent = { attributes: Object.fromEntries(changed), ...(removed.length > 0 && { meta: { update } }) };
    await change(document, sent, etag);
    await onSaved();
    return 'Saved. All tokens of this user have ended.';
  };
  return (
    <section class="card">
      <h2>Attributes</h2>
      <JsonForm
        label="Attributes"
        editorLabel="Attributes as JSON"
        what="This user"
        first={JSON.stringify(shown, null, 2)}
        pointer="/data/attributes"
        hint="Changes log the user out."
        onSave={save}
      />
    </section>
  );
}

function Groups({ person }: { readonly person: Link }) {
  const groups = useLoad(
    (signal) => {
      const filter = { 'filter[users.id]': JSON.stringify({ $oid: person.id }) };
      return list(pathOf(GROUP), { ...filter, [`fields[${GROUP}]`]: 'name', 'page[size]': '1000' }, signal);
    },
    [person.id],
  );
  return (
    <MembersCard
      title="Groups"
      of={groups}
      membersIn={({ documents }) =>
        documents.map(({ type, id, attributes = {} }) => ({
          link: { type, id },
          name: calledOf({ attributes }),
          to: ['groups', id],
        }))
      }
      empty="In no group."
      adding="Add to a group"
      removing={(name) => `Remove from ${name}`}
      types={[[GROUP, 'Group']]}
      onChange={async (method, { id }, name) => {
        await changeMembers(method, id, person);
        tell(`${method === 'POST' ? 'Added to' : 'Removed from'} ${name}.`);
      }}
    />
  );
}

/** The logins of a person: how they are ended. */
function Tokens({ person, onEnded }: { readonly person: Link; readonly onEnded: () => void }) {
  const tokens = useLoad((signal) => readTokens(person, signal), [person.id]);
  return (
    <section class="card" aria-label="Tokens">
      <header class="row spread">
        <h2>Tokens</h2>
        <FormButton
          words="End all tokens"
          look="danger"
          title="End all tokens?"
          action="End all tokens"
          isDanger
          onSubmit={async () => {
            await endAllTokens(person);
            tell('All tokens have ended.');
            tokens.reload();
            onEnded();
          }}
        >
          <p>It logs the user out everywhere.</p>
        </FormButton>
      </header>
      {person.type === EXTERNAL_USER ? (
        <ExternalTokens tokens={tokens} />
      ) : (
        <p class="soft">A login lasts 30 days. Any change of the user ends it.</p>
      )}
    </section>
  );
}

const TOKEN = 'core.external-user.token';

/** Those of external users. What they are worth is not asked for: no page shows it. */
async function readTokens({ type, id }: Link, signal: AbortSignal): Promise<readonly Resource[]> {
  if (type !== EXTERNAL_USER) return [];
  const query = {
    'filter[user.id]': JSON.stringify({ $oid: id }),
    [`fields[${TOKEN}]`]: 'created',
    sort: '-created',
    'page[size]': '1000',
  };
  return (await list(pathOf(TOKEN), query, signal)).documents;
}

function ExternalTokens({ tokens }: { readonly tokens: Loaded<readonly Resource[]> }) {
  const ending = useRun(async (token: Link) => {
    await remove(token);
    tokens.reload();
  });
  return (
    <>
      <Problems error={ending.error} />
      <LoadedTable
        of={tokens}
        what="tokens"
        columns={[
          { head: 'Logged in', cell: ({ attributes }) => <Time iso={isoOf(attributes?.['created'])} /> },
          { head: 'Token id', cell: ({ id }) => <code>{id}</code> },
          {
            head: 'Actions',
            isUnseen: true,
            class: 'number',
            cell: ({ type, id }) => (
              <Button
                look="link"
                label={`End the token ${id}`}
                onClick={() => {
                  ending.run({ type, id });
                }}
              >
                End
              </Button>
            ),
          },
        ]}
        empty={<p class="soft">Not logged in.</p>}
      />
    </>
  );
}
