/**
 * The attributes of the service's own types (spec, Resources and their fields), said once: the checks of requests, OpenAPI,
 * the client's types and the tables of the docs come from here.
 */
import { PLACEMENT, PLACEMENT_NAMES } from '../../domain/applications/placements.ts';
import {
  ACTIONS,
  CONFIRMS,
  FACTOR_ACTIONS,
  LOG_IN_PROVIDER,
  SECOND_FACTORS,
  SIGN_UPS,
} from '../../domain/accounts/settings.ts';
import { CEREMONIES } from '../../domain/accounts/ceremonies.ts';
import { MAIL_KINDS } from '../../domain/accounts/templates.ts';
import { oneOf } from '../../domain/names.ts';
import { LIMITS } from '../../domain/limits.ts';
import { APPLICATION_QUOTAS, KEY_QUOTAS } from '../../domain/applications/quotas.ts';
import { AGGREGATE_PREFIX, CORE } from '../../domain/types.ts';
import { AUDIT_DAYS, ENDS } from '../../domain/applications/standing.ts';
import { WRITE_EVENTS } from '../../domain/webhooks.ts';
import { DATE } from './envelope.ts';
import { TYPE_SETTINGS } from './settings-of-types.ts';
import {
  type OwnType,
  FIELD,
  made,
  PERMISSION,
  orNull,
  settings,
  nullable,
  quotasOf,
  typesOf,
  TARGET,
} from './own-members.ts';
import { ADDRESS, listOf, named, openObjectOf, STRING, text } from './schema.ts';

const shown = (number: number) => number.toLocaleString('en');
const TOKEN: OwnType = {
  says: 'A token of a user who has logged in. It is valid for 30 days, or until the user changes.',
  attributes: made({ token: text('for `Authorization: Token <token>`'), created: DATE }),
  closed: true,
  example: { attributes: {}, made: { token: 'eyJhbGciOiJI…', created: '2026-11-22T09:30:00.000Z' } },
};

