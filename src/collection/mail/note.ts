/**
 * Notes a mail in the transaction of the document that it is about. Whether there is anybody to write to is found out when it
 * is delivered: so the request that began it takes the same time, and writes the same, for every address.
 */
import { accountActionOf } from '../../domain/accounts/settings.ts';
import type { TypeName } from '../../domain/types.ts';
import { typeInfo } from '../../domain/types/facts.ts';
import { decodeFields } from '../../domain/values/codec.ts';
import { MAILS } from '../rpc/maintenance/usage.ts';
import type { Outbox } from '../storage/outbox/outbox.ts';
import type { Written } from '../write/notify/telling.ts';

export function noteMail(outbox: Outbox, type: TypeName, { before, after }: Written): void {
  if (typeInfo(type).mailed !== true || before !== null || after === null) return;
  const action = accountActionOf(decodeFields(after.body));
  // A ceremony of a passkey is answered at once.
  if (action === undefined) return;
  outbox.put({ ...MAILS, key: after.id, about: action.kind, payload: '' }, Date.now());
}
