/** The attributes and relationships of the service's own types (spec, Resources and their fields), for people and tools. */
import { PLACEMENT, PLACEMENT_NAMES } from '../../domain/applications/placements.ts';
import { LIMITS } from '../../domain/limits.ts';
import { APPLICATION_QUOTAS, KEY_QUOTAS } from '../../domain/applications/quotas.ts';
import { AGGREGATE_PREFIX, CORE } from '../../domain/types.ts';
import { AUDIT_DAYS, ENDS } from '../../domain/applications/standing.ts';
import { WRITE_EVENTS } from '../../domain/webhooks.ts';
import { DATE } from './envelope.ts';
import {
  BOOLEAN,
  either,
  listOf,
  named,
  NULL,
  objectOf,
  openObjectOf,
  STRING,
  text,
  type Json,
  type Schema,
} from './schema.ts';

export interface OwnType {
  /** What its documents are, in a sentence. */
  readonly says: string;
  readonly attributes: Readonly<Record<string, Schema>>;
  /** The attributes that a create must have. */
  readonly required: readonly string[];
  /** Those that the service makes, and refuses in a request. */
  readonly made: readonly string[];
  /** True when it may have any other attributes. */
  readonly open: boolean;
  /** An example of what is sent, and what the service adds in the answer. */
  readonly example: {
    readonly attributes: Readonly<Record<string, Json>>;
    readonly made?: Readonly<Record<string, Json>>;
  };
}

const FIELD = { pattern: '^[^$]', minLength: 1 };

const ACCESS_LIST = listOf(named('link'), { description: 'Users, user groups and external users.' });
const FLAVOR: Schema = { enum: ['black', 'white'] };

const PERMISSION = objectOf({
  path: text('A regular expression; it must match the whole path of a request.', {
    maxLength: LIMITS.regexPattern,
  }),
  methods: listOf({ enum: ['get', 'post', 'patch', 'delete', 'bulk'] }),
  'acl?': objectOf({
    'active?': BOOLEAN,
    'endpoint-access-list-flavor?': FLAVOR,
    'endpoint-access-list?': ACCESS_LIST,
    'document-access-list-flavor?': FLAVOR,
    'document-access-list?': ACCESS_LIST,
  }),
  'where?': { type: 'object', description: 'A filter: other documents are as documents one may not read.' },
  'check?': { type: 'object', description: 'A filter: what a write leaves must meet it.' },
  'fields?': objectOf({ 'read?': listOf(STRING), 'write?': listOf(STRING) }),
});

const quotasOf = (names: readonly string[]) =>
  either(
    NULL,
    objectOf(
      Object.fromEntries(names.map((name) => [`${name}?`, { type: ['integer', 'null'], minimum: 0 }])),
    ),
  );

const TOKEN: OwnType = {
  says: 'A token of a user who has logged in. It is valid for 30 days, or until the user changes.',
  attributes: {
    token: text('What `Authorization: Token <token>` sends.'),
    created: DATE,
  },
  required: [],
  made: ['token', 'created'],
  open: false,
  example: { attributes: {}, made: { token: 'eyJhbGciOiJI…', created: '2026-11-22T09:30:00.000Z' } },
};

const UNIQUE = listOf(listOf(text('The dotted path of a field.', { maxLength: LIMITS.settingsPath })), {
  maxItems: LIMITS.settingsUnique,
});
const ENTRIES = listOf(
  either(
    { const: '*' },
    text('`$creator`, or `$` and the name of a relationship.', { pattern: '^[$]' }),
    named('link'),
  ),
  {
    maxItems: LIMITS.settingsEntries,
  },
);

