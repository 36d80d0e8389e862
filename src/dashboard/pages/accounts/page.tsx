/** How people sign up and log in (docs/accounts.md): the settings of accounts, and the identity providers. */
import { nameColumn } from '../../parts/collection.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { describedPage } from '../document/own.tsx';
import { GROUP } from '../users/people.ts';

const ACCOUNTS = 'core.account-settings';
const STEPS = ['accounts'];

const GROUPS = { properties: { data: { items: { properties: { type: { const: GROUP } } } } } };

export default describedPage(
  {
    type: ACCOUNTS,
    steps: STEPS,
    all: 'Accounts',
    what: 'setting',
    title: ({ name }, id) => stringIn(name) || (id === undefined ? undefined : 'Account settings'),
    deletion: 'Nobody can sign up then, and mails let nobody in.',
    saved: 'Saved. It applies to every login from now on.',
    links: { groups: GROUPS, 'factor-groups': GROUPS },
  },
  {
    lead: 'How people sign up and log in. New users join groups; users of factor-groups need a second factor.',
    empty: { title: 'Accounts are closed.', children: () => <p>Settings open them.</p> },
    show: [
      nameColumn('Name', STEPS),
      { head: 'Sign-up', cell: ({ attributes }) => stringIn(attributes?.['sign-up']) || 'closed' },
    ],
  },
);

const OF_PROVIDERS = ['providers'];

export const Providers = describedPage(
  { type: 'core.identity-provider', steps: OF_PROVIDERS, all: 'Identity providers', what: 'provider' },
  {
    lead: 'Services that users log in with.',
    empty: {
      title: 'No providers yet.',
      children: () => <p>apple, github, gitlab, google and microsoft need no addresses.</p>,
    },
    show: [
      nameColumn('Name', OF_PROVIDERS),
      { head: 'Client id', class: 'mono', cell: ({ attributes }) => stringIn(attributes?.['client-id']) },
    ],
  },
);
