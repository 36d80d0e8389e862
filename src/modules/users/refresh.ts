/**
 * Refreshing a login (docs/accounts.md#refresh-tokens): its next token, and its next refresh token. Each refresh token is good
 * once. Who has an older one has stolen it, or it was stolen from them: the login ends.
 */
import { FAILED } from '../../auth/login/login.ts';
import { claimsOf, endTokens, ENDS, renewalOf } from '../../auth/tokens/documents.ts';
import { openRefresh } from '../../auth/tokens/refresh.ts';
import { collectionOf } from '../../collection/rpc/client.ts';
import { standingOf } from '../../collection/rpc/sessions/sessions.ts';
import { mergeOf } from '../../collection/rpc/writes/operations.ts';
import { keyOf } from '../../domain/documents.ts';
import { LIMITS } from '../../domain/limits.ts';
import type { Outcome } from '../../domain/problems.ts';
import { TRUSTED } from '../../domain/rules.ts';
import { CORE } from '../../domain/types.ts';
import { answerNew } from '../documents/write/creating.ts';
import type { Answer, RequestContext } from '../endpoint.ts';

export async function refresh(context: RequestContext, sealed: string): Promise<Outcome<Answer>> {
  const { application, environment } = context;
  const sent = await openRefresh(environment, application, sealed);
  if (sent === undefined) return FAILED;
  const { id } = sent;
  const tokens = collectionOf(context, CORE.userToken);
  const read = await tokens.read(id, TRUSTED);
  if (read.state !== 'found') return FAILED;
  const { document } = read;
  const [claims, renewal, ends] = [
    claimsOf(application, document),
    renewalOf(document),
    document.attributes[ENDS],
  ];
  if (claims === undefined || renewal === undefined || !(ends instanceof Date)) return FAILED;
  const { holder, version } = claims;
  const { stands } = await standingOf(environment, { application, holder }, { id, version });
  const now = Date.now();
  if (stands !== true || ends.getTime() <= now) return FAILED;
  const behind = renewal.round - sent.round;
  // Another tab has just done it, or the answer was lost.
  if (behind === 1 && now - renewal.at <= LIMITS.refreshAgain)
    return answerNew(context, { document, readable: true });
  if (behind !== 0) {
    await endTokens(context, CORE.user, [{ id, holders: [keyOf(holder)] }]);
    await tokens.remove(id, { ...TRUSTED, ifMatch: null });
    return FAILED;
  }
  const next = mergeOf(
    { attributes: { renewed: new Date(now), round: renewal.round + 1 }, relationships: {} },
    null,
  );
  const written = await tokens.update(id, next, { ...TRUSTED, ifMatch: [document.version] });
  if (written.ok) return answerNew(context, { ...written.value, readable: true });
  // Of two at once, the later one gets what the first one got.
  return written.problems.some(({ code }) => code === 'precondition-failed')
    ? refresh(context, sealed)
    : written;
}
