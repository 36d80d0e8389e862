/** A webhook as a form. */
import { useState } from 'preact/hooks';
import { Copy } from '../../parts/copy.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { EVENTS, saveWebhook, type Webhook } from './webhooks.ts';

interface WebhookDialogProps {
  /** Undefined for a new one. */
  readonly webhook: Webhook | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function WebhookDialog({ webhook, onClose, onDone }: WebhookDialogProps) {
  const [target, setTarget] = useState(webhook?.target ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? EVENTS);
  const [filter, setFilter] = useState(
    webhook?.filter === undefined || webhook.filter === null ? '' : JSON.stringify(webhook.filter),
  );
  const submit = async () => {
    const parsed: unknown = filter.trim() === '' ? null : JSON.parse(filter);
    await saveWebhook(webhook?.id, {
      target,
      url,
      events,
      ...((parsed !== null || webhook !== undefined) && { filter: parsed }),
    });
    onDone();
    onClose();
  };
  return (
    <FormDialog
      title={webhook === undefined ? 'New webhook' : 'Change the webhook'}
      action="Save webhook"
      onClose={onClose}
      onSubmit={submit}
    >
      <TextField label="Type of the documents" required value={target} onText={setTarget} />
      <TextField
        label="URL"
        required
        value={url}
        onText={setUrl}
        hint="A public address with https."
        placeholder="https://example.com/hooks"
      />
      <fieldset>
        <legend>Events</legend>
        {EVENTS.map((event) => (
          <label class="check" key={event}>
            <input
              type="checkbox"
              checked={events.includes(event)}
              onChange={(change) => {
                const isOn = change.currentTarget.checked;
                setEvents(EVENTS.filter((each) => (each === event ? isOn : events.includes(each))));
              }}
            />
            {event}
          </label>
        ))}
      </fieldset>
      <TextField
        label="Filter"
        value={filter}
        onText={setFilter}
        hint="JSON, as a search takes it. Empty: every document."
        placeholder='{"total": {"$gte": 100}}'
      />
      {webhook !== undefined && webhook.secret !== '' && (
        <p class="hint">
          Calls are signed with a secret. <Copy text={webhook.secret} label="Copy the secret" />
        </p>
      )}
    </FormDialog>
  );
}
