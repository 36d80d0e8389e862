/**
 * The ready pages of accounts (docs/accounts.md#ready-pages), at `/account/<application>/<key>`: HTML with forms, for
 * browsers without scripts, too. A GET shows a view; each POST is work.
 */
import type { Context } from 'hono';
import { fail } from '../../../domain/problems.ts';
import { replyOfProblems } from '../../answer.ts';
import { baseOf } from '../../middleware/surroundings.ts';
import { readBody } from '../../body.ts';
import type { Reply } from '../../headers.ts';
import type { Types } from '../../types.ts';
import { PAGE_POLICY } from '../assets.ts';
import { pageOf, type Values } from './view.ts';
import { keeping, visitOf, type Ask, type Visit } from './visit.ts';
import { performed, shown, type Next } from './work.ts';

/** Bytes of a form, and what of another site's a page reads. */
const LONGEST = 16 * 1024;
const READ = ['code', 'state', 'error', 'iss'];

export async function accountPage(c: Context<Types>, ask: Ask): Promise<Response> {
  const isForm = c.req.method === 'POST';
  const sent = isForm ? await readForm(c) : new URLSearchParams();
  if (!(sent instanceof URLSearchParams)) return c.render(sent);
  if (isForm && !isOwn(c)) return c.render(foreign(sent));
  const visit = await visitOf(c, ask);
  if (!visit.ok) return c.render(replyOfProblems(visit.problems));
  const values = Object.fromEntries(sent);
  const looks = c.req.method === 'HEAD';
  const next = await (isForm ? performed(visit.value, values) : shown(visit.value, looks));
  const reply = await replyWith(visit.value, next, values);
  return c.render({ ...reply, headers: { ...reply.headers, ...keeping(c, visit.value.kept) } });
}

async function readForm(c: Context<Types>): Promise<URLSearchParams | Reply> {
  const { memory, settings } = c.get('surroundings');
  const limits = { deadline: settings.bodyDeadline, memory, most: LONGEST, parsed: false };
  const read = await readBody(c.req.raw, limits);
  if (!read.ok) return replyOfProblems(read.problems);
  return new URLSearchParams(typeof read.value === 'string' ? read.value : '');
}

/** Whether a form comes from a page of the service: another one must not log anybody in, nor out. */
function isOwn(c: Context<Types>): boolean {
  const { headers } = c.req.raw;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const own = [new URL(baseOf(c)).origin, c.get('surroundings').arrival.address?.origin];
  return own.includes(headers.get('origin') ?? '');
}

/** What a provider posts, as Apple does, the page gets in its address. */
function foreign(sent: URLSearchParams): Reply {
  if (!sent.has('state')) {
    const detail = 'Only the forms of these pages are taken.';
    return replyOfProblems(fail('forbidden', detail, { header: 'Origin' }).problems);
  }
  const said = READ.flatMap((name) => (sent.has(name) ? [[name, sent.get(name) ?? '']] : []));
  return leading(`?${String(new URLSearchParams(said))}`);
}

const leading = (location: string | null): Reply => ({
  ...{ status: 303, typed: false, body: null, confidential: true },
  headers: location === null ? {} : { Location: location },
});

async function replyWith(visit: Visit, next: Next, sent: Values): Promise<Reply> {
  if ('location' in next) return leading(next.location);
  const common = { typed: true, confidential: true };
  if ('file' in next) {
    const headers = { 'Content-Disposition': 'attachment; filename="own-data.json"' };
    return { ...common, status: 200, mediaType: 'application/json', body: next.file, headers };
  }
  const nonce = crypto.randomUUID();
  // A login by a form goes on to one of these.
  const forms = ["'self'", ...new Set(visit.settings.returnTo.map((each) => new URL(each).origin))].join(' ');
  const policy = PAGE_POLICY.replace("form-action 'none'", `form-action ${forms}`).replace(
    "style-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
  );
  const body = await pageOf(next, visit, nonce, sent);
  // Under no-referrer browsers would not say either that a form is the service's own.
  const headers = { 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin' };
  return { ...common, status: next.status ?? 200, mediaType: 'text/html; charset=utf-8', body, headers };
}
