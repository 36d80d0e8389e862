/**
 * Tells webhooks of a write: a message in the outbox for each that hears of it, in the transaction of the write. The message
 * holds the document as it is now, so that later writes change nothing of what was told.
 */
import { isLinks, linksOf, type Linkage } from '../../../domain/documents.ts';
import { secretFields } from '../../../domain/secrets.ts';
import type { TypeName } from '../../../domain/types.ts';
import { present, type Presentable } from '../../../domain/values/present.ts';
import type { WriteEvent } from '../../../domain/webhooks.ts';
import { unpackContent, type StoredDocument } from '../../../domain/values/stored.ts';
import type { Outbox } from '../../storage/outbox/outbox.ts';
import { holdsFor, type Webhooks } from '../../storage/secondary/webhooks.ts';

/** A document before a write, and after it; null where there is none. */
export interface Written {
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
}

/** To be called inside the transaction of a write. */
export function tellWebhooks(
  { webhooks, outbox }: { readonly webhooks: Webhooks; readonly outbox: Outbox },
  type: TypeName,
  { before, after, transaction }: Written & { readonly transaction: string | undefined },
  now: number,
): void {
  const event = eventOf(before, after);
  const hearing = webhooks.hearing(event);
  const told = after ?? before;
  if (hearing.length === 0 || told === null) return;
  let data: Presentable | null = null;
  for (const { webhook, rule } of hearing) {
    const holds = rule && holdsFor(rule, type);
    const found = holds && { matched: holds(before), matches: holds(after) };
    if (found !== null && !found.matched && !found.matches) continue;
    const meta = { ...found, ...(transaction !== undefined && { transaction }) };
    data ??= after === null ? { type, id: told.id } : shown(type, after);
    const body = {
      type: `${type}.${event}`,
      timestamp: new Date(now).toISOString(),
      data,
      ...(Object.keys(meta).length > 0 && { meta }),
    };
    const payload = JSON.stringify(body);
    outbox.put({ kind: 'webhook', addressee: webhook.id, key: told.id, about: event, payload }, now);
  }
}

function eventOf(before: StoredDocument | null, after: StoredDocument | null): WriteEvent {
  if (before === null) return 'create';
  return after === null ? 'delete' : 'update';
}

/** The document as a GET without ACL shows it, without its secrets, and without links: nobody asks by an address. */
function shown(type: TypeName, document: StoredDocument): Presentable {
  const { attributes, relationships } = unpackContent(document);
  const secret = secretFields(type);
  const seen = Object.entries(attributes).filter(([name]) => !secret.includes(name));
  const links = Object.entries(relationships).map(([name, linkage]) => [name, { data: linkageOf(linkage) }]);
  return {
    type,
    id: document.id,
    ...(seen.length > 0 && { attributes: present(Object.fromEntries(seen)) }),
    ...(links.length > 0 && { relationships: Object.fromEntries(links) as Presentable }),
  };
}

function linkageOf(linkage: Linkage): Presentable {
  if (linkage === null) return null;
  const links = linksOf(linkage).map(({ type, id }) => ({ type, id }));
  return isLinks(linkage) ? links : (links[0] ?? null);
}
