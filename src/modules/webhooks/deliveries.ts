/** The deliveries of a webhook: those that wait or were given up are shown, and the latter are sent again. */
import { collectionOf } from '../../collection/rpc/client.ts';
import type { LetterTold } from '../../collection/rpc/upkeep/letters.ts';
import { fail, ok, type Outcome } from '../../domain/problems.ts';
import { keptType, type TypeName } from '../../domain/types.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { isParsedObject } from '../../domain/values/json.ts';
import type { Exchange, Handler } from '../endpoint.ts';
import { typeOfWebhook } from './kind.ts';

export const readDeliveries: Handler = async (exchange) => {
  const type = await typeOf(exchange);
  if (!type.ok) return type;
  const { id } = exchange.parameters;
  const { waiting, dead, letters } = await collectionOf(exchange, type.value).letters(id);
  const deliveries = letters.map((letter) => deliveryOf(letter, type.value));
  return ok({ status: 200, document: { meta: { waiting, dead, deliveries } } });
};

export const sendAgain: Handler = async (exchange) => {
  const type = await typeOf(exchange);
  if (!type.ok) return type;
  const ids = idsOf(exchange.body);
  if (!ids.ok) return ids;
  const { id } = exchange.parameters;
  const count = await collectionOf(exchange, type.value).sendAgain(id, ids.value);
  return ok({ status: 200, document: { meta: { count } } });
};

function deliveryOf(letter: LetterTold, type: TypeName) {
  const { id, state, document, about, created, tries, failure, died } = letter;
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
async function typeOf(exchange: Exchange): Promise<Outcome<TypeName>> {
  const { type, id } = exchange.parameters;
  const read = await collectionOf(exchange, type).read(id, exchange.access);
  const about = read.state === 'found' ? typeOfWebhook(read.document.attributes) : undefined;
  return about === undefined
    ? fail('document-not-found', `There is no document ${id} of type ${type}.`)
    : ok(keptType(about));
}

/** `meta.ids`: those that are meant; null for all. */
function idsOf(body: Exchange['body']): Outcome<readonly string[] | null> {
  const meta = isParsedObject(body) ? memberOf(body, 'meta') : undefined;
  const ids = meta !== undefined && isParsedObject(meta) ? memberOf(meta, 'ids') : undefined;
  if (ids === '*') return ok(null);
  const texts = ids !== undefined && isList(ids) ? ids.filter((each) => typeof each === 'string') : [];
  if (ids !== undefined && isList(ids) && ids.length > 0 && texts.length === ids.length) return ok(texts);
  const detail = 'The ids are an array of ids of deliveries that were given up, or "*" for all of these.';
  return fail('invalid-body', detail, { pointer: '/meta/ids' });
}
