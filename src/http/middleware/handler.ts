/** The last step of a request: its endpoint's handler, given everything that was found before, and the answer. */
import type { Context } from 'hono';
import { signerOf } from '../../auth/credentials.ts';
import { notAs } from '../../collection/rpc/refusals.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { explainedRefusal, type Explaining } from '../../auth/explanation.ts';
import { isOperator } from '../../auth/operator.ts';
import type { Device } from '../../auth/tokens/documents.ts';
import { namedBy } from '../../auth/rules.ts';
import { Stopwatch } from '../../domain/work/stopwatch.ts';
import type { Answer, Endpoint, RequestContext, SentStream } from '../../modules/endpoint.ts';
import { readerOf } from '../../modules/files/pieces.ts';
import { replyOf, replyOfProblems } from '../answer.ts';
import { baseOf } from './surroundings.ts';
import { withRows } from '../csv.ts';
import { isReset } from '../outage.ts';
import { contentRequestOf } from '../contents/head.ts';
import { clientAddressOf } from '../client-address.ts';
import { preferenceApplied, UNHEEDED } from '../prefer.ts';
import { EXTENDED_JSON } from '../pages/profile-page.ts';
import type { Reply } from '../headers.ts';
import type { Types } from '../types.ts';
import { stillPermitted } from './body.ts';
import { confirm } from './caller.ts';

export async function answered(c: Context<Types>, endpoint: Endpoint): Promise<Response> {
  const calls = c.get('asked').preferences['server-timing'] === null ? undefined : new Stopwatch();
  const plain = await contextOf(c, calls);
  const context =
    endpoint.content === undefined ? plain : { ...plain, ...contentOf(c, endpoint.content, plain) };
  const handling = await handled(endpoint, context).finally(() => {
    // Without the answer, which nobody waits longer for.
    for (const each of context.afterwards ?? []) c.executionCtx.waitUntil(each().catch(() => undefined));
  });
  const found = isUnmatched(endpoint, context, handling) ? notAs('If-Match') : handling;
  const shown = context.csv && found.ok ? withRows(context, found.value) : found;
  const reply = replyTo(c, endpoint, context, shown);
  const confirming = confirm(c);
  const refusal = confirming && (await confirming);
  if (refusal === null) return c.render(reply);
  return refusal === 'again' ? answered(c, endpoint) : c.render(refusal);
}

/**
 * The answer of the handler. An object that begins anew (a deployment, a move) fails the calls under way: what may be
 * done twice is then done again, once, by new stubs, because those of a failed call fail for good.
 */
async function handled({ method, handle }: Endpoint, context: RequestContext): Promise<Outcome<Answer>> {
  try {
    return await handle(context);
  } catch (error) {
    if (!isReset(error) || (method !== 'GET' && context.idempotencyKey === null)) throw error;
    return handle({ ...context });
  }
}

/** Where no document is, none is as `If-Match` says (decisions, section 1). Writes find that themselves. */
function isUnmatched(
  { method, headers = [] }: Endpoint,
  { ifMatch }: RequestContext,
  found: Outcome<Answer>,
): boolean {
  const isAsked = method === 'GET' && ifMatch !== null && headers.includes('If-Match');
  return isAsked && !found.ok && found.problems[0]?.code === 'document-not-found';
}

function replyTo(
  c: Context<Types>,
  { extension, method, file, answers }: Endpoint,
  context: RequestContext,
  answer: Outcome<Answer>,
): Reply {
  const { base, wrapped, calls, explaining } = context;
  const { preferences } = c.get('asked');
  if (!answer.ok) {
    const refusal = replyOfProblems(explainedRefusal(answer.problems, explaining?.whole), timing(c, calls));
    const { handling } = preferences;
    const heeded = preferenceApplied({ ...UNHEEDED, handling, explain: explaining ? '' : null }, false);
    const headers = { ...refusal.headers, ...heeded };
    return heeded === null ? refusal : { ...refusal, preferred: true, headers };
  }
  const shown = explaining
    ? explainedAnswer(answer.value, explaining, answers[200] === 'explained')
    : answer.value;
  const self = selfOf(context, shown, method);
  const isPlain = !wrapped && extension === undefined;
  const applied = isPlain
    ? undefined
    : { extension, profile: wrapped ? `${base}${EXTENDED_JSON}` : undefined };
  const reply = replyOf(shown, { self, applied, file });
  // Most requests prefer nothing, and must not pay for those that do.
  if (preferences === UNHEEDED) return reply;
  const ignored = {
    ...(shown === answer.value && { explain: null }),
    ...(shown.headers?.['Set-Cookie'] === undefined && { cookie: null }),
  };
  const followed = preferenceApplied({ ...preferences, ...ignored }, shown.document !== undefined);
  if (followed === null) return reply;
  return { ...reply, preferred: true, headers: { ...reply.headers, ...followed, ...timing(c, calls) } };
}

