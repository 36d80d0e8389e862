/** Users and external users: found by name, made, and opened. */
import { useState } from 'preact/hooks';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Page } from '../../parts/page.tsx';
import { go, replaceWith, route, wayTo } from '../../route.ts';
import type { PageProps } from '../props.ts';
import { Listing } from './listing.tsx';
import { NewPerson } from './new-person.tsx';
import { PERSON_TYPES, USER } from './people.ts';
import { PersonPage } from './person.tsx';
import { summaryOf } from './summary.tsx';

export default function Users({ steps: [type, id] }: PageProps) {
  const known = PERSON_TYPES.find(([each]) => each === type)?.[0];
  if (type !== undefined && id !== undefined) {
    return known === undefined ? <NoSuchType /> : <PersonPage key={id} type={known} id={id} />;
  }
  return <People type={known ?? USER} />;
}

function NoSuchType() {
  return (
    <Page title="There is no such page">
      <Empty title="Users are of type core.user or core.external-user.">
        <a href={wayTo(['users'])}>All users</a>
      </Empty>
    </Page>
  );
}

function People({ type }: { readonly type: (typeof PERSON_TYPES)[number][0] }) {
  const [isMaking, setMaking] = useState(false);
  const what = type === USER ? 'user' : 'external user';
  return (
    <Page
      title="Users"
      lead="Who logs in, and what the service knows of them."
      wide
      actions={
        <button
          class="button primary"
          type="button"
          onClick={() => {
            setMaking(true);
          }}
        >
          <Icon name="add" /> New {what}
        </button>
      }
    >
      <nav class="tabs" aria-label="Kinds of users">
        {PERSON_TYPES.map(([each, words]) => (
          <a key={each} href={wayTo(['users', each])} aria-current={each === type ? 'page' : undefined}>
            {words}
          </a>
        ))}
      </nav>
      <Listing
        key={type}
        type={type}
        what={type === USER ? 'users' : 'external users'}
        columns={type === USER ? ['User name', 'Other attributes'] : ['Name', 'Other attributes']}
        cells={(person) => [summaryOf(person)]}
        to={(person) => ['users', type, person.id]}
        text={route.value.query.get('q') ?? ''}
        after={route.value.query.get('after') ?? ''}
        onSeek={(query) => {
          replaceWith(wayTo(['users', type], query));
        }}
        empty={
          <Empty title={type === USER ? 'Nobody has an account yet.' : 'Nobody comes from elsewhere yet.'}>
            <p>
              {type === USER
                ? 'A user has a name and a password, and logs in with them.'
                : 'An external user is known to another service, which logs them in.'}
            </p>
          </Empty>
        }
      />
      {isMaking && (
        <NewPerson
          type={type}
          onClose={() => {
            setMaking(false);
          }}
          onMade={(id) => {
            go(wayTo(['users', type, id]));
          }}
        />
      )}
    </Page>
  );
}
