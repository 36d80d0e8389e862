/** Providers that many know: whoever names one of them need not say where it is. */
import type { Fields } from '../../../domain/values/values.ts';

export const PREPARED: Readonly<Record<string, Fields>> = {
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
