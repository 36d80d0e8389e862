/** Members that attributes of the service's own types are made of. */
import { LIMITS } from '../../domain/limits.ts';
import { oneOf } from '../../domain/names.ts';
import { coreTypesThat } from '../../domain/types/facts.ts';
import { mapFields } from '../../domain/values/tree.ts';
import * as s from './schema.ts';

export interface OwnType {
  /** What its documents are, in a sentence. */
  readonly says: string;
  /**
   * What they are, by their names, which end in `?` where a create may leave them out. The service makes those that are
   * `readOnly`, and refuses them in a request. Descriptions are for the tables of the docs.
   */
  readonly attributes: Readonly<Record<string, s.Schema>>;
  /** True when it has no attributes but these. */
  readonly closed?: true;
  /** An example of what is sent, and what the service adds in the answer. */
  readonly example?: Readonly<Record<string, s.Json>>;
  readonly madeExample?: Readonly<Record<string, s.Json>>;
}

export const FIELD = { pattern: '^[^$]', minLength: 1 };

const ACCESS_LIST = s.listOf(s.named('link'), { description: 'Users, user groups and external users.' });
const FLAVOR: s.Schema = { enum: ['black', 'white'] };

export const PERMISSION = s.objectOf({
  path: s.text('A regular expression; it must match the whole path of a request.', {
    maxLength: LIMITS.regexPattern,
  }),
  methods: s.listOf({ enum: ['get', 'post', 'patch', 'delete', 'bulk'] }),
  'acl?': s.objectOf({
    'active?': s.BOOLEAN,
    'endpoint-access-list-flavor?': FLAVOR,
    'endpoint-access-list?': ACCESS_LIST,
    'document-access-list-flavor?': FLAVOR,
    'document-access-list?': ACCESS_LIST,
  }),
  'where?': s.described(s.OBJECT, 'A filter: other documents are as documents one may not read.'),
  'check?': s.described(s.OBJECT, 'A filter: what a write leaves must meet it.'),
  'fields?': s.objectOf({ 'read?': s.listOf(s.STRING), 'write?': s.listOf(s.STRING) }),
});

export const orNull = (description: string, schema: s.Schema): s.Schema => ({
  ...s.either(s.NULL, schema),
  description,
});
/** The same of several, whose descriptions are theirs. */
export const settings = (members: Readonly<Record<string, s.Schema>>): Readonly<Record<string, s.Schema>> =>
  mapFields(members, ({ description, ...schema }) => ({ ...s.either(s.NULL, schema), description }));

export const quotasOf = (names: readonly string[], description: string) =>
  orNull(
    description,
    s.objectOf(
      Object.fromEntries(names.map((name) => [`${name}?`, { type: ['integer', 'null'], minimum: 0 }])),
    ),
  );

export const typesOf = (facts: 'schemaTarget' | 'pipelineInput') =>
  oneOf(
    ['any under `/resources`', ...coreTypesThat((each) => each[facts]).map((name) => `\`${name}\``)],
    'or',
  );
export const TARGET = s.text(`the type whose documents it is about: ${typesOf('schemaTarget')}`);
export const UNIQUE = s.listOf(
  s.listOf(s.text('The dotted path of a field.', { maxLength: LIMITS.settingsPath })),
  {
    maxItems: LIMITS.settingsUnique,
  },
);
export const ENTRIES = s.listOf(
  s.either(
    s.text('`*`, `$creator`, or a link that gives the right, such as `$channel` or `$channel.update`.', {
      pattern: '^([*]$|[$])',
    }),
    s.named('link'),
  ),
  { maxItems: LIMITS.settingsEntries },
);

export const NAME_OF_CHECK: s.Schema = { type: 'string', minLength: 1, maxLength: LIMITS.settingsMessage };

/** Those that the service makes. */
export const made = (attributes: Readonly<Record<string, s.Schema>>) =>
  mapFields(attributes, (schema) => ({ ...schema, readOnly: true }));
