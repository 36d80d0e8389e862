/**
 * The attributes of the service's own types (spec, Resources and their fields), said once: request checks, OpenAPI,
 * the client's types and the tables of the docs come from here.
 */
import { PLACEMENT, PLACEMENT_NAMES } from '../../domain/applications/placements.ts';
import { LIMITS } from '../../domain/limits.ts';
import { APPLICATION_QUOTAS, KEY_QUOTAS } from '../../domain/applications/quotas.ts';
import { AGGREGATE_PREFIX, CORE } from '../../domain/types.ts';
import { AUDIT_DAYS, ENDS } from '../../domain/applications/standing.ts';
import { WRITE_EVENTS } from '../../domain/webhooks.ts';
import { DATE } from './envelope.ts';
import { TYPE_SETTINGS } from './settings-of-types.ts';
import { made, type OwnType } from './own-members.ts';
import { ACCOUNT_TYPES } from './own-accounts.ts';
import * as own from './own-members.ts';
import * as s from './schema.ts';
import type { Schema } from './schema.ts';

const shown = (number: number) => number.toLocaleString('en');
const TOKEN: OwnType = {
  says: 'A token of a user who has logged in. It is valid for 30 days at most, and until the user changes.',
  attributes: made({ token: s.text('for `Authorization: Token <token>`'), created: DATE }),
  closed: true,
  madeExample: { token: 'eyJhbGciOiJI…', created: '2026-11-22T09:30:00.000Z' },
};