export const OWN_TYPES: Readonly<Record<string, OwnType>> = {
  [CORE.user]: {
    says: 'Somebody who logs in with a name and a password.',
    attributes: {
      username: text(
        `3 to ${LIMITS.username} letters, digits and \`_ - . @\`; unique in the application (409)`,
        {
          minLength: 3,
          maxLength: LIMITS.username,
          pattern: '^[A-Za-z0-9_.@-]+$',
        },
      ),
      password: text(
        `6 characters to ${shown(LIMITS.password)} bytes; answers show its hash, an scrypt string, and only to the user and to keys without ACL`,
        { minLength: 6 },
      ),
      ...made({
        'confirmed-email?': text(
          'the [address](accounts.md) that the user has confirmed; unique in the application',
        ),
        'pending?': {
          type: 'boolean',
          description: '`true` until the address is confirmed: nobody logs in before',
        },
        'second-factor?': {
          type: 'boolean',
          description: '`true` while logins need a [second factor](accounts.md#second-factors)',
        },
      }),
    },
    example: { attributes: { username: 'ada', password: 'correct horse' } },
  },
  [CORE.userGroup]: {
    says: 'Users and external users who share rights; its relationship `users` holds them.',
    attributes: {},
    example: { attributes: { name: 'Editors' } },
  },
  [CORE.externalUser]: {
    says: 'Somebody whom another service knows.',
    attributes: {},
    example: { attributes: { name: 'Grace Hopper' } },
  },
  [CORE.userToken]: TOKEN,
  [CORE.externalUserToken]: TOKEN,
  [CORE.accountSettings]: {
    says: 'How people sign up and log in: one document, or none.',
    attributes: {
      ...settings({
        'name?': text('of the product, as mails call it'),
        'colour?': {
          type: 'string',
          pattern: '^#[0-9a-f]{6}$',
          description: 'of the [ready pages](#ready-pages): `#2456b3`',
        },
        'sender?': text('the address that mails come from'),
        'sign-up?': {
          enum: [...SIGN_UPS],
          description: '`closed` (default): accounts are made by keys without ACL',
        },
        'confirm?': {
          enum: [...CONFIRMS],
          description: 'when a new user confirms the address: `before-login` (default)',
        },
        'second-factor?': {
          enum: [...SECOND_FACTORS],
          description: 'whether users may, or must, have a [second factor](#second-factors): `off` (default)',
        },
        'log-in-by-mail?': { type: 'boolean', description: 'true lets a code from a mail log in' },
        'erase-by-mail?': {
          type: 'boolean',
          description: 'true lets a code from a mail erase its user, with all that is theirs',
        },
        'fields?': listOf(text('The name of one.', FIELD), {
          description: 'attributes that a sign-up may give, beside `username`, `password` and `email`',
        }),
        'password-length?': {
          type: 'integer',
          minimum: LIMITS.accountPassword,
          maximum: 100,
          description: `characters of a password at least: ${LIMITS.accountPassword}`,
        },
        'minutes?': {
          type: 'integer',
          minimum: 1,
          maximum: 1_440,
          description: `for which a code is valid: ${LIMITS.accountMinutes}`,
        },
        'session-hours?': {
          type: 'integer',
          minimum: 1,
          maximum: 720,
          description: 'after which a new login ends: 720',
        },
        'origins?': listOf(ADDRESS, {
          description: 'of pages that [passkeys](#passkeys) are for; they belong to the host of the first',
        }),
        'return-to?': listOf(ADDRESS, {
          description: 'addresses that the links of mails may lead to; the first is the default',
        }),
      }),
      ...made({ scope: text('`application`') }),
    },
    closed: true,
    example: {
      attributes: { name: 'Bookshop', 'sign-up': 'open', 'return-to': ['https://shop.example/account'] },
    },
  },
  [CORE.accountAction]: {
    says: 'What somebody has begun, and proves by a code from a mail.',
    attributes: {
      kind: {
        enum: [...ACTIONS, ...CEREMONIES, LOG_IN_PROVIDER, ...FACTOR_ACTIONS.slice(0, 2)],
        description: 'what it does; the first five send a mail',
      },
      'email?': text(
        'the confirmed address, for `reset-password`, `log-in` and `erase`; for `invite` a new one',
      ),
      'username?': text('the user, for `confirm-address`'),
      'return-to?': text('where the link of the mail, or the provider, leads: one of the settings'),
      'language?': text('of the mail: `de`; else that of the user', {
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
      }),
      'provider?': text('the name of the provider, for `log-in-provider`'),
      ...made({
        expires: { ...DATE, description: 'when its code ends' },
        'options?': { type: 'object', description: 'what the browser takes, for a passkey' },
        'location?': {
          ...ADDRESS,
          description: 'of the provider, or of an app for codes (`otpauth:`), to which the browser goes',
        },
        'code?': text('what the redemption of `log-in-provider` brings back'),
      }),
    },
    closed: true,
    example: {
      attributes: { kind: 'reset-password', email: 'ada@example.org' },
      made: { expires: '2026-11-27T10:00:00.000Z' },
    },
  },
  [CORE.passkey]: {
    says: 'What a device of a user logs in with.',
    attributes: {
      'name?': text(`the user may change it: ${LIMITS.accountName} characters at most`),
      ...made({
        credential: text('the id of the credential; unique in the application'),
        user: text('the id of the user'),
        created: { ...DATE, description: 'when it was registered' },
      }),
    },
    closed: true,
    example: {
      attributes: { name: 'Phone' },
      made: { credential: 'AbCdEf0123', user: '6560a1b2c3d4e5f601234567' },
    },
  },
  [CORE.secondFactor]: {
    says: 'That a user has a second factor.',
    attributes: made({
      user: text('the id of the user'),
      created: { ...DATE, description: 'when it was added' },
    }),
    closed: true,
    example: { attributes: {}, made: { user: '6560a1b2c3d4e5f601234567' } },
  },
  [CORE.mailTemplate]: {
    says: 'The text of mails of a kind, in the place of the built-in one.',
    attributes: {
      name: text(`${oneOf(MAIL_KINDS, 'or')}; for one language \`log-in.de\`; unique in the application`),
      subject: text(`${LIMITS.mailSubject} characters at most`),
      text: text('paragraphs, with empty lines between them'),
      ...settings({ 'html?': text('the same as HTML; else it is made of the text') }),
    },
    closed: true,
    example: {
      attributes: {
        name: 'log-in.de',
        subject: 'Anmelden bei {{name}}',
        text: 'Hier geht es weiter: {{link}}\n\nOder mit dem Code {{code}}, {{validity}} lang.',
      },
    },
  },
  [CORE.identityProvider]: {
    says: 'Another service that users log in with: an issuer of OpenID Connect, or a provider of OAuth 2.0.',
    attributes: {
      name: text('for requests: 1 to 32 small letters, digits and `-`; unique in the application', {
        pattern: '^[a-z0-9-]{1,32}$',
      }),
      'issuer?': { ...ADDRESS, description: 'the address of the issuer, as its tokens have it' },
      'authorization-endpoint?': { ...ADDRESS, description: 'without an issuer: where browsers go' },
      'token-endpoint?': { ...ADDRESS, description: 'without an issuer: where a code becomes a token' },
      'user-endpoint?': { ...ADDRESS, description: 'without an issuer: says who has a token' },
      'emails-endpoint?': {
        ...ADDRESS,
        description: 'lists the addresses of who has a token, as that of GitHub',
      },
      'client-id': text('of this application, at the issuer'),
      ...settings({
        'client-secret?': text('the secret of that; never shown'),
        'scopes?': listOf(STRING, { description: 'with an issuer `openid`, `email` and `profile`' }),
      }),
    },
    closed: true,
    example: {
      attributes: { name: 'google', issuer: 'https://accounts.google.com', 'client-id': 'shop.apps.example' },
    },
  },
  [CORE.identity]: {
    says: 'Who a user is at an identity provider.',
    attributes: made({
      provider: text('the name of the provider'),
      user: text('the id of the user'),
      created: { ...DATE, description: 'when the user first came from there' },
    }),
    closed: true,
    example: { attributes: {}, made: { provider: 'google', user: '6560a1b2c3d4e5f601234567' } },
  },
  [CORE.apiKey]: {
    says: 'A key that a client sends with every request, with what it permits.',
    attributes: {
      name: text('a string that is not empty'),
      permissions: listOf(PERMISSION, {
        maxItems: LIMITS.permissionsPerKey,
        description: `at most ${shown(LIMITS.permissionsPerKey)}`,
      }),
      'quotas?': quotasOf(KEY_QUOTAS, '`{"requests": 50}`: requests a second'),
      ...made({ 'secure-id': text('for the header `api-key`') }),
    },
    example: {
      attributes: {
        name: 'reader',
        permissions: [{ path: '/resources/articles(/[0-9a-f]{24})?', methods: ['get'] }],
      },
      made: { 'secure-id': 'eyJhbGciOiJI…' },
    },
  },
  [CORE.schema]: {
    says: 'A JSON Schema that every document of its target must satisfy when it is written.',
    attributes: {
      target: TARGET,
      content: {
        type: ['object', 'boolean'],
        description:
          'a [JSON Schema](https://json-schema.org) for the document; its top-level `properties` may be `attributes` and `relationships`',
      },
    },
    example: {
      attributes: {
        target: 'articles',
        content: {
          type: 'object',
          properties: {
            attributes: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
          },
        },
      },
    },
  },
  [CORE.typeSettings]: TYPE_SETTINGS,
  [CORE.aggregate]: {
    says: 'A pipeline that makes documents of one type out of those of another.',
    attributes: {
      'input-type': text(`the type whose documents the pipeline reads: ${typesOf('pipelineInput')}`),
      'output-type': text(`\`${AGGREGATE_PREFIX}\` and a type name; one definition per output type (409)`, {
        pattern: `^${AGGREGATE_PREFIX.replace('.', '[.]')}`,
      }),
      pipeline: listOf(
        { type: 'object', minProperties: 1, maxProperties: 1 },
        {
          maxItems: LIMITS.pipelineStages,
          description: `an array of at most ${LIMITS.pipelineStages} stages, each an object with one key`,
        },
      ),
      'parameters?': {
        type: 'object',
        description: 'names with defaults, which stages and expressions read as `$$parameters.<name>`',
      },
    },
    example: {
      attributes: {
        'input-type': 'articles',
        'output-type': `${AGGREGATE_PREFIX}articles-by-author`,
        pipeline: [{ group: { id: '$author.id', articles: { $sum: 1 } } }],
      },
    },
  },
  [CORE.webhook]: {
    says: 'An address that is called when documents of a type are written.',
    attributes: {
      target: TARGET,
      url: text('the address, called with `POST` by https', { format: 'uri', maxLength: LIMITS.webhookUrl }),
      'events?': listOf(
        { enum: [...WRITE_EVENTS] },
        {
          minItems: 1,
          uniqueItems: true,
          description: 'any of `create`, `update`, `delete`; all of them by default',
        },
      ),
      'filter?': nullable(
        'object',
        'a [filter](search.md) of one JSON object, as `filter[*]` takes it: it is called only for documents that match before the write or after it',
      ),
      'secret?': nullable(
        'string',
        'signs the calls: `whsec_` and the Base64 of 24 to 64 bytes. Without one the service makes it; `null` in a `PATCH` makes another',
      ),
      'active?': {
        type: 'boolean',
        description: '`false` pauses it: it is called for nothing new, and waiting calls go on waiting',
      },
    },
    example: {
      attributes: { target: 'articles', url: 'https://example.com/hooks', events: ['create', 'update'] },
    },
  },
  [CORE.auditEntry]: {
    says: 'A change of a document: who has made it, and when. Never what it was.',
    attributes: made({
      at: { ...DATE, description: 'when' },
      change: {
        enum: ['create', 'update', 'delete', 'acl', 'relationships', 'restore'],
        description:
          '`create`, `update`, `delete`, `acl` (rights), `relationships` (one relationship) or `restore` ([of a version](history.md))',
      },
      'target-type': text('the type of the document'),
      'target-id': orNull('its id; null for a user who was erased', STRING),
      'fields?': listOf(text('The name of a field that has changed.'), {
        description:
          'names of the fields that have changed, 2,000 characters of them at most; of rights, such as `acl.read`',
      }),
      method: text('that of the request'),
      key: text('the id of the API key'),
      'key-name?': nullable('string', 'its name'),
      user: orNull(
        'the user or external user, `{type, id}`; null where the request does not say who it is: a key without ACL',
        named('link'),
      ),
      request: text(
        'the id of the request: `X-Request-Id` of the answer; it stands in the [log](requests.md)',
      ),
      expires: { ...DATE, description: 'when the entry goes' },
    }),
    closed: true,
    example: {
      attributes: { change: 'update', 'target-type': 'articles', fields: ['title'], method: 'PATCH' },
    },
  },
  [CORE.mail]: {
    says: 'A mail that [the mailbox](operating.md#mail) has kept in the place of sending it.',
    attributes: made({
      from: text('the sender'),
      to: text('the addressee'),
      subject: text('the subject'),
      text: text('the text'),
      html: text('the same as HTML'),
      created: { ...DATE, description: 'when it was written' },
    }),
    closed: true,
    example: { attributes: {}, made: { to: 'ada@example.org', subject: 'Log in to Bookshop' } },
  },
  [CORE.file]: {
    says: 'A file: a document that has content.',
    attributes: {
      name: text(`\`filename\` of the upload; no path, no controls, ${LIMITS.fileName} characters at most`, {
        minLength: 1,
      }),
      ...made({
        'media-type': text('that of the upload, else that of the first bytes'),
        size: { type: 'integer', minimum: 0, description: 'bytes of the content' },
        'sha-256': text('the digest of the content, in hexadecimal: its `ETag`'),
        created: { ...DATE, description: 'when it was stored' },
        'width?': { type: 'integer', minimum: 0, description: 'of a picture, in pixels' },
        'height?': { type: 'integer', minimum: 0, description: 'the same' },
      }),
    },
    example: {
      attributes: { name: 'ada.png' },
      made: {
        'media-type': 'image/png',
        size: 4096,
        'sha-256': 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        created: '2026-11-26T09:30:00.000Z',
      },
    },
  },
  [CORE.application]: {
    says: 'A tenant: its documents are invisible to all others.',
    attributes: {
      name: text('a string that is not empty'),
      'oidc?': orNull(
        'the OpenID Connect issuer whose id tokens log in',
        openObjectOf({ issuer: STRING, audience: STRING }),
      ),
      'quotas?': quotasOf(APPLICATION_QUOTAS, 'what it may use'),
      [`${AUDIT_DAYS}?`]: orNull('days for which the audit trail keeps an entry; null for no trail', {
        type: 'integer',
        minimum: 1,
        maximum: LIMITS.auditDays,
      }),
      ...made({ [ENDS]: orNull('when it is to be deleted', DATE) }),
      [`${PLACEMENT}?`]: orNull(
        'the jurisdiction that its data do not leave, or the region that they are near; it stays',
        { enum: [...PLACEMENT_NAMES] },
      ),
    },
    example: { attributes: { name: 'my shop' } },
  },
};
