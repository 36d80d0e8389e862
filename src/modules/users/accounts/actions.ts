/** Account actions: begun by who says an address, redeemed by who reads its mails (docs/accounts.md#actions). */
import { signerOf } from '../../../auth/credentials.ts';
import { recentActions } from '../../../collection/rpc/maintenance/accounts.ts';
import {
  ACTIONS,
  ENDED,
  FACTOR_ACTIONS,
  LOG_IN_PROVIDER,
  minutesOf,
  readAddress,
  type AccountAction,
  type ActionKind,
} from '../../../domain/accounts/settings.ts';
import { CEREMONIES } from '../../../domain/accounts/ceremonies.ts';
import { isLanguage, NO_LANGUAGE } from '../../../domain/accounts/templates.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { oneOf } from '../../../domain/names.ts';
import { fail, failed, ok, type Outcome, type Problem } from '../../../domain/problems.ts';
import { isUnderAcl } from '../../../domain/secrets.ts';
import { CORE } from '../../../domain/types.ts';
import { memberAt } from '../../../domain/values/json.ts';
import { memberOf, textAt } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { faultAt, missing } from '../../documents/attributes.ts';
import type { Handler, RequestContext } from '../../endpoint.ts';
import { beginCeremony } from '../passkeys/begin.ts';
import { beginFactor } from '../factors/begin.ts';
import { beginAtProvider } from '../providers/begin.ts';
import { answerBegun, readBegun, refusalOf, storeEnding } from './begun.ts';
import { accountSettings, closed, ownOf, type HeldSettings } from './settings.ts';

type Begun = Pick<AccountAction, 'kind' | 'email' | 'username' | 'returnTo' | 'language'>;

// Logins make the last one.
const FACTORS = FACTOR_ACTIONS.slice(0, 2);
const KINDS_BEGUN = [...ACTIONS, ...CEREMONIES, ...FACTORS, LOG_IN_PROVIDER];

/** The answer says nothing of whether there is such an account: the mail does, to whoever reads it. */
export const beginAction: Handler = async (context) => {
  const settings = await accountSettings(context);
  if (settings === null) return closed();
  const wanted = memberAt(context.body, 'data', 'attributes', 'kind');
  const ceremony = CEREMONIES.find((each) => each === wanted);
  if (ceremony !== undefined) return beginCeremony(context, settings, ceremony);
  const factor = FACTORS.find((each) => each === wanted);
  if (factor !== undefined) return beginFactor(context, settings, factor);
  if (wanted === LOG_IN_PROVIDER) return beginAtProvider(context, settings);
  const begun = readAction(context, settings);
  if (!begun.ok) return begun;
  const stored = await storeAction(context, settings, begun.value);
  if (!stored.ok) return stored;
  return answerBegun(stored.value);
};

function readAction(context: RequestContext, settings: HeldSettings): Outcome<Begun> {
  const kind = ACTIONS.find((each) => each === memberAt(context.body, 'data', 'attributes', 'kind'));
  const subject = kind === 'confirm-address' ? 'username' : 'email';
  const names = kind === undefined ? null : [subject, 'return-to', 'language'];
  const read = readBegun(context, kind ?? '', names);
  if (!read.ok) return read;
  if (kind === undefined) return failed(faultAt('/kind', `The kind is ${oneOf(KINDS_BEGUN, 'or')}.`));
  const attributes = read.value;
  const faults: readonly Problem[] = [
    ...faultsOfSubject(subject, attributes),
    ...faultsOfReturn(attributes, settings),
    ...(Object.hasOwn(attributes, 'language') && !isLanguage(textAt(attributes, 'language') ?? '')
      ? [faultAt('/language', NO_LANGUAGE)]
      : []),
  ];
  if (faults.length > 0) return failed(...faults);
  if (kind === 'invite' && isUnderAcl(context.access))
    return fail('forbidden', 'Invitations are for permissions without ACL.', { header: 'api-key' });
  if (!isOpen(kind, settings)) return closed();
  const [username = null, returnTo = null, language = null] = ['username', 'return-to', 'language'].map(
    (name) => textAt(attributes, name) ?? null,
  );
  const email = readAddress(memberOf(attributes, 'email')) ?? null;
  return ok({ kind, email, username, returnTo, language });
}