export const OWN_TYPES: Readonly<Record<string, OwnType>> = {
  [CORE.user]: {
    says: 'Somebody who logs in with a name and a password.',
    attributes: {
      username: s.text(
        `3 to ${LIMITS.username} letters, digits and \`_ - . @\`; unique in the application (409)`,
        {
          minLength: 3,
          maxLength: LIMITS.username,
          pattern: '^[A-Za-z0-9_.@-]+$',
        },
      ),
      password: s.text(
        `6 characters to ${shown(LIMITS.password)} bytes; ` +
          'answers show its hash, an scrypt string, and only to the user and to keys without ACL',
        { minLength: 6 },
      ),
      ...made({
        'confirmed-email?': s.text(
          'the [address](accounts.md) that the user has confirmed; unique in the application',
        ),
        'pending?': s.flag('`true` until the address is confirmed: nobody logs in before'),
        'second-factor?': s.flag('`true` while logins need a [second factor](accounts.md#second-factors)'),
      }),
    },
    example: { username: 'ada', password: 'correct horse' },
  },
  [CORE.userGroup]: {
    says: 'Users and external users who share rights; its relationship `users` holds them.',
    attributes: {},
    example: { name: 'Editors' },
  },
  [CORE.externalUser]: {
    says: 'Somebody whom another service knows.',
    attributes: {},
    example: { name: 'Grace Hopper' },
  },
  ...ACCOUNT_TYPES,
  [CORE.userToken]: {
    ...TOKEN,
    attributes: {
      ...TOKEN.attributes,
      ...made({
        'expires?': { ...DATE, description: 'when the token ends, and is to be refreshed' },
        'refresh-token?': s.text('gets the next token, once'),
      }),
    },
  },
  [CORE.externalUserToken]: TOKEN,
  [CORE.apiKey]: {
    says: 'A key that a client sends with every request, with what it permits.',
    attributes: {
      name: s.text('a string that is not empty'),
      permissions: s.listOf(own.PERMISSION, {
        maxItems: LIMITS.permissionsPerKey,
        description: `at most ${shown(LIMITS.permissionsPerKey)}`,
      }),
      'quotas?': own.quotasOf(KEY_QUOTAS, '`{"requests": 50}`: requests a second'),
      ...made({ 'secure-id': s.text('for the header `api-key`') }),
    },
    example: {
      name: 'reader',
      permissions: [{ path: '/resources/articles(/[0-9a-f]{24})?', methods: ['get'] }],
    },
    madeExample: { 'secure-id': 'eyJhbGciOiJI…' },
  },
  [CORE.schema]: {
    says: 'A JSON Schema that every document of its target must satisfy when it is written.',
    attributes: {
      target: own.TARGET,
      content: {
        type: ['object', 'boolean'],
        description:
          'a [JSON Schema](https://json-schema.org) for the document; ' +
          'its top-level `properties` may be `attributes` and `relationships`',
      },
    },
    example: {
      target: 'articles',
      content: {
        type: 'object',
        properties: {
          attributes: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
        },
      },
    },
  },
  [CORE.typeSettings]: TYPE_SETTINGS,
  [CORE.aggregate]: {
    says: 'A pipeline that makes documents of one type out of those of another.',
    attributes: {
      'input-type': s.text(`the type whose documents the pipeline reads: ${own.typesOf('pipelineInput')}`),
      'output-type': s.text(`\`${AGGREGATE_PREFIX}\` and a type name; one definition per output type (409)`, {
        pattern: `^${AGGREGATE_PREFIX.replace('.', '[.]')}`,
      }),
      pipeline: s.listOf(
        { type: 'object', minProperties: 1, maxProperties: 1 },
        {
          maxItems: LIMITS.pipelineStages,
          description: `an array of at most ${LIMITS.pipelineStages} stages, each an object with one key`,
        },
      ),
      'parameters?': s.described(
        s.OBJECT,
        'names with defaults, which stages and expressions read as `$$parameters.<name>`',
      ),
    },
    example: {
      'input-type': 'articles',
      'output-type': `${AGGREGATE_PREFIX}articles-by-author`,
      pipeline: [{ group: { id: '$author.id', articles: { $sum: 1 } } }],
    },
  },
  [CORE.webhook]: {
    says: 'An address that is called when documents of a type are written.',
    attributes: {
      target: own.TARGET,
      url: s.text('the address, called with `POST` by https', {
        format: 'uri',
        maxLength: LIMITS.webhookUrl,
      }),
      'events?': s.listOf(s.enumOf(WRITE_EVENTS), {
        minItems: 1,
        uniqueItems: true,
        description: 'any of `create`, `update`, `delete`; all of them by default',
      }),
      'filter?': s.described(
        s.nullable('object'),
        'a [filter](search.md) of one JSON object, as `filter[*]` takes it: ' +
          'it is called only for documents that match before the write or after it',
      ),
      'secret?': s.described(
        s.nullable('string'),
        'signs the calls: `whsec_` and the Base64 of 24 to 64 bytes. ' +
          'Without one the service makes it; `null` in a `PATCH` makes another',
      ),
      'active?': s.flag('`false` pauses it: new changes cause no calls, and waiting calls stay'),
    },
    example: { target: 'articles', url: 'https://example.com/hooks', events: ['create', 'update'] },
  },
  [CORE.auditEntry]: {
    says: 'A change of a document: who has made it, and when. Never what it was.',
    attributes: made({
      at: s.described(DATE, 'when'),
      change: {
        enum: ['create', 'update', 'delete', 'acl', 'relationships', 'restore'],
        description:
          '`create`, `update`, `delete`, `acl` (rights), `relationships` (one relationship) ' +
          'or `restore` ([of a version](history.md))',
      },
      'target-type': s.text('the type of the document'),
      'target-id': own.orNull('its id; null for a user who was erased', s.STRING),
      'fields?': s.described(
        s.listOf(s.text('The name of a field that has changed.')),
        'names of the fields that have changed, 2,000 characters of them at most; of rights, such as `acl.read`',
      ),
      method: s.text('that of the request'),
      key: s.text('the id of the API key'),
      'key-name?': s.described(s.nullable('string'), 'its name'),
      user: own.orNull(
        'the user or external user, `{type, id}`; null where the request does not say who it is: a key without ACL',
        s.named('link'),
      ),
      request: s.text(
        'the id of the request: `X-Request-Id` of the answer; it stands in the [log](requests.md)',
      ),
      expires: s.described(DATE, 'when the entry goes'),
    }),
    closed: true,
    example: { change: 'update', 'target-type': 'articles', fields: ['title'], method: 'PATCH' },
  },
  [CORE.file]: {
    says: 'A file: a document that has content.',
    attributes: {
      name: s.text(
        `\`filename\` of the upload; no path, no controls, ${LIMITS.fileName} characters at most`,
        {
          minLength: 1,
        },
      ),
      ...made({
        'media-type': s.text('that of the upload, else that of the first bytes'),
        size: s.described(s.integer(0), 'bytes of the content'),
        'sha-256': s.text('the digest of the content, in hexadecimal: its `ETag`'),
        created: s.described(DATE, 'when it was stored'),
        'width?': s.described(s.integer(0), 'of a picture, in pixels'),
        'height?': s.described(s.integer(0), 'the same'),
      }),
    },
    example: { name: 'ada.png' },
    madeExample: {
      'media-type': 'image/png',
      size: 4096,
      'sha-256': 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      created: '2026-11-26T09:30:00.000Z',
    },
  },
  [CORE.application]: {
    says: 'A tenant: its documents are invisible to all others.',
    attributes: {
      name: s.text('a string that is not empty'),
      'oidc?': own.orNull(
        'the OpenID Connect issuer whose id tokens log in',
        s.openObjectOf({ issuer: s.STRING, audience: s.STRING }),
      ),
      'quotas?': own.quotasOf(APPLICATION_QUOTAS, 'what it may use'),
      [`${AUDIT_DAYS}?`]: own.orNull(
        'days for which the audit trail keeps an entry; null for no trail',
        s.integer(1, LIMITS.auditDays),
      ),
      ...made({ [ENDS]: own.orNull('when it is to be deleted', DATE) }),
      [`${PLACEMENT}?`]: own.orNull(
        'the jurisdiction that its data do not leave, or the region that they are near; it stays',
        s.enumOf(PLACEMENT_NAMES),
      ),
    },
    example: { name: 'my shop' },
  },
};

export interface OwnAttribute {
  readonly name: string;
  readonly says: string;
  readonly schema: Schema;
  /** True where the service makes it. */
  readonly isMade: boolean;
  /** True where a document may lack it. */
  readonly isOptional: boolean;
  /** True where a create must have it. */
  readonly isRequired: boolean;
}

/** What is said of each attribute of a type; nothing of types that clients choose. */
export function attributesOf(type: string): readonly OwnAttribute[] {
  const own = Object.hasOwn(OWN_TYPES, type) ? OWN_TYPES[type] : undefined;
  return Object.entries(own?.attributes ?? {}).map(([key, schema]) => {
    const isMade = schema['readOnly'] === true;
    const isOptional = key.endsWith('?');
    const name = key.replace(/\?$/, '');
    const { description } = schema;
    const says = typeof description === 'string' ? description : '';
    return { name, says, schema, isMade, isOptional, isRequired: !isMade && !isOptional };
  });
}
