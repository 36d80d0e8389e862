/** The last step of every login that proves one thing: who has a second factor, or must have one, gets no token yet. */
import { makeToken } from '../../../auth/tokens/documents.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { FACTOR, type FactorKind } from '../../../domain/accounts/settings.ts';
import { keyOf } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import type { Rule } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import { ownOf, accountSettings, type HeldSettings } from '../accounts/settings.ts';
import { answerLogin, keepsCookie } from '../cookies.ts';
import { credentialsOf, proofOf } from '../passkeys/begin.ts';
import { locationOf } from './begin.ts';

/** A user who has proven one thing. */
interface Entering {
  readonly id: DocumentId;
  readonly version: number;
  readonly needsFactor: boolean;
}

/** `rule`: what the key lets a login make. */
export async function enter(
  context: RequestContext,
  entering: Entering,
  rule: Rule | null = null,
): Promise<Outcome<Answer>> {
  const { id, version, needsFactor } = entering;
  const settings = await accountSettings(context);
  // A key without ACL may have taken it away, for somebody who has lost it.
  const hasFactor =
    needsFactor && (await collectionOf(context, CORE.secondFactor).findUnique('user', id)) !== null;
  if (!hasFactor && (settings === null || !(await isRequired(context, settings, id))))
    return answerToken(context, settings, { id, version }, rule);
  // Who has a passkey is asked for it, and does not come in with another new factor.
  const isAsked = hasFactor || (await credentialsOf(context, settings, id)).length > 0;
  const kind = isAsked ? FACTOR : 'add-second-factor';
  const action = await storedAction(context, kind, entering);
  if (!action.ok) return action;
  const meta = isAsked
    ? await proofOf(context, settings, { id: action.value, kind, user: id })
    : { location: await locationOf(context, action.value, id, settings?.name ?? '') };
  const detail = isAsked
    ? 'Redeem the action with a code of the app, a recovery code, or a passkey.'
    : 'Give the location to an app, and redeem the action with its first code.';
  return fail('second-factor-required', detail, undefined, { action: action.value, ...meta });
}

async function isRequired(
  context: RequestContext,
  { secondFactor, factorGroups }: HeldSettings,
  user: DocumentId,
): Promise<boolean> {
  if (secondFactor !== 'required' || factorGroups.length === 0) return secondFactor === 'required';
  const own = await collectionOf(context, CORE.userGroup).calls.groupsOf(
    keyOf({ type: CORE.user, id: user }),
  );
  return factorGroups.some(({ id }) => own.includes(id));
}

/** The action that goes on with a login. */
async function storedAction(
  context: RequestContext,
  kind: FactorKind,
  { id: user, version }: Entering,
): Promise<Outcome<DocumentId>> {
  const expires = new Date(Date.now() + LIMITS.accountMinutes * 60_000);
  const stored = await ownOf(context, CORE.accountAction).add({ kind, user, version, tries: 0, expires });
  return stored.ok ? ok(stored.value.document.id) : stored;
}

export async function answerToken(
  context: RequestContext,
  settings: HeldSettings | null,
  { id, version }: Pick<Entering, 'id' | 'version'>,
  rule: Rule | null = null,
): Promise<Outcome<Answer>> {
  const holder = { type: CORE.user, id };
  const token = await makeToken(context, { holder, version }, rule, settings);
  return token.ok ? answerLogin(context, token.value, keepsCookie(context, settings)) : token;
}
