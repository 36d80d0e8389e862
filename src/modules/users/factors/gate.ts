/** The last step of every login that proves one thing: who has a second factor is asked for it, and gets no token yet. */
import { makeToken } from '../../../auth/tokens/documents.ts';
import { collectionOf } from '../../../collection/rpc/client.ts';
import { FACTOR } from '../../../domain/accounts/settings.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { fail, type Outcome } from '../../../domain/problems.ts';
import { CORE } from '../../../domain/types.ts';
import { answerNew } from '../../documents/creating.ts';
import type { Answer, RequestContext } from '../../endpoint.ts';

/** A user who has proven one thing. */
interface Entering {
  readonly id: DocumentId;
  readonly version: number;
  readonly needsFactor: boolean;
}

export async function enter(
  context: RequestContext,
  { id, version, needsFactor }: Entering,
): Promise<Outcome<Answer>> {
  // A key without ACL may have taken it away, for somebody who has lost it.
  const factors = collectionOf(context, CORE.secondFactor);
  if (!needsFactor || (await factors.findUnique('user', id)) === null)
    return answerToken(context, id, version);
  const expires = new Date(Date.now() + LIMITS.accountMinutes * 60_000);
  const attributes = { kind: FACTOR, user: id, version, tries: 0, expires };
  const content = { attributes, relationships: {} };
  const asked = await collectionOf(context, CORE.accountAction).create({ content, owners: [], rule: null });
  if (!asked.ok) return asked;
  const detail = 'Redeem the action with a code of the app, or a recovery code.';
  return fail('second-factor-required', detail, undefined, { action: asked.value.document.id });
}

export async function answerToken(
  context: RequestContext,
  id: DocumentId,
  version: number,
): Promise<Outcome<Answer>> {
  const token = await makeToken(context, { holder: { type: CORE.user, id }, version }, null);
  return token.ok ? answerNew(context, token.value) : token;
}
