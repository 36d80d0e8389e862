/** Redeems account actions: a right code works once, and five wrong ones end the action. */
import { loginGate } from '../../../auth/login/gate.ts';
import { hashPassword, tooManyHashes } from '../../../auth/passwords.ts';
import { addresseeOf } from '../../../collection/rpc/maintenance/accounts.ts';
import { everyOf } from '../../../collection/rpc/maintenance/applications.ts';
import { codesOf, isOneOf } from '../../../domain/accounts/codes.ts';
import {
  CHANGED,
  ENDED,
  FACTOR,
  isOf,
  KINDS,
  PENDING,
  UNDO_ADDRESS,
  type AccountAction,
  type ActionKind,
} from '../../../domain/accounts/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { fail, failed, ok, problem, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { isParsedObject, memberAt, type ParsedObject } from '../../../domain/values/json.ts';
import { textAt } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { asSignUp, inMeta, openAccount } from './sign-up.ts';
import { eraseAll } from '../../applications/people/person.ts';
import { faultAt } from '../../documents/attributes.ts';
import type { Answer, Handler, RequestContext } from '../../endpoint.ts';
import { enter, stepOf } from '../factors/gate.ts';
import { redeemFactor } from '../factors/redeem.ts';
import { redeemCeremony, responseIn } from '../passkeys/redeem.ts';
import { callbackIn, redeemCallback, redeemSignUp } from '../providers/redeem.ts';
import { isOpen } from './actions.ts';
import { invalidCode, isConflict, logInAgain, mailNotice, mailOfChange, userOf } from './begun.ts';
import { ownOf, accountSettings, closed, openAction, type HeldSettings } from './settings.ts';
import { faultsOfPassword } from './common-passwords.ts';

const FAILED = invalidCode('code');

export const redeemAction: Handler = async (context) => {
  const settings = await accountSettings(context);
  if (settings === null) return closed();
  const response = responseIn(context);
  if (response !== undefined) {
    const redeemed = await redeemCeremony(context, settings, response);
    return redeemed ?? (await redeemFactor(context, settings, response)) ?? invalidCode('response');
  }
  const callback = callbackIn(context);
  if (callback !== undefined) return redeemCallback(context, settings, callback);
  const sent = readSent(context);
  return sent.ok ? redeem(context, settings, sent.value) : sent;
};

interface Sent {
  readonly code: string;
  readonly password: string | null;
  /** Of who is invited. */
  readonly username: string | null;
  readonly attributes: ParsedObject;
}

async function redeem(context: RequestContext, settings: HeldSettings, sent: Sent): Promise<Outcome<Answer>> {
  const { id } = context.parameters;
  // Guesses at many actions are counted for whoever sends them.
  const gate = loginGate(context, `redeem ${id}`, 'wrong codes');
  const refused = gate.refusal();
  if (refused !== null) return refused;
  const action = await openAction(context);
  if (!isOf(action, KINDS))
    return (
      (await redeemFactor(context, settings, sent.code)) ??
      (await redeemSignUp(context, settings, sent)) ??
      (await gate.failed()) ??
      FAILED
    );
  const { version } = action;
  const proved = await provedBy(context, action, sent.code);
  const actions = ownOf(context, CORE.accountAction);
  if (proved === null) {
    // After the last it ends, but stays: what a stranger used up would make room for another mail.
    const counted = await actions.change(id, { tries: action.tries + 1 }, version);
    // Somebody else has tried meanwhile: this try counts, too.
    if (!counted.ok && isConflict(counted.problems)) return redeem(context, settings, sent);
    return (await gate.failed()) ?? FAILED;
  }
  // They may have been closed since it began.
  if (!isOpen(action.kind, settings)) return closed();
  if (action.kind === 'invite') {
    // Of many tries at once each counts: this one is right as the action stands.
    const held = await actions.change(id, { tries: action.tries }, version);
    if (!held.ok) return isConflict(held.problems) ? redeem(context, settings, sent) : FAILED;
    return accept(context, settings, sent, proved.address);
  }
  if (action.kind === 'erase')
    return erase(context, settings, sent, { ...proved, isBegun: action.user !== null, version });
  const change = await changeOf(action, settings, sent, proved);
  if (!change.ok) return change;
  // It stays, as one that wrong codes end: who reads the mails of an address has no more of them sent either.
  const used = await actions.change(id, ENDED, version);
  if (!used.ok) return isConflict(used.problems) ? redeem(context, settings, sent) : FAILED;
  if (change.value === null) {
    const { needsFactor, user, version: of } = proved;
    return enter(context, settings, { id: user, version: of, needsFactor });
  }
  const users = ownOf(context, CORE.user);
  const before = await users.read(proved.user);
  if (action.kind === UNDO_ADDRESS) await endLater(context, proved.user);
  // Schemas see the password as sent.
  const asSent = sent.password === null ? null : { password: sent.password };
  const changed = await users.change(proved.user, change.value, undefined, asSent);
  if (!changed.ok && changed.problems.some(({ code }) => code === 'schema-violation')) {
    // The same code is good for another one.
    await actions.change(id, { tries: action.tries });
    return failed(...changed.problems.map((each) => inMeta(each, ['password'])));
  }
  // The address may have been confirmed by another account in the moment between.
  if (!changed.ok || before === null) return FAILED;
  const former = textAt(before.attributes, 'confirmed-email');
  const isAnother = former !== undefined && former !== proved.address && action.kind !== UNDO_ADDRESS;
  // The replaced one can take itself back.
  if (isAnother) await mailNotice(context, settings, UNDO_ADDRESS, { user: proved.user, email: former });
  if (action.kind === 'reset-password') await mailOfChange(context, settings, changed.value.document);
  return ok({ status: 204, confidential: true });
}

