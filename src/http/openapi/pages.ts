/** The pages that need no key, as paths of OpenAPI. */
import type { Json, Schema } from '../../modules/contents/schema.ts';
import { OF_CALLERS } from '../../modules/contents/problems.ts';
import type { Audience } from '../../modules/endpoint.ts';
import { headersOf, refusalsOf, securityOf, type Members } from './operation.ts';
import type { Shared } from './shared.ts';

/** What a page is, beside how it is made. */
export interface PageContent {
  readonly summary: string;
  /** How it is asked for; most pages can only be read. */
  readonly method?: 'post';
  /** Null where the answer has no body. */
  readonly mediaType: string | null;
  readonly schema?: Schema;
  readonly audience?: Audience;
  /** True where `If-None-Match` may be answered with 304. */
  readonly tagged?: boolean;
  /** The parameters of its address, where it has forms that are sent to it. */
  readonly forms?: readonly string[];
  /** True where it is the content of a file, of which `Range` may ask for a part. */
  readonly ranged?: boolean;
}

/** The tag of pages. */
export const PAGES = 'Pages';

export function pathsOfPages(pages: Readonly<Record<string, PageContent>>, shared: Shared): Members {
  return Object.fromEntries(
    Object.entries(pages).map(([route, page]) => {
      // The same path in OpenAPI's spelling: `/assets/:name` is `/assets/{name}`.
      const path = route.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}');
      const operation = operationOfPage(path, page, shared);
      const form = {
        operationId: idOf(path, 'form'),
        requestBody: { content: { [URLENCODED]: { schema: { type: 'object' } } } },
      };
      const post = page.forms !== undefined && { post: { ...operation, ...form } };
      return [path, { [page.method ?? 'get']: operation, ...post }];
    }),
  );
}

const idOf = (path: string, what: string) => what + path.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '');

/** Statuses of a page that says what is wrong with a form, or of a refusal of the API. */
export const SAID = [400, 403, 409, 422, 429, 503] as const;

/** What the answers to a page with forms have, too. */
function answersToForms(shared: Shared): Members {
  const said = {
    description: 'The page, which says what is wrong',
    content: { 'text/html': { schema: {} } },
  };
  const location = { schema: { type: 'string', format: 'uri-reference' } };
  return {
    303: shared.response('form', {
      description: 'Where the browser goes on',
      headers: { ...headersOf([]), Location: location },
    }),
    ...refusalsOf(['body-too-large', 'body-too-slow', ...OF_CALLERS], shared),
    ...Object.fromEntries(SAID.map((status) => [status, shared.response('said', said)])),
  };
}

function operationOfPage(
  path: string,
  { summary, mediaType, schema, audience, forms, tagged, ranged }: PageContent,
  shared: Shared,
): Members {
  const text = { schema: { type: 'string' } } as const;
  const parameters: readonly Json[] = [
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      ...text,
    })),
    ...(forms ?? []).map((name) => ({ name, in: 'query', ...text })),
  ];
  const headers = headersOf(tagged === true ? ['ETag'] : []);
  return {
    operationId: idOf(path, 'page'),
    summary,
    tags: [PAGES],
    security: audience === undefined ? [] : securityOf(audience),
    ...(parameters.length > 0 && { parameters }),
    responses: {
      ...(mediaType === null
        ? { 204: shared.response('done', { description: 'Done', headers }) }
        : {
            200: shared.response('page', {
              description: summary,
              headers,
              content: { [mediaType]: { schema: schema ?? {} } },
            }),
          }),
      ...(ranged === true && {
        206: shared.response('part of page', {
          description: 'The part that `Range` asks for',
          headers: headersOf(['ETag', 'Content-Range']),
          content: { '*/*': { schema: {} } },
        }),
      }),
      ...(tagged === true && {
        304: shared.response('unchanged', { description: 'Nothing changed', headers }),
      }),
      ...refusalsOf(
        [
          ...REFUSALS,
          ...(audience === 'operator' ? (['operator-required'] as const) : []),
          ...(audience === 'application' ? [...OF_CALLERS, ...OF_ASKED] : []),
          ...(ranged === true ? (['range-not-satisfiable', 'not-configured'] as const) : []),
        ],
        shared,
      ),
      ...(forms !== undefined && answersToForms(shared)),
    },
  };
}

const URLENCODED = 'application/x-www-form-urlencoded';
const OF_ASKED = ['not-acceptable', 'unknown-parameter', 'invalid-parameter'] as const;
const REFUSALS = ['not-found', 'unavailable', 'data-lost', 'storage-full', 'internal-error'] as const;
