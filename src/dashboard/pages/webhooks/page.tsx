/** Webhooks: who is called when documents change, and what became of the calls. */
import { useState } from 'preact/hooks';
import { Confirm } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { tell } from '../../parts/toasts.tsx';
import { useLoad } from '../../session/load.ts';
import { DeliveryTable } from './deliveries.tsx';
import { WebhookDialog } from './edit.tsx';
import { deleteWebhook, readWebhooks, saveWebhook, type Webhook } from './webhooks.ts';

export default function Webhooks() {
  const [edited, setEdited] = useState<Webhook | 'new'>();
  const [doomed, setDoomed] = useState<Webhook>();
  const { value, error, reload } = useLoad(readWebhooks, []);
  const create = () => {
    setEdited('new');
  };
  return (
    <Page
      title="Webhooks"
      lead="Addresses that the service calls when documents are created, changed or deleted."
      actions={
        <button class="button primary" type="button" onClick={create}>
          <Icon name="add" /> New webhook
        </button>
      }
    >
      <Problems error={error} />
      {value === undefined && error === undefined && <Loading what="webhooks" />}
      {value?.length === 0 && (
        <Empty title="Nobody is called yet.">
          <p>A webhook sends a mail, feeds a search engine, or makes a cache forget.</p>
          <button class="button" type="button" onClick={create}>
            Make the first one
          </button>
        </Empty>
      )}
      {value?.map((webhook) => (
        <article class="card" key={webhook.id} aria-label={`Webhook for ${webhook.target}`}>
          <header class="card-head">
            <div>
              <h2>{webhook.target}</h2>
              <p class="mono wrap">{webhook.url}</p>
              <p class="soft">
                {webhook.events.join(', ')}
                {webhook.filter !== undefined && webhook.filter !== null && (
                  <>
                    {' '}
                    of <code>{JSON.stringify(webhook.filter)}</code>
                  </>
                )}
                {!webhook.isActive && ' · at rest'}
              </p>
            </div>
            <div class="actions">
              <button
                class="button"
                type="button"
                onClick={() => {
                  void saveWebhook(webhook.id, { active: !webhook.isActive }).then(reload);
                }}
              >
                {webhook.isActive ? 'Put to rest' : 'Wake'}
              </button>
              <button
                class="button"
                type="button"
                onClick={() => {
                  setEdited(webhook);
                }}
              >
                Change
              </button>
              <button
                class="button danger"
                type="button"
                onClick={() => {
                  setDoomed(webhook);
                }}
              >
                Delete
              </button>
            </div>
          </header>
          <DeliveryTable webhook={webhook.id} />
        </article>
      ))}
      {edited !== undefined && (
        <WebhookDialog
          webhook={edited === 'new' ? undefined : edited}
          onClose={() => {
            setEdited(undefined);
          }}
          onDone={reload}
        />
      )}
      {doomed && (
        <Confirm
          title="Delete the webhook"
          action="Delete the webhook"
          onClose={() => {
            setDoomed(undefined);
          }}
          onConfirm={async () => {
            await deleteWebhook(doomed.id);
            tell('The webhook was deleted.');
            reload();
          }}
        >
          <p>Calls that wait for it go with it.</p>
        </Confirm>
      )}
    </Page>
  );
}
