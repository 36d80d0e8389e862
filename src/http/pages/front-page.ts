/** The answer of `/`: what this service is, and where its documentation is. It needs no key. */
import { ENDPOINTS } from '../../modules/endpoints.ts';
import { replyOf } from '../answer.ts';
import type { Reply } from '../headers.ts';

export function frontPage(): Reply {
  const endpoints = ENDPOINTS.map(({ method, path, summary }) => ({
    method,
    path,
    summary,
  }));
  return replyOf({
    status: 200,
    document: {
      meta: {
        service: 'Foredge',
        description:
          'A document store with a JSON:API. Send the headers api-key and application-id with every request.',
        documentation: '/docs/index',
        reference: '/docs',
        openapi: '/openapi.json',
        endpoints,
      },
    },
  });
}
