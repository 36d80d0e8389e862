/** Pages of types of the service that are words and columns: groups, accounts, identity providers, webhooks, mails. */
import { pathOf } from '../../client/paths.ts';
import type { Link, Resource } from '../../client/transport.ts';
import type { Json } from '../../client/values.ts';
import { MAIL_KINDS } from '../../domain/accounts/templates.ts';
import { Button, Copy, notify } from '../parts/button.tsx';
import { Collection, ID_COLUMN, nameColumn } from '../parts/collection.tsx';
import { FormButton } from '../parts/fields/dialog.tsx';
import { isItems, stringIn } from '../parts/fields/json.ts';
import { isoOf } from '../parts/fields/kinds.ts';
import { MembersCard } from '../parts/fields/members.tsx';
import { Card, Content, type Column } from '../parts/page.tsx';
import { Queue } from '../parts/queue.tsx';
import { Time } from '../parts/words.tsx';
import { askMeta, read, remove, useLoad } from '../session/service.ts';
import { describedPage, ownPage } from './document/own.tsx';
import { readDraft, sortOf } from './document/stored.ts';
import { changeMembers, GROUP, PERSONS, TAGS } from './users/people.ts';

const GROUPS = { properties: { data: { items: { properties: { type: { const: GROUP } } } } } };

export const accounts = describedPage(
  sortOf('core.account-settings', {
    title: ({ name }, id) => stringIn(name) || (id === undefined ? undefined : 'Account settings'),
    deletion: 'Nobody can sign up then, and mails let nobody in.',
    saved: 'Saved. It applies to every login from now on.',
    links: { groups: GROUPS, 'factor-groups': GROUPS },
  }),
  {
    lead: 'How people sign up and log in. New users join groups; users of factor-groups need a second factor.',
    empty: { title: 'Accounts are closed.', children: <p>Settings open them.</p> },
    show: [
      nameColumn('Name'),
      { head: 'Sign-up', cell: ({ attributes }) => stringIn(attributes?.['sign-up']) || 'closed' },
    ],
  },
);

export const providers = describedPage(sortOf('core.identity-provider'), {
  lead: 'Services that users log in with.',
  empty: {
    title: 'No providers yet.',
    children: <p>apple, github, gitlab, google and microsoft need no addresses.</p>,
  },
  show: [
    nameColumn('Name'),
    { head: 'Client id', class: 'mono', cell: ({ attributes }) => stringIn(attributes?.['client-id']) },
  ],
});

const GROUP_SORT = sortOf(GROUP, {
  fields: 'name',
  known: { name: { title: 'Name' } },
  deletion: 'Its members lose the rights that the group gave them.',
  below: ({ isNew, link: { id: group }, setBase }) =>
    !isNew && (
      <MembersCard
        title="Members"
        path={pathOf(GROUP, group, 'users')}
        tags={TAGS}
        empty="No members."
        adding="Add a member"
        removing={(name) => `Remove ${name}`}
        types={PERSONS}
        changed={(method, name) => `${name} was ${method === 'POST' ? 'added' : 'removed'}.`}
        onChange={async (method, link) => {
          await changeMembers(method, group, link);
          // The group has another tag now; what was typed of it stays.
          const now = await readDraft(GROUP_SORT, group);
          if (now !== null) setBase(now);
        }}
      />
    ),
});

export const groups = ownPage(
  GROUP_SORT,
  {
    lead: 'Members have the rights of their group.',
    wide: true,
    // The members of a group may be thousands.
    query: { [`fields[${GROUP}]`]: 'name' },
    searchAt: GROUP_SORT.steps,
    empty: { title: 'No groups yet.', children: <p>Give rights to a group of editors, for example.</p> },
    show: [nameColumn('Name'), ID_COLUMN],
  },
  () => ({ relationships: { users: [] } }),
);

const WEBHOOK = 'core.webhook';
const EVENTS = ['create', 'update', 'delete'] as const;

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('Documents', ({ attributes }) => stringIn(attributes?.['target'])),
  { head: 'URL', class: 'mono wrap', cell: ({ attributes }) => stringIn(attributes?.['url']) },
  { head: 'Events', cell: ({ attributes }) => eventsIn(attributes?.['events']).join(', ') },
  { head: 'State', cell: ({ attributes }) => (attributes?.['active'] === false ? 'paused' : 'active') },
  ID_COLUMN,
];

function eventsIn(events: Json | undefined): readonly string[] {
  return isItems(events) ? events.map(stringIn) : EVENTS;
}

const WEBHOOK_SORT = sortOf(WEBHOOK, {
  deletion: 'Pending calls are dropped.',
  // The secret is asked for where it can be copied.
  fields: 'target,url,events,filter,active',
  title: ({ target }, id) => (id === undefined ? undefined : stringIn(target)),
  known: {
    target: { title: 'Type of the documents' },
    url: { title: 'URL', description: 'A public address with https.' },
    filter: { title: 'Filter: which documents', format: 'filter' },
    events: { title: 'Events', type: 'array', items: { enum: EVENTS }, default: EVENTS },
    active: { title: 'Active: calls are made', type: 'boolean', default: true },
  },
  below: ({ isNew, link }) => !isNew && <Deliveries link={link} />,
});