/** Ends what gives an account back to its later addresses than the action's: they were whoever's had it in between. */
async function endLater(context: RequestContext, user: DocumentId): Promise<void> {
  const own = (name: string, value: string) => ({ op: 'eq', path: [name], value }) as const;
  const conditions = [own('kind', UNDO_ADDRESS), own('user', user)];
  for await (const { id } of everyOf(context, CORE.accountAction, { op: 'and', conditions }))
    if (id > context.parameters.id) await ownOf(context, CORE.accountAction).change(id, ENDED);
}

/** Makes the account of somebody who is invited, and logs in. The action goes last: a name may be taken. */
async function accept(
  context: RequestContext,
  settings: HeldSettings,
  { attributes: given, password, username }: Sent,
  email: string,
): Promise<Outcome<Answer>> {
  if (password === null || username === null)
    return fail('invalid-body', 'An invite brings the username and the password.', { pointer: '/meta' });
  const twice = ['username', 'password'].filter((name) => Object.hasOwn(given, name));
  if (twice.length > 0)
    return failed(
      ...twice.map((name) => inMeta(faultAt(`/${name}`, `The ${name} stands beside the attributes.`))),
    );
  const attributes = { email, ...given, username, password };
  const opened = await openAccount(asSignUp(context, attributes), settings, {
    made: { 'confirmed-email': email },
    isInvited: true,
  });
  if (!opened.ok) return failed(...opened.problems.map((each) => inMeta(each, ['username', 'password'])));
  const { id, version } = opened.value.document;
  await ownOf(context, CORE.accountAction).change(context.parameters.id, ENDED);
  return enter(context, settings, { id, version, needsFactor: false });
}

/** Erases the user. What was cut off goes on with the same code: the action notes who it is, and goes last. */
async function erase(
  context: RequestContext,
  settings: HeldSettings,
  sent: Sent,
  {
    user,
    address,
    isBegun,
    needsFactor,
    version,
  }: {
    readonly user: DocumentId;
    readonly address: string;
    readonly isBegun: boolean;
    readonly needsFactor: boolean;
    readonly version: number;
  },
): Promise<Outcome<Answer>> {
  // A mail is one factor: a login has proved the other.
  const isAlone = !isBegun && userOf(context) !== user;
  if (isAlone && (await stepOf(context, settings, { id: user, needsFactor })) === FACTOR)
    return logInAgain('the user has a second factor');
  if (sent.password !== null) return noPassword('erase');
  const { id } = context.parameters;
  // As the operator's, it leaves no trail: that would name who is gone.
  const silent = { ...context, auditor: undefined };
  const actions = ownOf(silent, CORE.accountAction);
  const begun = await actions.change(id, { user, address }, version);
  if (!begun.ok) return isConflict(begun.problems) ? redeem(context, settings, sent) : FAILED;
  await eraseAll(silent, { type: CORE.user, id: user });
  await actions.remove(id);
  return ok({ status: 204, confidential: true });
}

const NOBODY = { username: null, language: null, version: 0, isTaken: false, needsFactor: false };

/** The user whose address the code proves; null where it proves nothing. */
async function provedBy(context: RequestContext, action: AccountAction, code: string) {
  if (action.kind === CHANGED) return null;
  const addressee =
    action.kind === 'erase' && action.user !== null && action.address !== null
      ? { ...NOBODY, user: action.user, address: action.address }
      : await addresseeOf(context, action, context.parameters.id);
  const { application, environment, parameters } = context;
  const { user = parameters.id, address = '' } = addressee ?? {};
  const codes = await codesOf(environment, {
    application,
    action: parameters.id,
    kind: action.kind,
    user,
    address,
  });
  const isRight = isOneOf(codes, code);
  return addressee !== null && !addressee.isTaken && isRight ? addressee : null;
}

/** The attributes that the user gets; null for a login. */
async function changeOf(
  { kind }: AccountAction,
  settings: HeldSettings,
  { password }: Sent,
  { address, username }: { readonly address: string; readonly username: string | null },
): Promise<Outcome<Fields | null>> {
  const proof = { 'confirmed-email': address, [PENDING]: false };
  if (kind !== 'reset-password') {
    if (password !== null) return noPassword(kind);
    if (kind === 'log-in') return ok(null);
    return ok(kind === UNDO_ADDRESS ? { ...proof, email: address } : proof);
  }
  if (password === null)
    return fail('invalid-body', 'A reset-password brings the new password.', { pointer: '/meta/password' });
  const faults = faultsOfPassword(password, settings, [address, username]);
  if (faults.length > 0)
    return failed(...faults.map(({ code, detail }) => problem(code, detail, { pointer: '/meta/password' })));
  const hash = await hashPassword(password);
  return hash === null ? tooManyHashes() : ok({ password: hash, ...proof });
}

function noPassword(kind: ActionKind) {
  return fail('invalid-body', `A ${kind} has no password.`, { pointer: '/meta/password' });
}

function readSent({ body }: RequestContext): Outcome<Sent> {
  if (!isParsedObject(memberAt(body, 'meta')))
    return fail('invalid-body', 'The body is {meta: {code, password?}}.', { pointer: '/meta' });
  const [code, password, username, attributes] = ['code', 'password', 'username', 'attributes'].map((name) =>
    memberAt(body, 'meta', name),
  );
  if (typeof code !== 'string')
    return fail('invalid-body', 'The code is a text: six digits, or that of a link.', {
      pointer: '/meta/code',
    });
  if (password !== undefined && typeof password !== 'string')
    return fail('invalid-body', 'The password is a text.', { pointer: '/meta/password' });
  return ok({
    code,
    password: password ?? null,
    username: typeof username === 'string' ? username : null,
    attributes: isParsedObject(attributes) ? attributes : {},
  });
}
