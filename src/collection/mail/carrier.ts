/** Composes the mail of an account action when its message is delivered, if there is anybody to write to, and sends it. */
import { codesOf } from '../../domain/accounts/codes.ts';
import {
  accountActionOf,
  accountSettingsOf,
  CHANGED,
  SCOPE,
  type AccountAction,
  type AccountSettings,
} from '../../domain/accounts/settings.ts';
import { storedId, type DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { CORE } from '../../domain/types.ts';
import type { Mail } from '../../mail/mail.ts';
import { sendMail } from '../../mail/send.ts';
import { collectionOf } from '../rpc/client.ts';
import type { Asker } from '../rpc/client-reads.ts';
import type { Environment } from '../rpc/environment.ts';
import { within, type Carrier } from '../write/notify/deliveries.ts';
import { mergeOf } from '../rpc/writes/operations.ts';
import { recentActions, addresseeOf } from '../rpc/maintenance/accounts.ts';
import { composed, keepMail } from './mails.ts';
import type { Ground } from '../write/ground.ts';

export function mailCarrier(ground: Ground): Carrier {
  const { environment } = ground;
  return within(ground, async (asker, { key, failure }) => {
    const mail = await mailOf(environment, asker, storedId(key));
    if (mail === null) return { state: 'delivered' };
    if (mail !== 'ended') return sendMail(environment, mail, (each) => keepMail(asker, each));
    // It is not forgotten.
    return {
      state: 'failed',
      failure: failure ?? 'Its code had ended before it could be sent.',
      isFinal: true,
    };
  });
}

/** Null where there is nobody to write to; `ended` where nobody could use it any more. */
async function mailOf(
  environment: Environment,
  asker: Asker,
  id: DocumentId,
): Promise<Mail | 'ended' | null> {
  const [stored, read] = await Promise.all([
    collectionOf(asker, CORE.accountSettings).findUnique(SCOPE.name, SCOPE.value),
    collectionOf(asker, CORE.accountAction).read(id, TRUSTED),
  ]);
  if (stored === null) return null;
  if (read.state !== 'found') return 'ended';
  const settings = accountSettingsOf(stored.attributes);
  const action = accountActionOf(read.document.attributes);
  if (action === undefined || action.expires.getTime() < Date.now()) return 'ended';
  const found = await addresseeOf(asker, action, id);
  if (found === null) return null;
  const { user, address, isTaken } = found;
  if (await hadEnough(asker, id, action, address)) return null;
  const { username } = found;
  const about = { to: address, settings, username, language: action.language ?? found.language };
  if (isTaken) return composed(asker, { kind: 'taken', ...about });
  if (action.kind === CHANGED) return composed(asker, { kind: CHANGED, ...about });
  const proof = { application: asker.application, action: id, kind: action.kind, user, address };
  const [codes] = await codesOf(environment, proof);
  if (codes === undefined) return null;
  const link = linkOf(settings, action, id, codes.long);
  return composed(asker, { kind: action.kind, ...about, codes, link });
}

/**
 * Whether an address was written to often enough: whatever names asked for it, and at the same moment. Nobody is told, because
 * an answer would say which address a name has.
 */
async function hadEnough(
  asker: Asker,
  id: DocumentId,
  { kind, address: known }: AccountAction,
  address: string,
): Promise<boolean> {
  if (known === null) {
    const noted = mergeOf({ attributes: { address }, relationships: {} }, null);
    await collectionOf(asker, CORE.accountAction).update(id, noted, { ...TRUSTED, ifMatch: null });
  }
  return (await recentActions(asker, { kind, address }, id)) >= LIMITS.actionsOfOne;
}

/** Action and code stand behind `#`: no server, log or referrer ever has them. */
function linkOf(
  { returnTo }: AccountSettings,
  action: AccountAction,
  id: DocumentId,
  code: string,
): string | null {
  const address = action.returnTo ?? returnTo[0];
  return address === undefined ? null : `${address}#kind=${action.kind}&action=${id}&code=${code}`;
}
