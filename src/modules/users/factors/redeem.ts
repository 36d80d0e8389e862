/** Redeems actions of second factors with a code of the app (good once), a recovery code (good once), or a passkey. */
import { loginGate } from '../../../auth/login/gate.ts';
import { FACTOR, FACTOR_ACTIONS, isOf, type FactorKind } from '../../../domain/accounts/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { ok, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import type { ParsedObject } from '../../../domain/values/json.ts';
import { sha256 } from '../../../domain/values/sha256.ts';
import { isList, memberOf, textAt } from '../../../domain/values/tree.ts';
import type { Fields } from '../../../domain/values/values.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { invalidCode, isConflict, mailOfChange, userOf } from '../accounts/begun.ts';
import { closed, openAction, ownOf, type HeldSettings } from '../accounts/settings.ts';
import { proven } from '../passkeys/redeem.ts';
import { newSecrets } from './begin.ts';
import { answerToken } from './gate.ts';

/** Null where the action of the request is none of these. */
export async function redeemFactor(
  context: RequestContext,
  settings: HeldSettings,
  sent: string | ParsedObject,
): Promise<Outcome<Answer> | null> {
  const action = await openAction(context);
  if (!isOf(action, FACTOR_ACTIONS) || action.user === null) return null;
  const { kind, login, tries, user, version } = action;
  const wrong = invalidCode(typeof sent === 'string' ? 'code' : 'response');
  if (login === null && user !== userOf(context)) return wrong;
  // They may have been closed since it began.
  if (kind === 'add-second-factor' && settings.secondFactor === 'off') return closed();
  // Guesses are counted for whose factor it is, in whatever logins they come.
  const gate = loginGate(context, `second factor ${user}`, 'wrong codes');
  const refused = gate.refusal();
  if (refused !== null) return refused;
  const { id } = context.parameters;
  const actions = ownOf(context, CORE.accountAction);
  // First, so that of many at once each counts.
  const counted = await actions.change(id, { tries: tries + 1 }, version);
  if (!counted.ok) return isConflict(counted.problems) ? redeemFactor(context, settings, sent) : wrong;
  const proof = await proofIn(context, settings, { kind, user }, sent);
  if (proof === null) {
    if (tries + 1 >= LIMITS.accountTries) await actions.remove(id);
    return (await gate.failed()) ?? wrong;
  }
  const owner = await ownOf(context, CORE.user).read(user);
  // Somebody else may have found it. A factor that it takes away is told of by itself.
  const isRecovery = kind === 'second-factor' && Object.hasOwn(proof, 'recovery');
  if (isRecovery && owner !== null) await mailOfChange(context, settings, owner);
  // Many guesses at once must not outrun the count, not in many logins either.
  const refusedSince = gate.refusal();
  if (refusedSince !== null) return refusedSince;
  const used = await actions.remove(id);
  if (!used.ok) return wrong;
  // The password was right for this version of the user: whoever has changed it since has ended that.
  if (login !== null && owner?.version !== login) return wrong;
  if (kind === 'second-factor') return answerToken(context, settings, { id: user, version: login ?? 0 });
  const isAdded = kind === 'add-second-factor';
  const changed = isAdded ? add(context, settings, user, proof) : remove(context, settings, user);
  return (await changed) ?? wrong;
}

/** What the proof of an action leaves in the factor; null for a wrong one. */
async function proofIn(
  context: RequestContext,
  settings: HeldSettings,
  { kind, user }: { readonly kind: FactorKind; readonly user: DocumentId },
  sent: string | ParsedObject,
): Promise<Fields | null> {
  if (typeof sent !== 'string') {
    const { id } = context.parameters;
    return (await proven(context, settings, { id, kind, user }, sent)) && {};
  }
  if (kind === 'add-second-factor') return secretOf(context, sent);
  return prove(context, user, sent);
}

/** The secret of the action that a code belongs to. */
async function secretOf(context: RequestContext, code: string): Promise<Fields | null> {
  for (const secret of await newSecrets(context, context.parameters.id)) {
    const step = await stepOf(secret, code);
    if (step !== null) return { secret, step };
  }
  return null;
}

