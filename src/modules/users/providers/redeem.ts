/** Redeems a login at another service: what its address says is exchanged there for who it is. */
import { NO_PASSWORD } from '../../../auth/passwords.ts';
import { isSame } from '../../../domain/accounts/codes.ts';
import {
  FACTOR,
  isOf,
  LOG_IN_PROVIDER,
  PENDING,
  readAddress,
  SIGN_UP_PROVIDER,
} from '../../../domain/accounts/settings.ts';
import type { Document } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { failed, ok, pointerIn, type Outcome, type Problem } from '../../../domain/problems.ts';
import { placeOf, pointerOf } from '../../../domain/pointer.ts';
import { CORE } from '../../../domain/types.ts';
import { isParsedObject, memberAt, type ParsedObject } from '../../../domain/values/json.ts';
import { memberOf, textAt } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { invalidCode, mailOfChange, storeEnding, userOf } from '../accounts/begun.ts';
import { codesFor, openAction, ownOf, type HeldSettings } from '../accounts/settings.ts';
import { asSignUp, inMeta, OF_ATTRIBUTES, openAccount } from '../accounts/sign-up.ts';
import { enter, stepOf } from '../factors/gate.ts';
import { secretsOf } from './begin.ts';
import { attributesIn, providerOf, subjectFor, type Named, type Provider } from './provider.ts';

const FAILED = invalidCode('callback');

interface Sent {
  readonly callback: string;
  readonly code: string;
  /** Of the account, where there is none yet. */
  readonly attributes: ParsedObject;
}

/** What a provider has sent back; undefined where the body has something else. */
export function callbackIn({ body }: RequestContext): Sent | undefined {
  const [callback, code, attributes] = ['callback', 'code', 'attributes'].map((name) =>
    memberAt(body, 'meta', name),
  );
  return typeof callback === 'string' && typeof code === 'string'
    ? { callback, code, attributes: isParsedObject(attributes) ? attributes : {} }
    : undefined;
}

export async function redeemCallback(
  context: RequestContext,
  settings: HeldSettings,
  { callback, code, attributes }: Sent,
): Promise<Outcome<Answer>> {
  const { id } = context.parameters;
  const action = await openAction(context);
  if (!isOf(action, [LOG_IN_PROVIDER])) return FAILED;
  const { provider: at, returnTo, user, version } = action;
  if (user !== null && user !== userOf(context)) return FAILED;
  // It ends at the first try, whatever comes of it; of many at once, one goes on.
  const used = await ownOf(context, CORE.accountAction).remove(id, version);
  const secrets = (await secretsOf(context, id)).find((each) => isSame(each.code, code));
  if (!used.ok || secrets === undefined) return FAILED;
  const provider = await registered(context, at);
  if (provider === null) return FAILED;
  const { nonce, verifier } = secrets;
  const returned = { said: new URLSearchParams(callback), state: id, back: returnTo ?? '', verifier, nonce };
  const named = await subjectFor(context, provider, returned);
  if (named === null) return FAILED;
  const key = keyFor(named);
  const owner = await ownerOf(context, key);
  // Nobody is asked for what a new account alone needs.
  const said = user === null && owner === null ? await named.whole() : NOTHING;
  if (said === null) return FAILED;
  const { username, ...claims } = { username: said.username, ...attributesIn(provider, said.claims) };
  const email = readAddress(said.email ?? undefined) ?? null;
  const proven = {
    provider,
    key,
    username: typeof username === 'string' ? username : null,
    email,
    claims,
    user,
    attributes,
  };
  return enterAs(context, settings, owner, { ...proven, minutes: settings.minutes });
}

const NOTHING = { username: null, email: null, claims: {} };

/** Goes on with a login that needs attributes; null where the action of the request is none. */
export async function redeemSignUp(
  context: RequestContext,
  settings: HeldSettings,
  { code, attributes }: Omit<Sent, 'callback'>,
): Promise<Outcome<Answer> | null> {
  const { id } = context.parameters;
  const action = await openAction(context);
  if (!isOf(action, [SIGN_UP_PROVIDER])) return null;
  const codes = await codesFor(context, id, SIGN_UP_PROVIDER);
  const isRight = codes.some((each) => isSame(each, code));
  const used = await ownOf(context, CORE.accountAction).remove(id, action.version);
  const provider = await registered(context, action.provider);
  if (!isRight || !used.ok || provider === null) return invalidCode('code');
  const { claims, email, subject: key, username } = action;
  // Else who asks in time would stay proven for ever.
  const minutes = (action.expires.getTime() - Date.now()) / 60_000;
  const proven = { provider, key, username, email, claims, user: null, attributes };
  return enterAs(context, settings, await ownerOf(context, key), { ...proven, minutes });
}

const keyFor = ({ issuer, subject }: Pick<Named, 'issuer' | 'subject'>) => JSON.stringify([issuer, subject]);

/** The user whose identity this is; null for nobody. */
async function ownerOf(context: RequestContext, key: string): Promise<Document | null> {
  const identities = ownOf(context, CORE.identity);
  const known = await identities.find('key', key);
  const owner = known && (await ownOf(context, CORE.user).read(textAt(known.attributes, 'user')));
  // Its user is gone.
  if (known !== null && owner === null) await identities.remove(known.id);
  return owner;
}

/** A provider, if it is there still. */
async function registered(context: RequestContext, id: string | null): Promise<Provider | null> {
  const document = await ownOf(context, CORE.identityProvider).read(id ?? '');
  return document && providerOf(document);
}

interface Proven {
  readonly provider: Provider;
  /** Who somebody is there. */
  readonly key: string;
  readonly username: string | null;
  /** That the provider has confirmed. */
  readonly email: string | null;
  /** What else it says of a new account, as attributes. */
  readonly claims: Fields;
  /** Who was logged in at the beginning, and joins the identity; null for a login. */
  readonly user: DocumentId | null;
  readonly attributes: ParsedObject;
  /** For which that counts, where attributes lack. */
  readonly minutes: number;
}