/** Whether the settings let that be done. */
export function isOpen(kind: ActionKind, settings: HeldSettings): boolean {
  switch (kind) {
    case 'log-in':
      return settings.logInByMail;
    case 'erase':
      return settings.eraseByMail;
    case 'reset-password':
      return settings.logInByPassword;
    case 'invite':
      return settings.signUp !== 'closed';
    default:
      return true;
  }
}

/** An address, or a user: what the kind asks for. */
function faultsOfSubject(name: 'email' | 'username', attributes: Fields): readonly Problem[] {
  const value = memberOf(attributes, name);
  if (value === undefined) return [missing(name)];
  const isFine =
    name === 'email'
      ? readAddress(value) !== undefined
      : typeof value === 'string' && value.length <= LIMITS.username;
  return isFine
    ? []
    : [faultAt(`/${name}`, `This is no ${name === 'email' ? 'e-mail address' : 'name of a user'}.`)];
}

function faultsOfReturn(attributes: Fields, { returnTo }: HeldSettings): readonly Problem[] {
  const value = memberOf(attributes, 'return-to');
  return value === undefined || returnTo.some((each) => each === value)
    ? []
    : [faultAt('/return-to', 'This is none of the addresses in the account settings.')];
}

/** Stores an action, within the limits: requests count, not what is there. `address`: where its mail goes. */
export async function storeAction(
  context: RequestContext,
  settings: HeldSettings,
  { kind, email, username, returnTo, language }: Begun,
  address = email,
): Promise<Outcome<Document>> {
  // A user may be named like an address, or a notice of the service: who asks for one holds back nothing of these.
  const subject = email ?? `user ${username ?? ''}`;
  const client = await clientOf(context);
  const refused = (await refusalOf(context, kind, subject)) ?? (await tooMany(context, subject, client));
  if (refused !== null) return refused;
  const attributes: Fields = {
    kind,
    subject,
    ...(email !== null && { email }),
    ...(username !== null && { username }),
    ...(address !== null && { address }),
    ...(returnTo !== null && { 'return-to': returnTo }),
    ...(language !== null && { language }),
    ...(client !== null && { client }),
    tries: 0,
    created: new Date(),
  };
  const stored = await storeEnding(context, minutesOf(kind, settings), attributes);
  if (!stored.ok) return stored;
  const { document } = stored.value;
  // Of many that ask at once, those end that are too many: they count, or each burst would send some mails.
  const late = await tooMany(context, subject, client, document.id);
  if (late === null) return ok(document);
  await ownOf(context, CORE.accountAction).change(document.id, ENDED);
  return late;
}

/** In seconds. */
const HOUR = 3_600;

/** What tells a stranger's client from others, and not its address; null for a trusted service, and if unknown. */
async function clientOf({ access, address, application, environment }: RequestContext) {
  if (address === null || !isUnderAcl(access)) return null;
  const { sealer } = await signerOf(environment);
  const [client = null] = await sealer.digests({ purpose: 'client', application, about: [] }, address);
  return client;
}

/** `before`: the action of the request, once it is stored. */
async function tooMany(context: RequestContext, subject: string, client: string | null, before?: DocumentId) {
  const [one, all, clients] = await Promise.all([
    recentActions(context, { subject }, before),
    recentActions(context, {}, before),
    client === null ? 0 : recentActions(context, { client }, before),
  ]);
  // What strangers ask for holds back no trusted service, and one of them no others.
  const isHeld =
    (isUnderAcl(context.access) && all >= LIMITS.actionsOfAll) || clients >= LIMITS.actionsOfClient;
  if (one < LIMITS.actionsOfOne && !isHeld) return null;
  return fail('too-many-requests', 'There were too many account actions in the last hour.', undefined, {
    'retry-after': HOUR,
  });
}
