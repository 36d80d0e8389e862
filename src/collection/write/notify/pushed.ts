/** The documents that are pushed to the collections of other types: what each kind pushes, and how it arrives. */
import { readTypeSettings, type TypeSettings } from '../../../domain/types/settings.ts';
import type { PushedPart } from '../../../domain/types/facts.ts';
import { isList, memberOf } from '../../../domain/values/tree.ts';
import { unpackContent, type StoredDocument } from '../../../domain/values/stored.ts';
import { isWriteEvent, WRITE_EVENTS } from '../../../domain/webhooks.ts';
import type { PushedDocument, Remote } from '../../rpc/contract.ts';
import type { Webhook } from '../../storage/secondary/webhooks.ts';

/** A document as it is pushed: the type that it is for, and what of it is pushed. */
interface Pushed<T> {
  readonly target: string;
  readonly content: T;
}

interface Kind {
  /** The table of what is still to be pushed. */
  readonly table: string;
  readonly targetOf: (document: StoredDocument) => string;
  /** Sends all that is for a target, of all documents there are. `number` orders these calls. */
  readonly send: (
    calls: Remote,
    number: number,
    target: string,
    documents: Iterable<StoredDocument>,
  ) => Promise<void>;
}

export const PUSHED: Readonly<Record<PushedPart, Kind>> = {
  schemas: kindOf('pushes', openSchema, (calls, number, pushed) =>
    calls.setPushed('schemas', number, pushed),
  ),
  webhooks: kindOf('webhook_pushes', openWebhook, (calls, number, pushed) =>
    calls.setPushed('webhooks', number, pushed),
  ),
  settings: kindOf('adoptions', openSettings, (calls, number, [settings = null]) =>
    calls.settleSettings(number, settings),
  ),
};

/** `open` throws for a document that cannot have been stored. */
function kindOf<T>(
  table: string,
  open: (document: StoredDocument) => Pushed<T>,
  send: (calls: Remote, number: number, pushed: readonly T[]) => Promise<void>,
): Kind {
  return {
    table,
    targetOf: (document) => open(document).target,
    send: (calls, number, target, documents) => {
      const contents: T[] = [];
      for (const document of documents) {
        const pushed = open(document);
        if (pushed.target === target) contents.push(pushed.content);
      }
      return send(calls, number, contents);
    },
  };
}

function openSchema(document: StoredDocument): Pushed<PushedDocument> {
  const { attributes } = unpackContent(document);
  const target = memberOf(attributes, 'target');
  const content = memberOf(attributes, 'content');
  if (typeof target !== 'string' || typeof content !== 'string') throw new Error('A stored schema is none.');
  return { target, content: { id: document.id, content } };
}

function openWebhook(document: StoredDocument): Pushed<PushedDocument> {
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

export function openSettings(document: StoredDocument): Pushed<TypeSettings> {
  const { attributes } = unpackContent(document);
  const target = memberOf(attributes, 'name');
  if (typeof target !== 'string') throw new Error('Stored settings of a type are none.');
  // Faults were refused when the settings were written.
  return { target, content: readTypeSettings(attributes, () => undefined) };
}