export const webhooks = ownPage(
  WEBHOOK_SORT,
  {
    lead: 'Addresses to call when documents are created, changed or deleted.',
    empty: {
      title: 'No webhooks yet.',
      children: <p>Send a mail, update a search engine, or clear a cache.</p>,
    },
    show: COLUMNS,
  },
  () => ({ attributes: { events: EVENTS } }),
);

function Deliveries({ link }: { readonly link: Link }) {
  const { value } = useLoad((signal) => read(link, 'secret', signal), [link.id]);
  const secret = stringIn(value?.document.attributes?.['secret']);
  return (
    <Card title="Deliveries">
      <p class="hint">
        Calls are signed with a secret. {secret !== '' && <Copy text={secret} label="Copy the secret" />}
      </p>
      <Queue path={pathOf(link.type, link.id, 'deliveries')} one="call" many="calls" label="Calls" />
    </Card>
  );
}

const MAIL = 'core.mail';

/** Mails that the service has kept in place of sending them. Only their text is shown: no HTML runs. */
export function Mailbox() {
  return (
    <Collection
      title="Mailbox"
      lead="Mails that were kept in the place of sending them. They go after seven days."
      type={MAIL}
      what="mails"
      query={{ sort: '-created' }}
      actions={(reload) => <Button onClick={reload}>Refresh</Button>}
      above={<Queue path={pathOf(MAIL, 'deliveries')} one="mail" many="mails" label="Mails to be sent" />}
      empty={{ title: 'No mails.', children: <p>A service that sends its mails keeps none here.</p> }}
      more="Show older mails"
      show={(mails, reload) => mails.map((mail) => <Mail key={mail.id} mail={mail} onDeleted={reload} />)}
    />
  );
}

function Mail({ mail, onDeleted }: { readonly mail: Resource; readonly onDeleted: () => void }) {
  const { created, from, subject, text, to } = mail.attributes ?? {};
  return (
    <article class="card" aria-label={`Mail to ${stringIn(to)}`}>
      <header class="row spread">
        <div>
          <h2 class="wrap">{stringIn(subject)}</h2>
          <p class="soft wrap">
            To {stringIn(to)}, from {stringIn(from)}, <Time iso={isoOf(created)} />
          </p>
        </div>
        <FormButton
          words="Delete"
          look="danger"
          action="Delete the mail"
          isDanger
          onSubmit={async () => {
            await remove(mail);
            notify('The mail was deleted.');
            onDeleted();
          }}
        >
          <p>Nobody can read it any more.</p>
        </FormButton>
      </header>
      <MailText text={stringIn(text)} />
    </article>
  );
}

/** The text of a mail, in its paragraphs. */
function MailText({ text }: { readonly text: string }) {
  return text.split(/\n+/).map((line, index) => (
    <p key={index} class="wrap">
      {linked(line)}
    </p>
  ));
}

/** Addresses of the web lead there; what follows them in brackets or a sentence is no part of them. */
function linked(line: string) {
  return line.split(/(https?:\/\/[^\s<>"')]*[^\s<>"').,;:!?])/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={index} href={part} target="_blank" rel="noreferrer">
        {part}
      </a>
    ),
  );
}

const TEMPLATE = 'core.mail-template';

const TEMPLATE_SORT = sortOf(TEMPLATE, {
  known: {
    name: {
      title: 'Mail',
      description: `Its kind, perhaps with a language: ${MAIL_KINDS.join(', ')}, log-in.de…`,
    },
    subject: { title: 'Subject' },
    text: {
      title: 'Text',
      description: 'Paragraphs with empty lines between. {{link}} or {{code}} does what the mail is for.',
      format: 'lines',
    },
    html: { title: 'HTML', description: 'Optional. Without it, it is made of the text.', format: 'lines' },
  },
  deletion: 'Mails of this kind have the built-in text again.',
  below: ({ base, isNew, link }) => !isNew && <Preview key={base.etag} id={link.id} />,
});

export const templates = ownPage(TEMPLATE_SORT, {
  lead: 'Mails with your text in the place of ours.',
  query: { sort: 'name' },
  empty: { title: 'No templates yet.', children: <p>All mails have the built-in text.</p> },
  show: [
    nameColumn('Mail'),
    { head: 'Subject', class: 'wrap', cell: ({ attributes }) => stringIn(attributes?.['subject']) },
  ],
});

function Preview({ id }: { readonly id: string }) {
  const path = pathOf(TEMPLATE, id, 'preview');
  const preview = useLoad(
    (signal) => askMeta<Record<'subject' | 'text', string>>('GET', path, { signal }),
    [],
  );
  return (
    <Card title="Preview">
      <Content of={preview} what="the preview">
        {({ subject, text }) => (
          <>
            <h3>{subject}</h3>
            <MailText text={text} />
          </>
        )}
      </Content>
    </Card>
  );
}
