/**
 * Tells others of a write, by messages in the outbox, in the transaction of the write: webhooks, and by their carriers
 * mails and files (docs/files.md). Types that tell nobody pay nothing.
 */
import { linksOf, type Linkage } from '../../../domain/documents.ts';
import { secretFields } from '../../../domain/secrets.ts';
import { type TypeName, CORE } from '../../../domain/types.ts';
import { present, type Presentable } from '../../../domain/values/present.ts';
import type { WriteEvent } from '../../../domain/webhooks.ts';
import { unpackContent, type StoredDocument, type StoredContent } from '../../../domain/values/stored.ts';
import type { Outbox } from '../../storage/outbox/outbox.ts';
import { holdsFor, type Webhooks } from '../../storage/secondary/webhooks.ts';
import { accountActionOf, isOf, KINDS } from '../../../domain/accounts/settings.ts';
import { typeInfo } from '../../../domain/types/facts.ts';
import { decodeFields } from '../../../domain/values/codec.ts';
import { MAILS } from '../../rpc/maintenance/usage.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { isList, memberOf } from '../../../domain/values/tree.ts';
import type { SettingsReader } from '../../storage/type-settings.ts';
import { LIMITS, WORK } from '../../../domain/limits.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { WorkBudget } from '../../../domain/work/work.ts';
import type { DocumentReader } from '../../storage/documents/documents.ts';

/** A document before a write, and after it; null where there is none. */
export interface Written {
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
}

/** A message holds the document as it is now, so later writes change nothing of what was told. `work`: of a list. */
export function notifyWebhooks(
  { webhooks, outbox }: { readonly webhooks: Webhooks; readonly outbox: Outbox },
  type: TypeName,
  { before, after, transaction }: Written & { readonly transaction: string | undefined },
  work: WorkBudget | undefined,
): void {
  const now = Date.now();
  const event = eventOf(before, after);
  const hearing = webhooks.hearing(event);
  const document = after ?? before;
  if (hearing.length === 0 || document === null) return;
  let data: Presentable | null = null;
  for (const { webhook, rule } of hearing) {
    // Only patterns take long: what they spend of the list's budget decides nothing of other filters.
    const shared = webhook.filter?.includes('$regex') === true ? work : undefined;
    const holds = rule && holdsFor(rule, type, new WorkBudget(WORK.webhookFilter, shared));
    const found = holds && { matched: holds(before), matches: holds(after) };
    if (found !== null && !found.matched && !found.matches) continue;
    const meta = { ...found, ...(transaction !== undefined && { transaction }) };
    data ??= after === null ? { type, id: document.id } : shown(type, after);
    const body = {
      type: `${type}.${event}`,
      timestamp: new Date(now).toISOString(),
      data,
      ...(Object.keys(meta).length > 0 && { meta }),
    };
    const payload = JSON.stringify(body);
    outbox.put({ kind: 'webhook', addressee: webhook.id, key: document.id, about: event, payload }, now);
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
  return isList(linkage) ? links : (links[0] ?? null);
}

/**
 * Notes a mail about a document. Only its delivery finds out whether there is an addressee: so the request that began
 * it takes the same time, and writes the same, for every address.
 */
export function noteMail(outbox: Outbox, type: TypeName, { before, after }: Written): void {
  if (typeInfo(type).mailed !== true || before !== null || after === null) return;
  const action = accountActionOf(decodeFields(after.body));
  // A ceremony of a passkey is answered at once.
  if (!isOf(action, KINDS)) return;
  outbox.put({ ...MAILS, key: after.id, about: action.kind, payload: '' }, Date.now());
}

/** Notes the files that a document has before a change and not after it; null for a deletion. */
export function noteReleased(
  { outbox, settings }: { readonly outbox: Outbox; readonly settings: SettingsReader },
  before: StoredContent,
  after: StoredContent | null,
): void {
  const names = settings.current?.files ?? [];
  if (names.length === 0 || before.relationships === null) return;
  const kept = after === null ? [] : filesOf(after, names);
  for (const id of new Set(filesOf(before, names))) {
    if (kept.includes(id)) continue;
    outbox.put({ kind: 'file', addressee: 'files', key: id, about: 'a file', payload: '' }, Date.now());
  }
}

function filesOf(content: StoredContent, names: readonly string[]): readonly DocumentId[] {
  const { relationships } = unpackContent(content);
  return names
    .flatMap((name) => linksOf(memberOf(relationships, name) ?? null))
    .flatMap(({ type, id }) => (type === CORE.file ? id : []));
}

/** Refuses a webhook, new or changed, that is one too many: each makes every write of its type dearer. */
export function fanOutOf(
  records: DocumentReader,
  type: TypeName,
  id: DocumentId,
  content: StoredContent,
): Outcome<null> {
  if (typeInfo(type).pushed !== 'webhooks') return ok(null);
  const target = targetOf(content);
  const others = [...records.all()].filter((other) => other.id !== id);
  const ofTarget = others.filter((other) => targetOf(other) === target);
  if (others.length < LIMITS.webhooks && ofTarget.length < LIMITS.webhooksOfType) return ok(null);
  const detail = `An application has at most ${LIMITS.webhooks} webhooks, and ${LIMITS.webhooksOfType} for one type.`;
  return fail('invalid-attribute', detail, { pointer: pointerOf(placeOf('data', 'attributes', 'target')) });
}

function targetOf(content: StoredContent): unknown {
  return memberOf(unpackContent(content).attributes, 'target');
}
