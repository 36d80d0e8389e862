/** The endpoints of API keys (spec, API keys module), and of what a key decides. */
import { pathOfType } from '../../domain/addresses/paths.ts';
import { CORE } from '../../domain/types.ts';
import { allEndpointsOf } from '../documents/endpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { decideRequest } from './decision.ts';

const PATH = pathOfType(CORE.apiKey);

const DECISION: Endpoint = {
  method: 'POST',
  path: `${PATH}/{id}/decision`,
  summary: 'Says whether the key would admit a request, by which permission, or why not',
  body: 'question',
  answers: { 200: 'decision' },
  problems: ['document-not-found'],
  handle: decideRequest,
};

export const API_KEYS: readonly Endpoint[] = [
  ...allEndpointsOf({ path: PATH, one: 'an API key', many: 'API keys' }).map((endpoint): Endpoint =>
    endpoint.method === 'DELETE' && endpoint.path.endsWith('{id}')
      ? { ...endpoint, problems: [...(endpoint.problems ?? []), 'last-api-key'] }
      : endpoint,
  ),
  DECISION,
];
