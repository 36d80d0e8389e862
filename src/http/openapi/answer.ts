/**
 * `GET /openapi.json`: the OpenAPI document. Without credentials it is general, made once in an isolate; with those of
 * an application that may read its schemas, it has their types too.
 */
import type { Context } from 'hono';
import { identify } from '../../auth/identify.ts';
import { canonicalPath } from '../../domain/addresses/canonical.ts';
import { pathOfType } from '../../domain/addresses/paths.ts';
import { digest64 } from '../../domain/digest.ts';
import { LIMITS } from '../../domain/limits.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { textOfAnswer } from '../../domain/values/present.ts';
import { CORE } from '../../domain/types.ts';
import { listDocuments } from '../../modules/documents/handlers.ts';
import { namesTag } from '../../modules/documents/tags/conditions.ts';
import { PathParameters } from '../../modules/path-parameters.ts';
import { describeTypes, NO_TYPES, type ShownSchema } from '../../modules/schemas/described.ts';
import { replyOfProblems } from '../answer.ts';
import { baseOf } from '../middleware/surroundings.ts';
import type { Reply } from '../headers.ts';
import { contextOf } from '../middleware/handler.ts';
import { readPrefer } from '../prefer.ts';
import { readQuery } from '../query.ts';
import type { Types } from '../types.ts';
import { openApiOf } from './document.ts';
import type { PageContent } from './pages.ts';

/** The general document around the start of its addresses, which depends on the host of a request. */
let general: readonly string[] | undefined;

/** What stands in that place meanwhile. */
const BASE = 'https://base.invalid';

export async function openApi(
  c: Context<Types>,
  pages: Readonly<Record<string, PageContent>>,
): Promise<Reply> {
  const base = baseOf(c);
  const schemas = await schemasOf(c);
  if (!schemas.ok) return replyOfProblems(schemas.problems);
  const text =
    schemas.value.length === 0
      ? generalText(base, pages)
      : JSON.stringify(openApiOf({ base, pages, types: describeTypes(schemas.value) }));
  const tag = `"${digest64(text)}"`;
  const current = namesTag(c.req.raw.headers.get('if-none-match'), tag);
  return {
    status: current ? 304 : 200,
    typed: true,
    mediaType: 'application/json',
    body: current ? null : text,
    headers: { ETag: tag },
  };
}

function generalText(base: string, pages: Readonly<Record<string, PageContent>>): string {
  general ??= JSON.stringify(openApiOf({ base: BASE, pages, types: NO_TYPES })).split(BASE);
  return general.join(JSON.stringify(base).slice(1, -1));
}

/** The schemas that the request's credentials may GET, as their list shows them; none without. */
async function schemasOf(c: Context<Types>): Promise<Outcome<readonly ShownSchema[]>> {
  const { headers } = c.req.raw;
  if (!headers.get('application-id') && !headers.get('api-key')) return ok([]);
  const canonical = canonicalPath(pathOfType(CORE.schema));
  if (!canonical.ok) return canonical;
  const claim = { method: 'get', canonical: canonical.value, headers } as const;
  const { trace } = c.get('surroundings');
  const assumed = await identify(c.env, claim, trace);
  // No handler asks afterwards whether the token still stands.
  const stands = !assumed.ok || (await assumed.value.confirmed) !== false;
  const identified = stands ? assumed : await identify(c.env, claim, trace, true);
  if (!identified.ok) {
    // Who may not read schemas is shown what everybody is.
    const hidden = identified.problems.some(({ code }) => code === 'forbidden' || code === 'token-required');
    return hidden ? ok([]) : identified;
  }
  const query = readQuery(`?page[limit]=${LIMITS.pageSize}&page[count]=false`, ['page']);
  if (!query.ok) return query;
  c.set('claim', claim);
  c.set('caller', identified.value);
  c.set('parameters', new PathParameters(CORE.schema));
  c.set('asked', {
    query: query.value,
    ifMatch: null,
    ifNoneMatch: null,
    idempotencyKey: null,
    preferences: readPrefer(null),
    wrapped: false,
    csv: false,
  });
  const answer = await listDocuments(await contextOf(c));
  if (!answer.ok) return answer;
  const { data } = JSON.parse(textOfAnswer(answer.value.document ?? { data: [] })) as {
    readonly data: readonly { readonly attributes?: ShownSchema }[];
  };
  return ok(data.map(({ attributes = {} }) => attributes));
}
