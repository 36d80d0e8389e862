/** Webhooks and their deliveries. */
import type { Json } from '../../../client/values.ts';
import { textOf } from '../../parts/json.ts';
import { ask } from '../../session/service.ts';
import { listOf } from '../../session/answers.ts';

export interface Webhook {
  readonly id: string;
  readonly target: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly filter: Json | undefined;
  readonly isActive: boolean;
  readonly secret: string;
}

interface Delivery {
  readonly id: string;
  readonly state: string;
  readonly event: string;
  readonly document: { readonly type: string; readonly id: string };
  readonly created: string;
  readonly tries: number;
  readonly failure: string | null;
  readonly 'given-up'?: string;
}

export interface Deliveries {
  readonly waiting: number;
  readonly dead: number;
  readonly deliveries: readonly Delivery[];
}

const PATH = '/webhooks/core.webhook';
export const EVENTS = ['create', 'update', 'delete'] as const;

export async function readWebhooks(signal: AbortSignal): Promise<readonly Webhook[]> {
  const answer = await ask('GET', PATH, { query: 'page[limit]=100', signal });
  return listOf(answer.body).map(({ id, attributes = {} }) => ({
    id,
    target: textOf(attributes['target']),
    url: textOf(attributes['url']),
    events: Array.isArray(attributes['events']) ? attributes['events'].map(textOf) : EVENTS,
    filter: attributes['filter'],
    isActive: attributes['active'] !== false,
    secret: textOf(attributes['secret']),
  }));
}

/** Makes a webhook, or changes one. */
export async function saveWebhook(id: string | undefined, attributes: object): Promise<void> {
  const data = { type: 'core.webhook', ...(id !== undefined && { id }), attributes };
  await ask(id === undefined ? 'POST' : 'PATCH', id === undefined ? PATH : `${PATH}/${id}`, {
    body: { data },
  });
}

export async function deleteWebhook(id: string): Promise<void> {
  await ask('DELETE', `${PATH}/${id}`);
}

export async function readDeliveries(id: string, signal: AbortSignal): Promise<Deliveries> {
  const { body } = await ask('GET', `${PATH}/${id}/deliveries`, { signal });
  return body.meta as unknown as Deliveries;
}

/** Sends deliveries again that were given up: one, or all. */
export async function sendAgain(webhook: string, delivery: string | undefined): Promise<void> {
  const ids = delivery === undefined ? '*' : [delivery];
  await ask('POST', `${PATH}/${webhook}/deliveries`, { body: { meta: { ids } } });
}