async function enterAs(
  context: RequestContext,
  settings: HeldSettings,
  owner: Document | null,
  proven: Proven,
): Promise<Outcome<Answer>> {
  const { key, provider } = proven;
  const [identities, users] = [ownOf(context, CORE.identity), ownOf(context, CORE.user)];
  if (owner !== null && proven.user !== null && owner.id !== proven.user) return FAILED;
  const user: Outcome<Owner> = owner === null ? await newOwner(context, settings, proven) : ok(owner);
  if (!user.ok) return user;
  const needsFactor = memberOf(user.value.attributes, FACTOR) === true;
  // A login that a second factor has yet to prove adds no way in: its address finds the account again.
  const isProven = user.value.isNew === true || proven.user !== null;
  const ready = { id: user.value.id, needsFactor };
  if (owner === null && (isProven || (await stepOf(context, settings, ready)) === null)) {
    const attributes = { key, provider: provider.name, user: user.value.id, created: new Date() };
    const made = await identities.add(attributes, user.value.id);
    if (!made.ok) {
      // Another login of the same person, at the same moment, has added it, perhaps to the user of this one.
      const other = await ownerOf(context, key);
      if (user.value.isNew === true && other?.id !== user.value.id) await users.remove(user.value.id);
      return other === null ? FAILED : enterAs(context, settings, other, proven);
    }
    if (user.value.isNew !== true) await mailOfChange(context, settings, user.value);
  }
  if (memberOf(user.value.attributes, PENDING) === true) return FAILED;
  const { id, version } = user.value;
  return enter(context, settings, { id, version, needsFactor });
}

interface Owner extends Pick<Document, 'id' | 'version' | 'attributes'> {
  readonly isNew?: true;
}

/** Whose a new identity is: who was logged in, whose address both sides have confirmed, or somebody new. */
async function newOwner(
  context: RequestContext,
  settings: HeldSettings,
  proven: Proven,
): Promise<Outcome<Owner>> {
  const { email, user } = proven;
  const users = ownOf(context, CORE.user);
  if (user !== null) {
    const joined = await users.read(user);
    return joined === null ? FAILED : ok(joined);
  }
  const owner = email === null ? null : await users.find('confirmed-email', email);
  return owner === null ? signUp(context, settings, proven) : ok(owner);
}

/** Names that are tried for a new user. */
const TRIES = 5;

async function signUp(
  context: RequestContext,
  settings: HeldSettings,
  proven: Proven,
): Promise<Outcome<Owner>> {
  const { attributes: given, email } = proven;
  const wished = (proven.username ?? email?.replace(/@.*/, '') ?? '')
    .replaceAll(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, 40);
  // What somebody gives themselves goes first, where the settings let them.
  const said = Object.entries(proven.claims).filter(([name]) => !Object.hasOwn(given, name));
  const made = {
    ...Object.fromEntries(said),
    ...(!Object.hasOwn(given, 'password') && { password: NO_PASSWORD }),
    ...(email !== null && { 'confirmed-email': email }),
  };
  for (let attempt = 0; ; attempt += 1) {
    const random = crypto.randomUUID().slice(0, 8);
    const username = attempt === 0 && wished.length >= 3 ? wished : `${wished || 'user'}-${random}`;
    const attributes = { username, ...(email !== null && { email }), ...given };
    const opened = await openAccount(asSignUp(context, attributes), settings, { made });
    if (opened.ok) {
      const { attributes: stored, id, version } = opened.value.document;
      return ok({ id, version, attributes: stored, isNew: true });
    }
    // Another login of the same person, at the same moment, has made the account.
    if (isTaken(opened.problems, 'confirmed-email')) return newOwner(context, settings, proven);
    // What is refused of the provider's words its owner could not put right: the account goes without.
    const own = [...settings.fields, ...settings.required];
    const kept = said.filter(([name]) => own.includes(name) || !isAbout(opened.problems, name));
    if (kept.length < said.length)
      return signUp(context, settings, { ...proven, claims: Object.fromEntries(kept) });
    const isLast = attempt === TRIES || Object.hasOwn(given, 'username');
    if (isLast || !isTaken(opened.problems, 'username')) return askFor(context, proven, opened.problems);
  }
}

const isTaken = (problems: readonly Problem[], attribute: string) =>
  problems.some(({ code }) => code === 'value-taken') && isAbout(problems, attribute);

function isAbout(problems: readonly Problem[], attribute: string): boolean {
  const place = pointerOf(placeOf('data', 'attributes', attribute));
  return problems.some((each) => pointerIn(each) === place || pointerIn(each).startsWith(`${place}/`));
}

/** What its owner can put right goes on without the provider: the answer has an action that takes attributes. */
async function askFor(
  context: RequestContext,
  { provider, key, username, email, claims, minutes }: Proven,
  problems: readonly Problem[],
): Promise<Outcome<never>> {
  const [first, ...others] = problems.map((each) => inMeta(each));
  if (first === undefined || !problems.every((each) => OF_ATTRIBUTES.test(pointerIn(each))))
    return failed(...problems);
  const stored = await storeEnding(context, minutes, {
    ...{ kind: SIGN_UP_PROVIDER, provider: provider.id, subject: key, claims },
    ...(username !== null && { username }),
    ...(email !== null && { email }),
  });
  if (!stored.ok) return stored;
  const { id: action } = stored.value.document;
  const [code = ''] = await codesFor(context, action, SIGN_UP_PROVIDER);
  return failed({ ...first, meta: { ...first.meta, action, code } }, ...others);
}
