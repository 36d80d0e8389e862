/** `GET /account/settings`: what of the account settings everybody with a key may know, for the ready pages (src/account). */
import type { Context } from 'hono';
import { authenticate } from '../../auth/keys.ts';
import { fail } from '../../domain/problems.ts';
import { accountSettings } from '../../modules/users/accounts/settings.ts';
import { namesOfProviders } from '../../modules/users/providers/begin.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

export async function publicSettings(c: Context<Types>): Promise<Reply> {
  const known = await authenticate(c.env, c.req.raw.headers);
  if (!known.ok) return replyOfProblems(known.problems);
  const { application } = known.value.key;
  const asker = { environment: c.env, application };
  const settings = await accountSettings(asker);
  if (settings === null) {
    return replyOfProblems(fail('not-found', 'The application has no account settings.').problems);
  }
  const { colour, eraseByMail, logInByMail, name, origins, returnTo, secondFactor, signUp } = settings;
  const providers = await namesOfProviders(asker);
  const meta = {
    name,
    colour,
    signUp: signUp === 'open',
    logInByMail,
    eraseByMail,
    origins,
    returnTo,
    providers,
    secondFactor: secondFactor !== 'off',
  };
  return replyOf({ status: 200, document: { meta }, confidential: true });
}
