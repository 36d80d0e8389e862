/** Webhooks as they are pushed to the collections whose writes they hear of. */
import { isWriteEvent, WRITE_EVENTS } from '../../../domain/webhooks.ts';
import { isList, memberOf } from '../../../domain/values/tree.ts';
import type { PushedDocument } from '../../rpc/contract.ts';
import { unpackContent, type StoredDocument } from '../../../domain/values/stored.ts';
import type { Webhook } from '../../storage/secondary/webhooks.ts';
import type { Pushed } from './pushes.ts';

export function openWebhook(document: StoredDocument): Pushed<PushedDocument> {
  const { attributes } = unpackContent(document);
  const target = memberOf(attributes, 'target');
  const url = memberOf(attributes, 'url');
  const secret = memberOf(attributes, 'secret');
  const filter = memberOf(attributes, 'filter');
  const events = memberOf(attributes, 'events');
  if (typeof target !== 'string' || typeof url !== 'string' || typeof secret !== 'string') {
    throw new Error('A stored webhook is none.');
  }
  const webhook: Omit<Webhook, 'id'> = {
    url,
    secret,
    events: events !== undefined && isList(events) ? events.filter(isWriteEvent) : WRITE_EVENTS,
    // It is stored as JSON text, and null is no filter.
    filter: typeof filter === 'string' && filter !== 'null' ? filter : null,
    active: memberOf(attributes, 'active') !== false,
  };
  return { target, content: { id: document.id, content: JSON.stringify(webhook) } };
}
