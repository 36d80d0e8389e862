/**
 * A visit to the ready pages: who comes, and what their browser keeps in a cookie that no script reads. All that is
 * done for them is asked of the API, as any client of it would, in this process.
 */
import type { Context } from 'hono';
import { parse, serialize } from 'hono/utils/cookie';
import { accountOf, type Account } from '../../../client/account.ts';
import { connect, type Database } from '../../../client/index.ts';
import { authenticate } from '../../../auth/keys.ts';
import { paced } from '../../../auth/rates.ts';
import type { AccountSettings } from '../../../domain/accounts/settings.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { accountSettings } from '../../../modules/users/accounts/settings.ts';
import { namesOfProviders } from '../../../modules/users/providers/begin.ts';
import { baseOf } from '../../middleware/surroundings.ts';
import type { Types } from '../../types.ts';
import { languageOf, wordIn, type Language, type Word } from './words.ts';

/** Asks the whole service, in the process of a request. */
export type Ask = (c: Context<Types>, request: Request) => Response | Promise<Response>;

type Api = Database<unknown>;

export interface Visit {
  readonly settings: AccountSettings;
  /** The names of identity providers. */
  readonly providers: readonly string[];
  readonly language: Language;
  readonly say: (word: Word) => string;
  /** Where the browser is: scheme, host and port. */
  readonly origin: string;
  /** Of the pages, and of the dashboard. */
  readonly address: string;
  readonly dashboard: string;
  readonly query: URLSearchParams;
  /** What the browser keeps. */
  readonly kept: URLSearchParams;
  /** The API as the visitor, as whom the browser keeps, even if the API does not say now, and as nobody. */
  readonly db: Api;
  readonly member: Api;
  readonly stranger: Api;
  readonly account: Account;
  /** Whether somebody is logged in. */
  readonly isIn: boolean;
}

/** The visit, or why there is none: there is no such application, or key, or it has no account settings. */
export async function visitOf(c: Context<Types>, ask: Ask): Promise<Outcome<Visit>> {
  const [application, key] = [c.req.param('application') ?? '', c.req.param('key') ?? ''];
  // An address can say what no header can.
  const said = new Map([
    ['application-id', application],
    ['api-key', key],
  ]);
  const known = await authenticate(c.env, { get: (name) => said.get(name) ?? null });
  if (!known.ok) return known;
  const paid = paced(known.value.key, known.value.standing.quotas);
  if (!paid.ok) return paid;
  const caller = { environment: c.env, application: known.value.key.application };
  const settings = await accountSettings(caller);
  if (settings === null) return fail('not-found', 'The application has no account settings.');
  const { arrival, requestId, settings: own } = c.get('surroundings');
  const [url, { headers, cf }] = [baseOf(c), c.req.raw];
  const send = (to: unknown, init: RequestInit = {}) => {
    const sent = new Headers(init.headers);
    sent.set('x-request-id', requestId);
    // The limits and the list of logins are about the visitor.
    for (const name of ['user-agent', own.clientAddressHeader])
      if (name !== null && headers.has(name)) sent.set(name, headers.get(name) ?? '');
    const address = (arrival.address?.origin ?? '') + String(to).slice(url.length);
    return Promise.resolve(
      ask(c, new Request(address, { ...init, headers: sent, ...(cf && { cf: { ...cf } }) })),
    );
  };
  const kept = keptBy(c);
  const as = (token: string | null, refreshToken: string | null): Api =>
    connect({
      ...{ url, application, key, retries: 0, fetch: send, token, refreshToken },
      onToken: (...tokens) => {
        keep(kept, { token: tokens[0], 'refresh-token': tokens[1] });
      },
    });
  const [member, stranger] = [as(kept.get('token'), kept.get('refresh-token')), as(null, null)];
  const isIn = (await member.me().catch(() => null)) !== null;
  const db = isIn ? member : stranger;
  const language = languageOf(headers);
  return ok({
    ...{ settings, language, kept, db, member, stranger, isIn },
    providers: await namesOfProviders(caller),
    say: (word) => wordIn(language, word),
    origin: new URL(url).origin,
    address: `${url}/account/${application}/${key}`,
    dashboard: `${url}/dashboard`,
    query: new URLSearchParams(arrival.address?.query ?? ''),
    account: accountOf(db),
  });
}

/** Where the visitor has come from, and goes back to: one of the settings, or the dashboard, whoever names it. */
export function wayOf({ dashboard, kept, query, settings }: Visit) {
  const from = query.has('to') ? query : kept;
  const to = from.get('to');
  if (to === null || !(to === dashboard || settings.returnTo.includes(to))) return null;
  return { to, state: from.get('state') ?? '' };
}

/** Bytes of a cookie: browsers drop one of more than 4,096 (RFC 6265bis, 5.6), and a login needs some of these. */
const LONGEST_WAY = 3_000;

/** Whether a cookie has room for it: without, the login would lead nowhere. */
export function fits(way: Readonly<Record<string, string>>): boolean {
  return encodeURIComponent(String(new URLSearchParams(way))).length <= LONGEST_WAY;
}

export function keep(kept: URLSearchParams, values: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(values))
    if (value === null) kept.delete(name);
    else kept.set(name, value);
}

/** With TLS no other host can set it. Without, as on this machine, not all browsers take such a cookie. */
function cookieOf(c: Context<Types>) {
  const secure = baseOf(c).startsWith('https:');
  return { secure, name: `${secure ? '__Host-' : ''}foredge-pages-${c.req.param('application') ?? ''}` };
}

function keptBy(c: Context<Types>): URLSearchParams {
  const { name } = cookieOf(c);
  const kept = new URLSearchParams(parse(c.req.raw.headers.get('cookie') ?? '', name)[name]);
  // What no header could say is no login.
  for (const each of ['token', 'refresh-token']) if (/[^!-~]/.test(kept.get(each) ?? '')) kept.delete(each);
  return kept;
}

/** The header that lets the browser keep this until it is closed. */
export function keeping(c: Context<Types>, kept: URLSearchParams): Readonly<Record<string, string>> {
  if (String(kept) === String(keptBy(c))) return {};
  const { name, secure } = cookieOf(c);
  const how = { path: '/', secure, httpOnly: true, sameSite: 'Lax' } as const;
  const cookie = serialize(name, String(kept), kept.size === 0 ? { ...how, maxAge: 0 } : how);
  return { 'Set-Cookie': cookie };
}
