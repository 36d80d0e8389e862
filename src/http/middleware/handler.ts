/** The last step of a request: its endpoint's handler, given everything that was found before, and the answer. */
import type { Context } from 'hono';
import { recallSigner, signerOf } from '../../auth/credentials.ts';
import type { Outcome } from '../../domain/problems.ts';
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
  return (c: Context<Types>): Promise<Response> => answered(c, endpoint);
}

async function answered(c: Context<Types>, endpoint: Endpoint): Promise<Response> {
  const calls = c.get('asked').preferences['server-timing'] === null ? undefined : new Stopwatch();
  const exchange = exchangeOf(c, recallAsking(c) ?? (await askingOf(c)), calls);
  const reply = replyTo(c, endpoint, exchange, await endpoint.handle(exchange));
  const confirming = confirm(c);
  const found = confirming && (await confirming);
  if (found === null) return c.render(reply);
  return found === 'again' ? answered(c, endpoint) : c.render(found);
}

function replyTo(
  c: Context<Types>,
  { extension, method, file }: Endpoint,
  exchange: Exchange,
  answer: Outcome<Answer>,
): Reply {
  const { base, wrapped, preferences, calls } = exchange;
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
  const total = Date.now() - c.get('surroundings').started;
  return { 'Server-Timing': `total;dur=${total}, collections;dur=${calls.milliseconds}` };
}

/** What of an exchange may have to be waited for. */
type Asking = Pick<Exchange, 'signature' | 'explain'>;

/** The same without waiting: undefined for the first request of an isolate, and for whoever sends a secret. */
function recallAsking(c: Context<Types>): Asking | undefined {
  const signature = recallSigner(c.env)?.signature;
  const isPlain = signature !== undefined && c.req.raw.headers.get('foredge-explain') === null;
  return isPlain ? { signature, explain: false } : undefined;
}

export async function askingOf(c: Context<Types>): Promise<Asking> {
  const { signature } = await signerOf(c.env);
  const secret = c.req.raw.headers.get('foredge-explain');
  return { signature, explain: secret !== null && (await asksToExplain(c.env, secret)) };
}

/** The request as a handler sees it. */
export function exchangeOf(c: Context<Types>, { signature, explain }: Asking, calls?: Stopwatch): Exchange {
  const { headers } = c.req.raw;
  const { application, apiKey, access, path, me, quotas, audited } = c.get('caller');
  const { requestId, settings } = c.get('surroundings');
  const { query, ifMatch, ifNoneMatch, idempotencyKey, preferences, wrapped } = c.get('asked');
  return {
    environment: c.env,
    application,
    quotas,
    auditor: audited === undefined ? undefined : { ...audited, request: requestId, method: c.req.method },
    apiKey,
    signature,
    access,
    explain,
    authorization: headers.get('authorization'),
    address: clientAddressOf(headers, settings.clientAddressHeader),
    base: baseOf(c),
    path,
    parameters: c.get('parameters'),
    me: me !== null,
    query,
    body: c.get('body') ?? null,
    ifMatch,
    ifNoneMatch,
    idempotencyKey,
    preferences,
    calls,
    wrapped,
  };
}
