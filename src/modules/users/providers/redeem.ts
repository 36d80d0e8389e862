/** Redeems a login at another service: what its address says is exchanged there for who it is. */
import type { Subject } from '../../../auth/id-tokens.ts';
import { NO_PASSWORD } from '../../../auth/passwords.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { isSame } from '../../../domain/accounts/codes.ts';
import { FACTOR, isOf, LOG_IN_PROVIDER, PENDING, readAddress } from '../../../domain/accounts/settings.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { memberAt } from '../../../domain/values/json.ts';
import { memberOf, textAt } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { invalidCode, mailOfChange, userOf } from '../accounts/begun.ts';
import { openAction, ownOf, closed, type HeldSettings } from '../accounts/settings.ts';
import { join } from '../accounts/sign-up.ts';
import { enter } from '../factors/gate.ts';
import { secretsOf } from './begin.ts';
import { providerOf, subjectFor, type Provider } from './provider.ts';

const FAILED = invalidCode('callback');

interface Sent {
  readonly callback: string;
  readonly code: string;
}

/** What a provider has sent back; undefined where the body has something else. */
export function callbackIn({ body }: RequestContext): Sent | undefined {
  const [callback, code] = ['callback', 'code'].map((name) => memberAt(body, 'meta', name));
  return typeof callback === 'string' && typeof code === 'string' ? { callback, code } : undefined;
}

export async function redeemCallback(
  context: RequestContext,
  settings: HeldSettings,
  { callback, code }: Sent,
): Promise<Outcome<Answer>> {
  const { id } = context.parameters;
  const action = await openAction(context);
  if (!isOf(action, [LOG_IN_PROVIDER])) return FAILED;
  const { provider: at, returnTo, user: began, version } = action;
  if (began !== null && began !== userOf(context)) return FAILED;
  // It ends at the first try, whatever comes of it; of many at once, one goes on.
  const used = await ownOf(context, CORE.accountAction).remove(id, version);
  const secrets = (await secretsOf(context, id)).find((each) => isSame(each.code, code));
  if (!used.ok || secrets === undefined) return FAILED;
  const registered = await ownOf(context, CORE.identityProvider).read(at ?? '');
  const provider = registered && providerOf(registered);
  if (provider === null) return FAILED;
  const said = new URLSearchParams(callback);
  if (said.get('state') !== id) return FAILED;
  const { nonce, verifier } = secrets;
  const subject = await subjectFor(context, provider, { said, back: returnTo ?? '', verifier, nonce });
  if (subject === null) return FAILED;
  return enterAs(context, settings, { provider, subject, user: began });
}

interface Proven {
  readonly provider: Provider;
  readonly subject: Subject;
  /** Who was logged in at the beginning, and joins the identity; null for a login. */
  readonly user: DocumentId | null;
}

async function enterAs(
  context: RequestContext,
  settings: HeldSettings,
  proven: Proven,
): Promise<Outcome<Answer>> {
  const { provider, subject } = proven;
  const key = JSON.stringify([subject.issuer, subject.subject]);
  const [identities, users] = [ownOf(context, CORE.identity), ownOf(context, CORE.user)];
  const known = await identities.find('key', key);
  const owner = known && (await users.read(textAt(known.attributes, 'user')));
  // Its user is gone.
  if (known !== null && owner === null) await identities.remove(known.id);
  if (owner !== null && proven.user !== null && owner.id !== proven.user) return FAILED;
  const user: Outcome<Owner> = owner === null ? await newOwner(context, settings, proven) : ok(owner);
  if (!user.ok) return user;
  if (owner === null) {
    const attributes = { key, provider: provider.name, user: user.value.id, created: new Date() };
    const made = await identities.add(attributes, user.value.id);
    // Somebody else has come with it at the same moment.
    if (!made.ok) {
      if (user.value.isNew === true) await users.remove(user.value.id);
      return FAILED;
    }
    if (user.value.isNew !== true) await mailOfChange(context, settings, user.value);
  }
  if (memberOf(user.value.attributes, PENDING) === true) return FAILED;
  const { attributes, id, version } = user.value;
  return enter(context, settings, { id, version, needsFactor: memberOf(attributes, FACTOR) === true });
}

interface Owner extends Pick<Document, 'id' | 'version' | 'attributes'> {
  readonly isNew?: true;
}

/** Whose a new identity is: who was logged in, whose address both sides have confirmed, or somebody new. */
async function newOwner(
  context: RequestContext,
  settings: HeldSettings,
  { subject, user }: Proven,
): Promise<Outcome<Owner>> {
  const users = ownOf(context, CORE.user);
  if (user !== null) {
    const joined = await users.read(user);
    return joined === null ? FAILED : ok(joined);
  }
  const email = readAddress(subject.email ?? undefined);
  const owner = email === undefined ? null : await users.find('confirmed-email', email);
  if (owner !== null) return ok(owner);
  return settings.signUp === 'open' ? signUp(context, settings, subject, email) : closed();
}

/** Names that are tried for a new user. */
const TRIES = 5;

async function signUp(
  context: RequestContext,
  settings: HeldSettings,
  { username, email: address }: Subject,
  email: string | undefined,
): Promise<Outcome<Owner>> {
  const wished = (username ?? address?.replace(/@.*/, '') ?? '')
    .replaceAll(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, 40);
  for (let attempt = 0; ; attempt += 1) {
    const random = crypto.randomUUID().slice(0, 8);
    const name = attempt === 0 && wished.length >= 3 ? wished : `${wished || 'user'}-${random}`;
    const attributes: Fields = {
      ...{ username: name, password: NO_PASSWORD },
      ...(email !== undefined && { email, 'confirmed-email': email }),
    };
    const made = await collectionOf(context, CORE.user).create({
      content: { attributes, relationships: {} },
      ownsItself: true,
      rule: null,
    });
    if (made.ok) {
      const { attributes: stored, id, version } = made.value.document;
      await join(context, settings, id);
      return ok({ id, version, attributes: stored, isNew: true });
    }
    const isTaken = made.problems.some(({ code }) => code === 'value-taken');
    if (!isTaken) return made;
    // The address may have been confirmed by another account in the moment between.
    if (attempt === TRIES) return FAILED;
  }
}
