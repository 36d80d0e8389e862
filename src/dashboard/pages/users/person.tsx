/** One user or external user: attributes, password, groups, logins, documents, changes, and their end. */
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { DeleteButton, FormButton } from '../../parts/dialog.tsx';
import { JsonForm } from '../../parts/json-form.tsx';
import { membersIn } from '../../parts/json.ts';
import { MembersCard } from '../../parts/members.tsx';
import { Opened, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { goFreely, wayTo } from '../../route.ts';
import { change, list, read, type Stored } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { calledOf, changeMembers, GROUP, PEOPLE, USER, type PersonType } from './people.ts';
import { Logins } from './logins.tsx';
import { Done, Theirs } from './theirs.tsx';

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
            <Logins person={link} onEnded={person.reload} />
            <Theirs person={link} />
            <Done person={link} />
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
