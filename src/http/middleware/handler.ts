/** The last step of a request: its endpoint's handler, given everything that was found before, and the answer. */
import type { Context } from 'hono';
import { recallSigner, signerOf } from '../../auth/credentials.ts';
import { asksToExplain } from '../../auth/operator.ts';
import { Stopwatch } from '../../domain/stopwatch.ts';
import type { Answer, Endpoint, Exchange } from '../../modules/endpoint.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import { baseOf } from '../base.ts';
import { clientAddressOf } from '../client-address.ts';
import { preferenceApplied } from '../prefer.ts';
import { EXTENDED_JSON } from '../pages/profile-page.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';
import { confirm } from './caller.ts';

export function handler(endpoint: Endpoint) {
  return async (c: Context<Types>): Promise<Response> => {
    const reply = await replyTo(c, endpoint);
    const confirming = confirm(c);
    const found = confirming && (await confirming);
    if (found === null) return c.render(reply);
    return c.render(found === 'again' ? await replyTo(c, endpoint) : found);
  };
}

async function replyTo(c: Context<Types>, { extension, handle, method, file }: Endpoint): Promise<Reply> {
  const base = baseOf(c);
  const wrapped = c.get('wrapped');
  const preferences = c.get('preferences');
  const calls = preferences['server-timing'] === null ? undefined : new Stopwatch();
  const exchange = await exchangeOf(c, base, wrapped, calls);
  const answer = await handle(exchange);
  if (!answer.ok) {
    const refusal = replyOfProblems(answer.problems, timing(c, calls));
    const heeded = preferenceApplied({ ...preferences, return: null, 'server-timing': null }, false);
    const headers = { ...refusal.headers, ...heeded };
    return heeded === null ? refusal : { ...refusal, preferred: true, headers };
  }
  const self = selfOf(exchange, answer.value, method);
  const isPlain = !wrapped && extension === undefined;
  const applied = isPlain
    ? undefined
    : { extension, profile: wrapped ? `${base}${EXTENDED_JSON}` : undefined };
  const reply = replyOf(answer.value, { self, applied, file });
  const followed = preferenceApplied(preferences, answer.value.document !== undefined);
  if (followed === null) return reply;
  return { ...reply, preferred: true, headers: { ...reply.headers, ...followed, ...timing(c, calls) } };
}

/**
 * Where a GET gives what the answer shows: the address of the request, or that of the document which it has made. None
 * where there is no such endpoint: every link leads to one (decisions, section 4).
 */
function selfOf(
  { base, path, query }: Exchange,
  { location }: Answer,
  method: Endpoint['method'],
): string | undefined {
  const address = method === 'POST' ? location : `${base}${path}`;
  return address === undefined || query.text === '' ? address : `${address}?${query.text}`;
}

/** How long the request has taken so far, and its collections alone: what any client measures from afar. */
function timing(c: Context<Types>, calls: Stopwatch | undefined): Readonly<Record<string, string>> {
  if (calls === undefined) return {};
  const total = Date.now() - c.get('started');
  return { 'Server-Timing': `total;dur=${total}, collections;dur=${calls.milliseconds}` };
}

/** The request as a handler sees it. */
export async function exchangeOf(
  c: Context<Types>,
  base: string,
  wrapped: boolean,
  calls?: Stopwatch,
): Promise<Exchange> {
  const { headers } = c.req.raw;
  const { application, apiKey, access, path, me, quotas, audited } = c.get('caller');
  const secret = headers.get('foredge-explain');
  return {
    environment: c.env,
    application,
    quotas,
    auditor:
      audited === undefined ? undefined : { ...audited, request: c.get('requestId'), method: c.req.method },
    apiKey,
    signature: (recallSigner(c.env) ?? (await signerOf(c.env))).signature,
    access,
    explain: secret !== null && (await asksToExplain(c.env, secret)),
    authorization: headers.get('authorization'),
    address: clientAddressOf(headers, c.get('settings').clientAddressHeader),
    base,
    path,
    parameters: c.get('parameters'),
    me: me !== null,
    query: c.get('query'),
    body: c.get('body') ?? null,
    ifMatch: c.get('ifMatch'),
    ifNoneMatch: c.get('ifNoneMatch'),
    idempotencyKey: c.get('idempotencyKey'),
    preferences: c.get('preferences'),
    calls,
    wrapped,
  };
}
