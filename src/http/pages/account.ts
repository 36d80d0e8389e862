/**
 * For the ready pages (src/account): `GET /account/settings` says what everybody with a key may know of the account
 * settings; what a provider posts to them, as Apple does, they get in their address.
 */
import type { Context } from 'hono';
import { authenticate } from '../../auth/keys.ts';
import { paced } from '../../auth/rates.ts';
import { fail } from '../../domain/problems.ts';
import { accountSettings } from '../../modules/users/accounts/settings.ts';
import { namesOfProviders } from '../../modules/users/providers/begin.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import { readBody } from '../body.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';

export async function publicSettings(c: Context<Types>): Promise<Reply> {
  const known = await authenticate(c.env, c.req.raw.headers);
  if (!known.ok) return replyOfProblems(known.problems);
  const { key, standing } = known.value;
  const paid = paced(key, standing.quotas);
  if (!paid.ok) return replyOfProblems(paid.problems);
  const { application } = key;
  const caller = { environment: c.env, application };
  const settings = await accountSettings(caller);
  if (settings === null) {
    return replyOfProblems(fail('not-found', 'The application has no account settings.').problems);
  }
  const { colour, eraseByMail, logInByMail, logInByPassword, name, origins, ownData, required, returnTo } =
    settings;
  const meta = {
    ...{ name, colour, logInByMail, logInByPassword, eraseByMail, origins, ownData, required, returnTo },
    signUp: settings.signUp === 'open',
    providers: await namesOfProviders(caller),
    secondFactor: settings.secondFactor !== 'off',
  };
  return replyOf({ status: 200, document: { meta }, confidential: true });
}

/** Bytes of a form, and what of it the pages read. */
const LONGEST = 16 * 1024;
const READ = ['code', 'state', 'error', 'iss'];

export async function readInAddress(c: Context<Types>): Promise<Reply> {
  const { memory, settings } = c.get('surroundings');
  const limits = { deadline: settings.bodyDeadline, memory, most: LONGEST, parsed: false };
  const read = await readBody(c.req.raw, limits);
  if (!read.ok) return replyOfProblems(read.problems);
  const sent = new URLSearchParams(typeof read.value === 'string' ? read.value : '');
  const said = READ.flatMap((name) => (sent.has(name) ? [[name, sent.get(name) ?? '']] : []));
  const headers = { Location: `?${new URLSearchParams(said).toString()}` };
  return { status: 303, typed: false, body: null, confidential: true, headers };
}
