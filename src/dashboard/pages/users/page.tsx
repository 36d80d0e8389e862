/** Users and external users: found by name, made, and opened. */
import type { Resource } from '../../../client/transport.ts';
import { Collection, Creating, ID_COLUMN, nameColumn } from '../../parts/collection.tsx';
import { Empty, Page } from '../../parts/page.tsx';
import { cut } from '../../parts/words.tsx';
import { wayTo, type PageProps } from '../../route.ts';
import { EXTERNAL_USER, PEOPLE, USER, type PersonType } from './people.ts';
import { PersonPage } from './person.tsx';

const TYPES = [USER, EXTERNAL_USER] as const;

export default function Users({ steps: [type, id] }: PageProps) {
  const known = TYPES.find((each) => each === type);
  if (type === undefined || id === undefined) return <People type={known ?? USER} />;
  if (known !== undefined) return <PersonPage key={id} type={known} id={id} />;
  return (
    <Page title="Page not found">
      <Empty title="Users are of type core.user or core.external-user.">
        <a href={wayTo(['users'])}>All users</a>
      </Empty>
    </Page>
  );
}

function People({ type }: { readonly type: PersonType }) {
  const { all, one, name, about } = PEOPLE[type];
  const steps = ['users', type];
  return (
    <Collection
      key={type}
      title="Users"
      lead="People who log in."
      wide
      type={type}
      what={`${one}s`}
      searchAt={steps}
      actions={() => (
        <Creating<'username' | 'password' | 'name'>
          type={type}
          words={`New ${one}`}
          steps={steps}
          fields={type === USER ? [...ACCOUNT, NAME] : [NAME]}
          sent={({ username, password, name: typed }) => ({
            attributes: {
              ...(type === USER && { username: username.trim(), password }),
              ...(typed.trim() !== '' && { name: typed.trim() }),
            },
          })}
        />
      )}
      above={
        <nav class="tabs" aria-label="Kinds of users">
          {TYPES.map((each) => (
            <a key={each} href={wayTo(['users', each])} aria-current={each === type ? 'page' : undefined}>
              {PEOPLE[each].all}
            </a>
          ))}
        </nav>
      }
      empty={{ title: `No ${all.toLowerCase()} yet.`, children: () => <p>{about}</p> }}
      show={[nameColumn(name, steps), { head: 'Other attributes', cell: summaryOf }, ID_COLUMN]}
    />
  );
}

/** What is told elsewhere, or nobody's to read. */
const PASSED_OVER: ReadonlySet<string> = new Set(['username', 'password', 'name']);
/** Characters of a value. */
const LONGEST = 60;

/** The attributes of a person in one line: whatever a client has stored, as text. */
function summaryOf({ attributes = {} }: Resource) {
  const others = Object.entries(attributes).filter(([name]) => !PASSED_OVER.has(name));
  const name = 'username' in attributes ? attributes['name'] : undefined;
  const names = name === undefined ? others : [['name', name] as const, ...others];
  return (
    <span class="row">
      {names.map(([each, value]) => (
        <span key={each}>
          <span class="soft">{each}</span>{' '}
          {cut(typeof value === 'string' ? value : JSON.stringify(value), LONGEST)}
        </span>
      ))}
    </span>
  );
}

const ACCOUNT = [
  {
    name: 'username',
    label: 'User name',
    required: true,
    autofocus: true,
    hint: 'At least 3 letters, digits and _ - . @',
  },
  {
    name: 'password',
    label: 'Password',
    kind: 'password',
    required: true,
    autocomplete: 'new-password',
    hint: 'At least 6 characters. It is stored as a hash.',
  },
] as const;
const NAME = {
  name: 'name',
  label: 'Name',
  hint: 'Optional. Add other attributes later.',
} as const;
