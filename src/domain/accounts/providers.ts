/** Where identity providers are, and what is known of some (docs/accounts.md#identity-providers). */
import { memberOf } from '../values/tree.ts';
import type { Fields } from '../values/values.ts';

/** Of a provider of OAuth 2.0, which publishes none. */
export const ENDPOINTS = ['authorization-endpoint', 'token-endpoint', 'user-endpoint'] as const;

/** What is known of a provider that does not say where it is. */
export function preparedFor(attributes: Readonly<Record<string, unknown>>): Fields | undefined {
  return ['issuer', ...ENDPOINTS].some((name) => Object.hasOwn(attributes, name))
    ? undefined
    : memberOf(PREPARED, String(attributes['name']));
}

const PREPARED: Readonly<Record<string, Fields>> = {
  // Its scopes have other names.
  apple: { issuer: 'https://appleid.apple.com', scopes: ['openid', 'name', 'email'] },
  github: {
    'authorization-endpoint': 'https://github.com/login/oauth/authorize',
    'token-endpoint': 'https://github.com/login/oauth/access_token',
    'user-endpoint': 'https://api.github.com/user',
    'emails-endpoint': 'https://api.github.com/user/emails',
    scopes: ['user:email'],
  },
  gitlab: { issuer: 'https://gitlab.com' },
  google: { issuer: 'https://accounts.google.com' },
  microsoft: { issuer: 'https://login.microsoftonline.com/common/v2.0' },
};