/** The answer, which says how the request was admitted, where it has a document, or gets one for this alone. */
function explainedAnswer(answer: Answer, { whole }: Explaining, isToSay: boolean): Answer {
  const { document } = answer;
  if (document === undefined && !isToSay) return answer;
  const meta = { ...document?.meta, explained: { by: 'key', ...whole } };
  return { ...answer, ...(document === undefined && { status: 200 }), document: { ...document, meta } };
}

/**
 * Where a GET gives what the answer shows: the address of the request, or that of the document which it has made. None
 * where there is no such endpoint: every link leads to one (decisions, section 4).
 */
function selfOf(
  { base, path, query }: RequestContext,
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

/** What a request has beside that, to an endpoint of contents. */
function contentOf(
  c: Context<Types>,
  part: Exclude<Endpoint['content'], undefined>,
  plain: RequestContext,
): Pick<RequestContext, 'content' | 'sent' | 'stored'> {
  if (part === 'stream') return { sent: sentOf(c, plain) };
  if (part === 'body') return { stored: c.get('stored') };
  return { content: contentRequestOf(c.req.raw) };
}

function sentOf(c: Context<Types>, { afterwards, calls }: RequestContext): SentStream {
  const begun = Date.now();
  const { body, headers } = c.req.raw;
  return {
    headers,
    reader: body === null ? undefined : readerOf(body),
    outlive: (work) => {
      c.executionCtx.waitUntil(work);
    },
    again: async () => {
      const current = await stillPermitted(c, begun);
      return current.ok ? ok({ ...(await contextOf(c, calls)), afterwards }) : current;
    },
  };
}

/** The request as a handler sees it. */
export async function contextOf(c: Context<Types>, calls?: Stopwatch): Promise<RequestContext> {
  const { headers } = c.req.raw;
  const signer = await signerOf(c.env);
  // True for the operator's secret in the header: answers then tell the plan of a search in `meta`.
  const secret = headers.get('foredge-explain');
  const explain = secret !== null && (await isOperator(c.env, `Bearer ${secret}`));
  const { application, apiKey, access, path, me, quotas, audited, explaining } = c.get('caller');
  const { requestId, settings, memory, trace } = c.get('surroundings');
  const asked = c.get('asked');
  const { preferences } = asked;
  return {
    ...asked,
    environment: c.env,
    application,
    quotas,
    auditor: audited === undefined ? undefined : { ...audited, request: requestId, method: c.req.method },
    requester: c.req.method === 'GET' ? undefined : { key: apiKey, named: namedBy(access.holder) },
    apiKey,
    signature: signer.signature,
    tagSeal: signer.tagSeal(application, c.env.EPOCH),
    access,
    explaining,
    explain,
    afterwards: c.req.method === 'GET' ? undefined : [],
    device: c.req.method === 'POST' ? deviceOf(c.req.raw) : undefined,
    authorization: c.get('claim').headers.get('authorization'),
    origin: headers.get('origin'),
    address: clientAddressOf(c.req.raw, settings.clientAddressHeader),
    base: baseOf(c),
    path,
    parameters: c.get('parameters'),
    me: me !== null,
    body: c.get('body') ?? null,
    // What is written is shown for the explanation beside it.
    preferences: explaining
      ? { ...preferences, return: preferences.return ?? 'representation' }
      : preferences,
    memory,
    calls,
    trace,
  };
}

/** Characters of a name of a device that are kept. */
const NAME = 200;

function deviceOf({ cf, headers }: Request): Device {
  const agent = headers.get('user-agent')?.slice(0, NAME).toWellFormed() ?? '';
  const name = agent.replace(/[\p{Cc}\p{Cf}]/gu, '');
  const country = cf?.['country'];
  return {
    name: name === '' ? null : name,
    country: typeof country === 'string' && /^[A-Z0-9]{2}$/.test(country) ? country : null,
  };
}
