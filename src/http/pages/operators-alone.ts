/** Pages that only the operator may ask for. */
import type { Context } from 'hono';
import { isOperator } from '../../auth/operator.ts';
import { fail } from '../../domain/problems.ts';
import { replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

/** The answer to anybody else, null for the operator. */
export async function operatorsAlone(c: Context<Types>): Promise<Reply | null> {
  if (await isOperator(c.env, c.req.raw.headers.get('authorization'))) return null;
  const source = { header: 'Authorization' };
  return replyOfProblems(
    fail('operator-required', 'Send the operator secret as a bearer token.', source).problems,
  );
}
