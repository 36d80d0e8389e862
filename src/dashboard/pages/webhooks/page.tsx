/** Webhooks: who is called when documents change, and what became of the calls. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { Button } from '../../parts/button.tsx';
import { Collection } from '../../parts/collection.tsx';
import { Copy } from '../../parts/copy.tsx';
import { DeleteButton, FormButton } from '../../parts/fields/dialog.tsx';
import { isItems, stringIn } from '../../parts/fields/json.ts';
import { Problems } from '../../parts/problems.tsx';
import { Queue } from '../../parts/queue.tsx';
import { useRun } from '../../parts/run.ts';
import { change, create } from '../../session/documents.ts';

const WEBHOOK = 'core.webhook';
const EVENTS = ['create', 'update', 'delete'] as const;

export default function Webhooks() {
  return (
    <Collection
      title="Webhooks"
      lead="Addresses to call when documents are created, changed or deleted."
      type={WEBHOOK}
      what="webhooks"
      actions={(reload) => <WebhookForm words="New webhook" look="primary" icon="add" onDone={reload} />}
      empty={{
        title: 'No webhooks yet.',
        children: (reload) => (
          <>
            <p>Send a mail, update a search engine, or clear a cache.</p>
            <WebhookForm words="Create the first one" onDone={reload} />
          </>
        ),
      }}
      show={(rows, reload) =>
        rows.map((row) => <Card key={row.id} webhook={webhookOf(row)} onChanged={reload} />)
      }
    />
  );
}

type Webhook = ReturnType<typeof webhookOf>;

function webhookOf({ id, attributes = {} }: Resource) {
  const { target, url, events, filter = null, active, secret } = attributes;
  return {
    id,
    target: stringIn(target),
    url: stringIn(url),
    events: isItems(events) ? events.map(stringIn) : EVENTS,
    /** Null for all documents. */
    filter,
    isActive: active !== false,
    secret: stringIn(secret),
  };
}

function Card({ webhook, onChanged }: { readonly webhook: Webhook; readonly onChanged: () => void }) {
  const { id, target, url, events, filter, isActive } = webhook;
  const link = { type: WEBHOOK, id };
  const turning = useRun(async () => {
    await change(link, { attributes: { active: !isActive } });
    onChanged();
  });
  return (
    <article class="card" aria-label={`Webhook for ${target}`}>
      <header class="row spread">
        <div>
          <h2>{target}</h2>
          <p class="mono wrap">{url}</p>
          <p class="soft">
            {events.join(', ')}
            {filter !== null && (
              <>
                {' '}
                of <code>{JSON.stringify(filter)}</code>
              </>
            )}
            {!isActive && ' · paused'}
          </p>
        </div>
        <div class="row">
          <Button onClick={turning.run}>{isActive ? 'Pause' : 'Resume'}</Button>
          <WebhookForm words="Change" webhook={webhook} onDone={onChanged} />
          <DeleteButton link={link} what="webhook" onDone={onChanged}>
            Pending calls are dropped.
          </DeleteButton>
        </div>
      </header>
      <Problems error={turning.error} />
      <Queue
        path={pathOf(WEBHOOK, webhook.id, 'deliveries')}
        one="call"
        many="calls"
        label={`Calls for ${webhook.target} to ${webhook.url}`}
      />
    </article>
  );
}

interface WebhookFormProps {
  readonly words: string;
  readonly look?: 'primary';
  readonly icon?: 'add';
  /** Undefined for a new one. */
  readonly webhook?: Webhook;
  readonly onDone: () => void;
}

function WebhookForm({ webhook, onDone, ...button }: WebhookFormProps) {
  const { id, target, url, events = EVENTS, filter = null, secret = '' } = webhook ?? {};
  return (
    <FormButton
      {...button}
      title={id === undefined ? 'New webhook' : 'Change the webhook'}
      action="Save webhook"
      fields={[
        { name: 'target', label: 'Type of the documents', required: true, first: target },
        {
          name: 'url',
          label: 'URL',
          required: true,
          first: url,
          hint: 'A public address with https.',
          placeholder: 'https://example.com/hooks',
        },
        {
          name: 'filter',
          label: 'Filter',
          first: filter === null ? '' : JSON.stringify(filter),
          hint: 'JSON, as in a search. Empty: every document.',
          placeholder: '{"total": {"$gte": 100}}',
        },
        { name: 'events', label: 'Events', kind: 'ticks', options: EVENTS, first: events.join() },
      ]}
      onSubmit={async (values) => {
        const wanted = values.filter.trim() === '' ? null : (JSON.parse(values.filter) as Json);
        const chosen = values.events.split(',').filter((event) => event !== '');
        const sent = { target: values.target, url: values.url, events: chosen };
        const attributes = { ...sent, ...(wanted !== filter && { filter: wanted }) };
        if (id === undefined) await create(WEBHOOK, { attributes });
        else await change({ type: WEBHOOK, id }, { attributes });
        onDone();
      }}
    >
      {secret !== '' && (
        <p class="hint">
          Calls are signed with a secret. <Copy text={secret} label="Copy the secret" />
        </p>
      )}
    </FormButton>
  );
}
