/** The operator: a client that knows the secret of the environment. */
import type { Environment } from '../collection/rpc/environment.ts';
import { isOperatorSecret } from '../domain/environment/credential-secrets.ts';

/** True for `Authorization: Bearer <OPERATOR_SECRET>`. Takes the same time for every wrong secret. */
export async function isOperator(
  { OPERATOR_SECRET: secret }: Environment,
  authorization: string | null,
): Promise<boolean> {
  const [, sent] = /^Bearer (.{1,1024})$/i.exec(authorization ?? '') ?? [];
  if (secret === undefined || !isOperatorSecret(secret) || sent === undefined) return false;
  const [one, other] = await Promise.all([digest(secret), digest(sent)]);
  return crypto.subtle.timingSafeEqual(one, other);
}

/** Gives both sides of the comparison equal lengths. */
function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
}
