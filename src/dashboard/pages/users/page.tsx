/** Users and external users: found by name, made, and opened. */
import type { Resource } from '../../../client/transport.ts';
import { ID_COLUMN, nameColumn } from '../../parts/collection.tsx';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { wordsOfType } from '../../parts/fields/names.tsx';
import { Empty, Page } from '../../parts/page.tsx';
import { cut } from '../../parts/words.tsx';
import { go, wayTo, type PageProps } from '../../route.ts';
import { create } from '../../session/service.ts';
import { ownPage } from '../document/own.tsx';
import { EXTERNAL_USER, PEOPLE, USER, type PersonType } from './people.ts';
import { personSort } from './person.tsx';

const TYPES = [USER, EXTERNAL_USER] as const;

function pageOf(type: PersonType) {
  const { name, about } = PEOPLE[type];
  const sort = personSort(type);
  const { steps, all, what } = sort;
  return ownPage(sort, {
    lead: 'People who log in.',
    wide: true,
    searchAt: steps,
    actions: () => (
      <FormButton<'username' | 'password' | 'name'>
        words={`New ${what}`}
        look="primary"
        icon="add"
        action="Create"
        fields={type === USER ? [...ACCOUNT, NAME] : [NAME]}
        onSubmit={async ({ username, password, name: typed }) => {
          const attributes = {
            ...(type === USER && { username: username.trim(), password }),
            ...(typed.trim() !== '' && { name: typed.trim() }),
          };
          const made = await create(type, { attributes });
          if (made !== null) go(wayTo([...steps, made.id]));
        }}
      />
    ),
    above: (
      <nav class="tabs" aria-label="Kinds of users">
        {TYPES.map((each) => (
          <a key={each} href={wayTo(['users', each])} aria-current={each === type ? 'page' : undefined}>
            {wordsOfType(each).all}
          </a>
        ))}
      </nav>
    ),
    empty: { title: `No ${all.toLowerCase()} yet.`, children: <p>{about}</p> },
    show: [nameColumn(name), { head: 'Other attributes', cell: summaryOf }, ID_COLUMN],
  });
}

const PAGES = { [USER]: pageOf(USER), [EXTERNAL_USER]: pageOf(EXTERNAL_USER) };

export default function Users({ steps: [type = USER, ...steps] }: PageProps) {
  const known = TYPES.find((each) => each === type);
  if (known === undefined && steps.length > 0)
    return (
      <Page title="Page not found">
        <Empty title="Users are of type core.user or core.external-user.">
          <a href={wayTo(['users'])}>All users</a>
        </Empty>
      </Page>
    );
  const Shown = PAGES[known ?? USER];
  return <Shown steps={steps} />;
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
