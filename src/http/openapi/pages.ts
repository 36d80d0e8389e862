/** The pages that need no key, as paths of OpenAPI. */
import type { Json, Schema } from '../../modules/contents/schema.ts';
import { OF_CALLERS } from '../../modules/contents/problems.ts';
import type { Audience } from '../../modules/endpoint.ts';
import { FORM } from '../negotiation.ts';
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
  /** True where forms of other sites lead browsers here, too. */
  readonly forms?: true;
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
      const form = page.forms === true && { post: formOf(path, operation, shared) };
      return [path, { [page.method ?? 'get']: operation, ...form }];
    }),
  );
}

const idOf = (path: string, what: string) => what + path.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '');

/** The form that leads to a page. */
function formOf(path: string, { parameters, security, tags }: Members, shared: Shared): Members {
  const location = { schema: { type: 'string', format: 'uri-reference' } };
  return {
    operationId: idOf(path, 'form'),
    summary:
      'Takes the form of another site, whose `code`, `state`, `error` and `iss` the page reads in its address',
    ...{ parameters, security, tags },
    requestBody: { content: { [FORM]: { schema: { type: 'object' } } } },
    responses: {
      303: shared.response('form', {
        description: 'The page',
        headers: { ...headersOf([]), Location: location },
      }),
      ...refusalsOf(['body-too-large', 'body-too-slow', 'missing-body', 'invalid-json', ...REFUSALS], shared),
    },
  };
}

function operationOfPage(
  path: string,
  { summary, mediaType, schema, audience, tagged, ranged }: PageContent,
  shared: Shared,
): Members {
  const parameters: readonly Json[] = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
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
          ...(audience === 'application' ? OF_CALLERS : []),
          ...(ranged === true ? (['range-not-satisfiable', 'not-configured'] as const) : []),
        ],
        shared,
      ),
    },
  };
}

const REFUSALS = ['not-found', 'unavailable', 'data-lost', 'storage-full', 'internal-error'] as const;