/** Recovery codes of a factor; the bytes of each are enough for a hash without salt (NIST SP 800-63B-4, 3.1.2.2). */
const RECOVERY = { codes: 10, bytes: 14 } as const;

async function add(
  context: RequestContext,
  settings: HeldSettings,
  user: DocumentId,
  added: Fields,
): Promise<Outcome<Answer> | null> {
  const codes = Array.from({ length: RECOVERY.codes }, () =>
    crypto
      .getRandomValues(new Uint8Array(RECOVERY.bytes))
      .toHex()
      .replace(/(.{4})(?=.)/g, '$1-'),
  );
  const recovery = codes.map(sha256);
  const attributes = { ...added, user, recovery, created: new Date() };
  const factors = ownOf(context, CORE.secondFactor);
  if ((await factors.find('user', user)) !== null) return null;
  // Before the factor: of who has the flag alone nothing is asked, who had the factor alone could add no other.
  const answer = await setFlag(context, settings, user, true, { 'recovery-codes': codes });
  if (answer?.ok !== true) return answer;
  return (await factors.add(attributes, user)).ok ? answer : null;
}

async function remove(
  context: RequestContext,
  settings: HeldSettings,
  user: DocumentId,
): Promise<Outcome<Answer> | null> {
  const factors = ownOf(context, CORE.secondFactor);
  const stored = await factors.find('user', user);
  if (stored !== null) await factors.remove(stored.id);
  return setFlag(context, settings, user, false, {});
}

/** As any change of a user does, it ends all tokens: the answer has a new one. Null where the user is gone. */
async function setFlag(
  context: RequestContext,
  settings: HeldSettings,
  user: DocumentId,
  flag: boolean,
  meta: Readonly<Record<string, readonly string[]>>,
): Promise<Outcome<Answer> | null> {
  const written = await ownOf(context, CORE.user).change(user, { [FACTOR]: flag });
  if (!written.ok) return null;
  await mailOfChange(context, settings, written.value.document);
  const answer = await answerToken(context, settings, written.value.document);
  if (!answer.ok) return answer;
  const { document = {} } = answer.value;
  return ok({ ...answer.value, document: { ...document, meta } });
}

/**
 * What the use of a code leaves of a user's factor; null for a wrong one. Of two requests with it, one is right. Wrong
 * ones in a row are counted for good (NIST SP 800-63B-4, section 3.2.2), at once too: then the app's codes are good no
 * longer.
 */
async function prove(context: RequestContext, user: DocumentId, code: string): Promise<Fields | null> {
  const factors = ownOf(context, CORE.secondFactor);
  const stored = await factors.find('user', user);
  if (stored === null) return null;
  const { attributes, id, version } = stored;
  const failures = Number(memberOf(attributes, 'failures') ?? 0);
  const isOpen = failures < LIMITS.factorTries;
  const use = await useOf(attributes, code, isOpen);
  if (use === null && !isOpen) return null;
  const written = await factors.change(id, use ?? { failures: failures + 1 }, version);
  if (!written.ok && isConflict(written.problems)) return prove(context, user, code);
  return written.ok ? use : null;
}

/** What the use of a code leaves of a factor; null for a wrong one. `isOpen`: the app's codes are good. */
async function useOf(attributes: Fields, code: string, isOpen: boolean): Promise<Fields | null> {
  const [recovery = null, last] = [memberOf(attributes, 'recovery'), memberOf(attributes, 'step')];
  const step = await stepOf(textAt(attributes, 'secret') ?? '', code);
  if (step !== null)
    return !isOpen || (typeof last === 'number' && step <= last) ? null : { step, failures: 0 };
  const digest = sha256(code.trim().toLowerCase());
  if (!isList(recovery) || !recovery.includes(digest)) return null;
  return { recovery: recovery.filter((each) => each !== digest), failures: 0 };
}

/** Milliseconds for which a code is good; those before and after it are taken, too, for clocks that differ. */
const PERIOD = 30_000;

/** The number of the period that a code is for; null for a wrong one. */
async function stepOf(secret: string, code: string): Promise<number | null> {
  if (secret === '' || !/^\d{6}$/.test(code)) return null;
  const { TOTP } = await import('otpauth');
  const now = Date.now();
  const delta = new TOTP({ secret }).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / PERIOD) + delta;
}
