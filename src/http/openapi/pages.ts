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
  /** True where it is the content of a file, of which `Range` may ask for a part. */
  readonly ranged?: boolean;
}

/** The tag of pages. */
export const PAGES = 'Pages';

/** The same path in OpenAPI's spelling: `/assets/:name` is `/assets/{name}`. */
function pathOf(route: string): string {
  return route.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, '{$1}');
}

export function pathsOfPages(pages: Readonly<Record<string, PageContent>>, shared: Shared): Members {
  return Object.fromEntries(
    Object.entries(pages).map(([route, page]) => {
      const path = pathOf(route);
      return [path, { [page.method ?? 'get']: operationOfPage(path, page, shared) }];
    }),
  );
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
    operationId: `page${path.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/-$/, '')}`,
    summary,
    tags: [PAGES],
    security: audience === undefined ? [] : securityOf({ audience }),
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
