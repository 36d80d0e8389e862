/**
 * Notes a mail in the transaction of the document that it is about. Whether there is anybody to write to is found out when it
 * is delivered: so the request that began it takes the same time, and writes the same, for every address.
 */
import { accountActionOf } from '../../domain/accounts/settings.ts';
import type { TypeName } from '../../domain/types.ts';
import { typeInfo } from '../../domain/types.ts';
import { decodeFields } from '../../domain/values/codec.ts';
import type { Outbox } from '../storage/outbox/outbox.ts';
import type { Written } from '../write/notify/telling.ts';

export function noteMail(outbox: Outbox, type: TypeName, { before, after }: Written): void {
  if (typeInfo(type).mailed !== true || before !== null || after === null) return;
  // A ceremony of a passkey is answered at once.
  if (accountActionOf(decodeFields(after.body)) === undefined) return;
  outbox.put({ kind: 'mail', addressee: 'mail', key: after.id, about: 'a mail', payload: '' }, Date.now());
}
