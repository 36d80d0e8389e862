/** Webhooks: who is called when documents change; and one of them, with what became of its calls. */
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { ID_COLUMN, nameColumn } from '../../parts/collection.tsx';
import { Copy } from '../../parts/button.tsx';
import { isItems, stringIn } from '../../parts/fields/json.ts';
import { Card } from '../../parts/page.tsx';
import { Queue } from '../../parts/queue.tsx';
import type { Column } from '../../parts/table.tsx';
import { read } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { ownPage } from '../document/own.tsx';
import type { Sort } from '../document/sort.ts';

const WEBHOOK = 'core.webhook';
const STEPS = ['webhooks'];
const EVENTS = ['create', 'update', 'delete'] as const;

const COLUMNS: readonly Column<Resource>[] = [
  nameColumn('Documents', STEPS, ({ attributes }) => stringIn(attributes?.['target'])),
  { head: 'URL', class: 'mono wrap', cell: ({ attributes }) => stringIn(attributes?.['url']) },
  { head: 'Events', cell: ({ attributes }) => eventsIn(attributes?.['events']).join(', ') },
  { head: 'State', cell: ({ attributes }) => (attributes?.['active'] === false ? 'paused' : 'active') },
  ID_COLUMN,
];

function eventsIn(events: Json | undefined): readonly string[] {
  return isItems(events) ? events.map(stringIn) : EVENTS;
}

const SORT: Sort = {
  type: WEBHOOK,
  steps: STEPS,
  all: 'Webhooks',
  what: 'webhook',
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
  below: (_, id) => id !== undefined && <Deliveries link={{ type: WEBHOOK, id }} />,
};

export default ownPage(
  SORT,
  {
    lead: 'Addresses to call when documents are created, changed or deleted.',
    empty: {
      title: 'No webhooks yet.',
      children: () => <p>Send a mail, update a search engine, or clear a cache.</p>,
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
