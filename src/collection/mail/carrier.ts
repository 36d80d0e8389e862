/** Composes the mail of an account action when its message is delivered, if there is an addressee, and sends it. */
import { codesOf, type Codes } from '../../domain/accounts/codes.ts';
import {
  accountActionOf,
  accountSettingsOf,
  CHANGED,
  ENDED,
  isOf,
  KINDS,
  SCOPE,
  type AccountAction,
  type AccountSettings,
  minutesOf,
} from '../../domain/accounts/settings.ts';
import { storedId, type DocumentId } from '../../domain/ids.ts';
import { LIMITS } from '../../domain/limits.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { CORE } from '../../domain/types.ts';
import type { Fields } from '../../domain/values/values.ts';
import { type Mail, failed, type SendResult } from '../../mail/mail.ts';
import { sendMail } from '../../mail/send.ts';
import { collectionOf } from '../rpc/client.ts';
import type { CallContext } from '../rpc/call-context.ts';
import type { Environment } from '../rpc/environment.ts';
import { within, type Carrier } from '../write/notify/deliveries.ts';
import { mergeOf } from '../rpc/writes/operations.ts';
import { recentActions, addresseeOf } from '../rpc/maintenance/accounts.ts';
import type { Ground } from '../write/ground.ts';
import {
  BUILT_IN,
  filled,
  namesFor,
  templateOf,
  type MailKind,
  type Values,
} from '../../domain/accounts/templates.ts';

export function mailCarrier(ground: Ground): Carrier {
  const { environment } = ground;
  return within(ground, async (caller, { key, failure }) => {
    const mail = await mailOf(environment, caller, storedId(key));
    if (mail === null) return { state: 'delivered' };
    if (mail !== 'ended') return sendMail(environment, mail, (each) => keepMail(caller, each));
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
  caller: CallContext,
  id: DocumentId,
): Promise<Mail | 'ended' | null> {
  const [stored, read] = await Promise.all([
    collectionOf(caller, CORE.accountSettings).findUnique(SCOPE.name, SCOPE.value),
    collectionOf(caller, CORE.accountAction).read(id, TRUSTED),
  ]);
  if (stored === null) return null;
  if (read.state !== 'found') return 'ended';
  const settings = accountSettingsOf(stored.attributes);
  const action = accountActionOf(read.document.attributes);
  if (!isOf(action, KINDS) || action.expires.getTime() < Date.now()) return 'ended';
  if (action.tries >= LIMITS.accountTries) return null;
  const found = await addresseeOf(caller, action, id);
  // The same is done where nobody is: else the time of the asker's next request would tell.
  const isEnough = await hadEnough(caller, id, action, found?.address ?? '');
  if (found === null) return null;
  const { user, address, isTaken } = found;
  if (isEnough) {
    // Else each name that somebody claims the address for would be another five guesses at a code.
    await note(caller, id, ENDED);
    return null;
  }
  const { username } = found;
  const about = { to: address, settings, username, language: action.language ?? found.language };
  if (isTaken) return composed(caller, { kind: 'taken', ...about });
  if (action.kind === CHANGED) return composed(caller, { kind: CHANGED, ...about });
  const proof = { application: caller.application, action: id, kind: action.kind, user, address };
  const [codes] = await codesOf(environment, proof);
  if (codes === undefined) return null;
  const link = linkOf(settings, action, id, codes.long);
  return composed(caller, { kind: action.kind, ...about, codes, link });
}

/**
 * Whether an address was written to often enough, whatever names asked for it, also at the same moment. Nobody is told:
 * an answer would say which address a name has.
 */
async function hadEnough(
  caller: CallContext,
  id: DocumentId,
  { kind, subject, address: known }: AccountAction,
  address: string,
): Promise<boolean> {
  if (known === null) await note(caller, id, { address });
  // Of many at once the first go, else a burst would hush all; where addresses are noted only now, none: this is one.
  const [before, others] = known === null ? [undefined, 1] : [id, 0];
  const alike = [{ kind, address }, { subject }].map((each) => recentActions(caller, each, before));
  return (await Promise.all(alike)).some((each) => each - others >= LIMITS.actionsOfOne);
}

async function note(caller: CallContext, id: DocumentId, attributes: Fields): Promise<void> {
  const noted = mergeOf({ attributes, relationships: {} }, null);
  await collectionOf(caller, CORE.accountAction).update(id, noted, { ...TRUSTED, ifMatch: null });
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

interface Composing {
  readonly kind: MailKind;
  readonly to: string;
  readonly settings: AccountSettings;
  readonly username: string | null;
  readonly language: string | null;
  /** Absent where there is nothing to prove. */
  readonly codes?: Codes;
  /** The address that redeems the action, if the application has one. */
  readonly link?: string | null;
}

/** From the template that an application has, or the built-in one, with what the mail is about. */
async function composed(caller: CallContext, composing: Composing): Promise<Mail> {
  const { kind, to, settings, username, language, codes, link } = composing;
  const values: Values = {
    name: settings.name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim(),
    address: to,
    ...(username !== null && { username }),
    ...(link && { link }),
    ...(codes !== undefined && kind !== 'taken' && provedBy(codes, minutesOf(kind, settings))),
  };
  const template = (await ownTemplate(caller, kind, language)) ?? BUILT_IN[kind];
  return { from: settings.sender, to, ...filled(template, values) };
}

async function ownTemplate(caller: CallContext, kind: MailKind, language: string | null) {
  for (const name of namesFor(kind, language)) {
    const stored = await collectionOf(caller, CORE.mailTemplate).findUnique('name', name);
    const template = stored === null ? undefined : templateOf(stored.attributes);
    if (template !== undefined) return template;
  }
  return undefined;
}

/** In minutes. */
const DAY = 1_440;

function provedBy({ short }: Codes, minutes: number): Values {
  return { code: short, validity: minutes % DAY === 0 ? `${minutes / DAY} days` : `${minutes} minutes` };
}

/** Keeps a mail in the mailbox of an application: what it would have sent, as documents that its own keys read. */
export async function keepMail(
  caller: CallContext,
  { from, html, subject, text, to }: Mail,
): Promise<SendResult> {
  const attributes = { from, to, subject, text, html, created: new Date() };
  const stored = await collectionOf(caller, CORE.mail).create({ content: { attributes, relationships: {} } });
  return stored.ok ? { state: 'delivered' } : failed('The mailbox takes no mails.');
}
