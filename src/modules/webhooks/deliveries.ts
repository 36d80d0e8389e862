/** The deliveries of a webhook, and of mails: shows those that wait or were given up, and sends the latter again. */
import { collectionOf } from '../../collection/rpc/client.ts';
import { MAILS, type MessageSummary, type QueueName } from '../../collection/rpc/maintenance/usage.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { CORE, storedType, type TypeName } from '../../domain/types.ts';
import { isList, textAt } from '../../domain/values/tree.ts';
import { memberAt } from '../../domain/values/json.ts';
import type { Answer, Handler, RequestContext } from '../endpoint.ts';

type Act = (context: RequestContext, type: TypeName, queue: QueueName) => Promise<Outcome<Answer>>;

const ofWebhook =
  (act: Act): Handler =>
  async (context) => {
    const type = await typeOf(context);
    const queue = { kind: 'webhook', addressee: context.parameters.id } as const;
    return type.ok ? act(context, type.value, queue) : type;
  };

const readQueue: Act = async (context, type, queue) => {
  const { waiting, dead, messages } = await collectionOf(context, type).calls.messages(queue);
  const deliveries = messages.map((message) => deliveryOf(message, type));
  return ok({ status: 200, document: { meta: { waiting, dead, deliveries } } });
};

const sendQueueAgain: Act = async (context, type, queue) => {
  const ids = idsOf(context.body);
  if (!ids.ok) return ids;
  const count = await collectionOf(context, type).calls.sendAgain(queue, ids.value);
  return ok({ status: 200, document: { meta: { count } } });
};

export const readDeliveries = ofWebhook(readQueue);
export const sendAgain = ofWebhook(sendQueueAgain);

/** The same of the mails of an application. */
export const readMails: Handler = (context) => readQueue(context, CORE.accountAction, MAILS);
export const sendMailsAgain: Handler = (context) => sendQueueAgain(context, CORE.accountAction, MAILS);

function deliveryOf(message: MessageSummary, type: TypeName) {
  const { id, state, document, about, created, tries, failure, died } = message;
  return {
    id,
    state,
    event: about,
    document: { type, id: document },
    created: new Date(created).toISOString(),
    tries,
    failure,
    ...(died !== null && { 'given-up': new Date(died).toISOString() }),
  };
}

/** The type that the webhook of the address is about. */
export async function typeOf(context: RequestContext): Promise<Outcome<TypeName>> {
  const { type, id } = context.parameters;
  const read = await collectionOf(context, type).read(id, context.access);
  const about = read.state === 'found' ? textAt(read.document.attributes, 'target') : undefined;
  return about === undefined
    ? fail('document-not-found', `There is no document ${id} of type ${type}.`)
    : ok(storedType(about));
}

/** `meta.ids`: those that are meant; null for all. */
function idsOf(body: RequestContext['body']): Outcome<readonly string[] | null> {
  const ids = memberAt(body, 'meta', 'ids');
  if (ids === '*') return ok(null);
  const texts = ids !== undefined && isList(ids) ? ids.filter((each) => typeof each === 'string') : [];
  if (ids !== undefined && isList(ids) && ids.length > 0 && texts.length === ids.length) return ok(texts);
  const detail = 'The ids are an array of ids of deliveries that were given up, or "*" for all of these.';
  return fail('invalid-body', detail, { pointer: '/meta/ids' });
}
