/** The last step of every login that proves one thing: who has a second factor, or must have one, gets no token yet. */
import { makeToken } from '../../../auth/tokens/documents.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { pathOfType } from '../../../domain/addresses/paths.ts';
import { FACTOR } from '../../../domain/accounts/settings.ts';
import { keyOf } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';
import type { HeldSettings } from '../accounts/settings.ts';
import { storeEnding } from '../accounts/begun.ts';
import { answerLogin, keepsCookie } from '../cookies.ts';
import { credentialsOf, proofOf } from '../passkeys/begin.ts';
import { locationOf } from './begin.ts';

const LOGIN = pathOfType(CORE.userToken);

/** A user who has proven one thing. */
interface Entering {
  readonly id: DocumentId;
  readonly version: number;
  readonly needsFactor: boolean;
}

export async function enter(
  context: RequestContext,
  settings: HeldSettings | null,
  { id, version, needsFactor }: Entering,
): Promise<Outcome<Answer>> {
  const kind = await stepOf(context, settings, { id, needsFactor });
  if (kind === null) return answerToken(context, settings, { id, version });
  const isAsked = kind === FACTOR;
  // The action that goes on with the login.
  const stored = await storeEnding(context, LIMITS.accountMinutes, { kind, user: id, version, tries: 0 });
  if (!stored.ok) return stored;
  const { id: action } = stored.value.document;
  const meta = isAsked
    ? await proofOf(context, settings, { id: action, kind, user: id })
    : { location: await locationOf(context, action, id, settings?.name ?? '') };
  const detail = isAsked
    ? 'Redeem the action with a code of the app, a recovery code, or a passkey.'
    : 'Give the location to an app, and redeem the action with its first code.';
  return fail('second-factor-required', detail, undefined, { action, ...meta });
}

/** What somebody does who has proven one thing: proves another, adds one, or, for null, nothing more. */
export async function stepOf(
  context: RequestContext,
  settings: HeldSettings | null,
  { id, needsFactor }: Pick<Entering, 'id' | 'needsFactor'>,
) {
  // A key without ACL may have taken it away, for somebody who has lost it.
  const hasFactor =
    needsFactor && (await collectionOf(context, CORE.secondFactor).findUnique('user', id)) !== null;
  if (!hasFactor && (settings === null || !(await isRequired(context, settings, id)))) return null;
  // Who has a passkey is asked for it, and does not come in with another new factor.
  const isAsked = hasFactor || (await credentialsOf(context, settings, id)).length > 0;
  return isAsked ? FACTOR : 'add-second-factor';
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

/** Whatever somebody has proven who they are by, the key's rule of a login holds. */
export async function answerToken(
  context: RequestContext,
  settings: HeldSettings | null,
  { id, version }: Pick<Entering, 'id' | 'version'>,
): Promise<Outcome<Answer>> {
  const holder = { type: CORE.user, id };
  const rule = context.access.strangerAt('post', LOGIN)?.rule ?? null;
  const token = await makeToken(context, { holder, version }, rule, settings);
  return token.ok ? answerLogin(context, token.value, keepsCookie(context, settings)) : token;
}
