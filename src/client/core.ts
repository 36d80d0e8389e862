/** Made by npm run docs. Change the tables in src/modules/contents instead. */
import type { Link } from './transport.ts';

interface Of<Attributes> {
  readonly attributes: Attributes;
}

/** The service's own types, which an application's types may say more about. */
export interface Core {
  readonly 'core.user': Of<{
    username: string;
    password?: string;
    'confirmed-email'?: string;
    pending?: boolean;
    'second-factor'?: boolean;
    [k: string]: unknown;
  }>;
  readonly 'core.external-user': Of<{
    [k: string]: unknown;
  }>;
  readonly 'core.user-group': Of<{
    [k: string]: unknown;
  }> & { readonly relationships: { users?: ('core.user' | 'core.external-user')[] } };
  readonly 'core.user.token': Of<{
    token: string;
    created: Date;
    expires?: Date;
    'refresh-token'?: string;
  }>;
  readonly 'core.external-user.token': Of<{
    token: string;
    created: Date;
  }>;
  readonly 'core.account-settings': Of<{
    name?: null | string;
    colour?: null | string;
    sender?: null | string;
    'sign-up'?: null | ('closed' | 'invited' | 'open');
    confirm?: null | ('before-login' | 'later');
    'second-factor'?: null | ('off' | 'allowed' | 'required');
    'log-in-by-password'?: null | boolean;
    'log-in-by-mail'?: null | boolean;
    'erase-by-mail'?: null | boolean;
    'own-data'?: null | boolean;
    fields?: null | string[];
    required?: null | string[];
    'password-length'?: null | number;
    minutes?: null | number;
    'session-hours'?: null | number;
    'token-minutes'?: null | number;
    cookies?: null | boolean;
    origins?: null | string[];
    'return-to'?: null | string[];
    scope?: string;
  }>;
  readonly 'core.account-action': Of<{
    kind:
      | 'confirm-address'
      | 'reset-password'
      | 'log-in'
      | 'erase'
      | 'invite'
      | 'register-passkey'
      | 'log-in-passkey'
      | 'log-in-provider'
      | 'add-second-factor'
      | 'remove-second-factor';
    email?: string;
    username?: string;
    'return-to'?: string;
    language?: string;
    provider?: string;
    expires?: Date;
    options?: {
      [k: string]: unknown;
    };
    location?: string;
    code?: string;
  }>;
  readonly 'core.passkey': Of<{
    name?: string;
    credential?: string;
    user?: string;
    created?: Date;
  }>;
  readonly 'core.second-factor': Of<{
    user: string;
    created: Date;
  }>;
  readonly 'core.mail-template': Of<{
    name: string;
    subject: string;
    text: string;
    html?: null | string;
  }>;
  readonly 'core.identity-provider': Of<{
    name: string;
    issuer?: string;
    'authorization-endpoint'?: string;
    'token-endpoint'?: string;
    'user-endpoint'?: string;
    'emails-endpoint'?: string;
    'client-id': string;
    'client-secret'?: null | string;
    'key-id'?: null | string;
    'team-id'?: null | string;
    scopes?: null | string[];
    claims?: null | {
      [k: string]: string;
    };
  }>;
  readonly 'core.identity': Of<{
    provider: string;
    user: string;
    created: Date;
  }>;
  readonly 'core.mail': Of<{
    from: string;
    to: string;
    subject: string;
    text: string;
    html: string;
    created: Date;
  }>;
  readonly 'core.api-key': Of<{
    name: string;
    permissions: {
      path: string;
      methods: ('get' | 'post' | 'patch' | 'delete' | 'bulk')[];
      acl?: {
        active?: boolean;
        'endpoint-access-list-flavor'?: 'black' | 'white';
        'endpoint-access-list'?: Link[];
        'document-access-list-flavor'?: 'black' | 'white';
        'document-access-list'?: Link[];
      };
      where?: Record<string, unknown>;
      check?: Record<string, unknown>;
      fields?: {
        read?: string[];
        write?: string[];
      };
    }[];
    quotas?: null | {
      requests?: number | null;
    };
    'secure-id'?: string;
  }>;
  readonly 'core.schema': Of<{
    target: string;
    content:
      | {
          [k: string]: unknown;
        }
      | boolean;
  }>;
  readonly 'core.webhook': Of<{
    target: string;
    url: string;
    events?: ('create' | 'update' | 'delete')[];
    filter?: {
      [k: string]: unknown;
    } | null;
    secret?: string | null;
    active?: boolean;
  }>;
  readonly 'core.type': Of<{
    name: string;
    rights?: null | {
      read?: (string | Link)[];
      update?: (string | Link)[];
      delete?: (string | Link)[];
      'super-read'?: (string | Link)[];
      'super-update'?: (string | Link)[];
      create?: (string | Link)[];
    };
    unique?: null | string[][];
    expires?: string | null;
    'client-ids'?: boolean | null;
    inverses?: null | {
      [k: string]: {
        type: string;
        through: string;
      };
    };
    'aggregate-links'?: null | string[];
    files?: null | string[];
    checks?:
      | null
      | {
          name: string;
          on?: ('create' | 'update' | 'delete')[];
          filter: Record<string, unknown>;
          message?: string;
        }[];
    set?: null | {
      [k: string]: unknown;
    };
    count?: null | {
      [k: string]: {
        type: string;
        by: string;
        where?: Record<string, unknown>;
      };
    };
    viewer?: null | string[];
    sizes?: null | number[];
    'keep-metadata'?: boolean | null;
    'bytes-per-user'?: number | null;
    text?: boolean | null;
    history?:
      | null
      | (
          | 'forever'
          | {
              days?: number;
              versions?: number;
              hold?: string;
            }
        );
    title?: string | null;
    views?: null | {
      [k: string]: string;
    };
  }>;
  readonly 'core.file': Of<{
    name: string;
    'media-type'?: string;
    size?: number;
    'sha-256'?: string;
    created?: Date;
    width?: number;
    height?: number;
  }>;
  readonly 'core.aggregate': Of<{
    'input-type': string;
    'output-type': string;
    pipeline: {
      [k: string]: unknown;
    }[];
    parameters?: Record<string, unknown>;
  }>;
  readonly 'core.audit-entry': Of<{
    at: Date;
    change: 'create' | 'update' | 'delete' | 'acl' | 'relationships' | 'restore';
    'target-type': string;
    'target-id': null | string;
    fields?: string[];
    method: string;
    key: string;
    'key-name'?: string | null;
    user: null | Link;
    request: string;
    expires: Date;
  }>;
}