export const OWN_TYPES: Readonly<Record<string, OwnType>> = {
  [CORE.user]: {
    says: 'Somebody who logs in with a name and a password.',
    attributes: {
      username: text('Unique in the application.', {
        minLength: 3,
        maxLength: LIMITS.username,
        pattern: '^[A-Za-z0-9_.@-]+$',
      }),
      password: text('At least 6 characters. Answers show its hash, to the user and to keys without ACL.', {
        minLength: 6,
      }),
    },
    required: ['username', 'password'],
    made: [],
    open: true,
    example: { attributes: { username: 'ada', password: 'correct horse' } },
  },
  [CORE.userGroup]: {
    says: 'Users and external users who share rights; its relationship `users` holds them.',
    attributes: {},
    required: [],
    made: [],
    open: true,
    example: { attributes: { name: 'Editors' } },
  },
  [CORE.externalUser]: {
    says: 'Somebody whom another service knows.',
    attributes: {},
    required: [],
    made: [],
    open: true,
    example: { attributes: { name: 'Grace Hopper' } },
  },
  [CORE.userToken]: TOKEN,
  [CORE.externalUserToken]: TOKEN,
  [CORE.apiKey]: {
    says: 'A key that a client sends with every request, with what it permits.',
    attributes: {
      name: text('Not empty.'),
      permissions: listOf(PERMISSION, { maxItems: LIMITS.permissionsPerKey }),
      quotas: quotasOf(KEY_QUOTAS),
      'secure-id': text('What the header `api-key` sends.'),
    },
    required: ['name', 'permissions'],
    made: ['secure-id'],
    open: true,
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
      target: text('The type whose documents it is for.'),
      content: {
        type: ['object', 'boolean'],
        description:
          'A JSON Schema of `{attributes, relationships}`; draft-07, unless its `$schema` says otherwise.',
      },
    },
    required: ['target', 'content'],
    made: [],
    open: true,
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
  [CORE.typeSettings]: {
    says: 'What all documents of a type obey.',
    attributes: {
      name: text('The type; it never changes.'),
      rights: either(NULL, objectOf({ 'read?': ENTRIES, 'update?': ENTRIES, 'delete?': ENTRIES })),
      unique: either(NULL, UNIQUE),
      expires: { type: ['string', 'null'], description: 'The field whose date ends a document.' },
      'client-ids': { type: ['boolean', 'null'], description: 'Whether clients may choose ids.' },
      text: {
        type: ['boolean', 'null'],
        description: 'Whether the index for full text is made before somebody searches.',
      },
      'aggregate-links': either(
        NULL,
        listOf(text('A relationship that may link to outputs of aggregates.', FIELD)),
      ),
      inverses: either(NULL, {
        type: 'object',
        additionalProperties: objectOf({ type: STRING, through: text('A relationship.', FIELD) }),
      }),
    },
    required: ['name'],
    made: [],
    open: false,
    example: { attributes: { name: 'articles', unique: [['slug']] } },
  },
  [CORE.aggregate]: {
    says: 'A pipeline that makes documents of one type out of those of another.',
    attributes: {
      'input-type': STRING,
      'output-type': text(`It begins with \`${AGGREGATE_PREFIX}\`.`, {
        pattern: `^${AGGREGATE_PREFIX.replace('.', '[.]')}`,
      }),
      pipeline: listOf(
        { type: 'object', minProperties: 1, maxProperties: 1 },
        { maxItems: LIMITS.pipelineStages },
      ),
      parameters: { type: 'object', description: 'Defaults of `$$parameters.<name>`.' },
    },
    required: ['input-type', 'output-type', 'pipeline'],
    made: [],
    open: true,
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
      target: text('The type whose documents it is about.'),
      url: text('What is called, by https.', { format: 'uri', maxLength: LIMITS.webhookUrl }),
      events: listOf({ enum: [...WRITE_EVENTS] }, { minItems: 1, uniqueItems: true }),
      filter: {
        type: ['object', 'null'],
        description: 'A filter: it hears of documents that match before the write or after it.',
      },
      secret: {
        type: ['string', 'null'],
        description: 'What signs the calls: `whsec_` and Base64. Without one, the service makes it.',
      },
      active: { type: 'boolean', description: 'Whether it hears and is called.' },
    },
    required: ['target', 'url'],
    made: [],
    open: true,
    example: {
      attributes: { target: 'articles', url: 'https://example.com/hooks', events: ['create', 'update'] },
    },
  },
  [CORE.auditEntry]: {
    says: 'A change of a document: who has made it, and when. Never what it was.',
    attributes: {
      at: DATE,
      change: { enum: ['create', 'update', 'delete', 'acl', 'relationships'] },
      'target-type': text('The type of the document.'),
      'target-id': either(NULL, text('Its id; null for a user who was erased.')),
      fields: listOf(text('The name of a field that has changed.')),
      method: text('That of the request.'),
      key: text('The id of the API key.'),
      'key-name': { type: ['string', 'null'] },
      user: either(NULL, named('link')),
      request: text('The id of the request, as in the log.'),
      expires: DATE,
    },
    required: [],
    made: [],
    open: false,
    example: {
      attributes: { change: 'update', 'target-type': 'articles', fields: ['title'], method: 'PATCH' },
    },
  },
  [CORE.application]: {
    says: 'A tenant: its documents are invisible to all others.',
    attributes: {
      name: text('Not empty.'),
      oidc: either(
        NULL,
        openObjectOf(
          { issuer: STRING, audience: STRING },
          { description: 'The OpenID Connect issuer whose id tokens log in.' },
        ),
      ),
      quotas: quotasOf(APPLICATION_QUOTAS),
      [AUDIT_DAYS]: either(NULL, {
        type: 'integer',
        minimum: 1,
        maximum: LIMITS.auditDays,
        description: 'Days for which the audit trail keeps an entry; null for no trail.',
      }),
      [ENDS]: either(NULL, DATE),
      [PLACEMENT]: either(NULL, {
        enum: [...PLACEMENT_NAMES],
        description:
          'The jurisdiction that its data do not leave, or the region that they are near. It stays.',
      }),
    },
    required: ['name'],
    made: [ENDS],
    open: true,
    example: { attributes: { name: 'my shop' } },
  },
};

/** The attributes of an ACL document. */
export const RIGHTS: Readonly<Record<string, Schema>> = {
  'read?': named('grant'),
  'update?': named('grant'),
  'delete?': named('grant'),
};
