/** How callers say who they are, as OpenAPI's security schemes. */
import type { LoginScheme } from '../../modules/endpoint.ts';

type Name = 'application-id' | 'api-key' | 'token' | 'operator' | LoginScheme;

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

export const SECURITY = {
  'application-id': header('application-id', 'The id of the application.'),
  'api-key': header('api-key', 'The `secure-id` of one of its API keys.'),
  token: header('Authorization', '`Token <token>`: the user behind the request, after a login.'),
  password: { type: 'http', scheme: 'basic', description: 'The name and the password of a user.' },
  refresh: header('Authorization', '`Refresh <refresh token>` of a login.'),
  'external-user': header('Authorization', '`External <base64 of id:ID>`, with the id of an external user.'),
  'id-token': { type: 'http', scheme: 'bearer', description: 'An id token of the OpenID Connect issuer.' },
  operator: { type: 'http', scheme: 'bearer', description: 'The operator secret.' },
} as const satisfies Readonly<Record<Name, unknown>>;
