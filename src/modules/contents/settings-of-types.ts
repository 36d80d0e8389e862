/** The attributes of settings of types (docs/types.md). */
import { LIMITS } from '../../domain/limits.ts';
import { GIVEN } from '../../domain/types/rights.ts';
import { CORE } from '../../domain/types.ts';
import { WRITE_EVENTS } from '../../domain/webhooks.ts';
import { rightsOf } from './envelope.ts';
import { ENTRIES, UNIQUE, FIELD, NAME_OF_CHECK, orNull, typesOf, type OwnType } from './own-members.ts';
import * as s from './schema.ts';

export const TYPE_SETTINGS: OwnType = {
  says: 'What all documents of a type obey.',
  attributes: {
    name: s.text(`the type: ${typesOf('schemaTarget')}; it never changes`),
    'rights?': orNull(
      '[who may read, change and delete every document](#rights)',
      s.objectOf(rightsOf(ENTRIES, GIVEN)),
    ),
    'unique?': orNull('[fields whose values no two documents share](#unique-fields)', UNIQUE),
    'expires?': s.described(
      s.nullable('string'),
      `[the field whose date ends a document](#expiry); for types of resources and \`${CORE.file}\``,
    ),
    'client-ids?': s.described(
      s.nullable('boolean'),
      '[true lets clients choose ids](#ids-of-clients); for types of resources',
    ),
    'inverses?': orNull('[links of other documents, read as relationships](#inverses)', {
      type: 'object',
      additionalProperties: s.objectOf({ type: s.STRING, through: s.text('A relationship.', FIELD) }),
    }),
    'aggregate-links?': orNull(
      '[relationships that link to aggregates](#links-to-aggregates)',
      s.listOf(s.text('The name of one.', FIELD)),
    ),
    'files?': orNull(
      '[relationships whose files are read with the document, and go with it](files.md#files-of-documents)',
      s.listOf(s.text('The name of one.', FIELD)),
    ),
    'checks?': orNull(
      '[conditions on written documents](#checks)',
      s.listOf(
        s.objectOf({
          name: NAME_OF_CHECK,
          'on?': s.listOf(s.enumOf(WRITE_EVENTS), { minItems: 1 }),
          filter: s.OBJECT,
          'message?': NAME_OF_CHECK,
        }),
        { maxItems: LIMITS.settingsChecks },
      ),
    ),
    'set?': orNull('[fields that the service computes](#computed-fields); for types of resources', {
      type: 'object',
      maxProperties: LIMITS.settingsSet,
    }),
    'count?': orNull('[numbers of linking documents](#counters); for types of resources', {
      type: 'object',
      maxProperties: LIMITS.settingsCount,
      additionalProperties: s.objectOf({
        type: s.STRING,
        by: s.text('A relationship.', FIELD),
        'where?': s.OBJECT,
      }),
    }),
    'viewer?': orNull(
      '[attributes of users](#checks) that `checks` and `set` may look at',
      s.listOf(s.text('The name of one.', FIELD)),
    ),
    'sizes?': orNull(
      `[widths and heights of pictures](files.md#pictures-in-sizes), in pixels; for \`${CORE.file}\``,
      s.listOf(s.integer(1, LIMITS.pictureSide), { maxItems: LIMITS.pictureSizes }),
    ),
    'keep-metadata?': s.described(
      s.nullable('boolean'),
      `[true keeps Exif](files.md#pictures-in-sizes); for \`${CORE.file}\``,
    ),
    'bytes-per-user?': s.described(
      s.nullable('integer'),
      `[bytes of the files of one user](files.md#storing); for \`${CORE.file}\``,
    ),
    'text?': s.described(
      s.nullable('boolean'),
      '[true makes the index for full text at once](search.md#full-text)',
    ),
    'history?': orNull(
      '[which former versions of documents are kept](history.md); for types of resources',
      s.either(
        { const: 'forever' },
        s.objectOf({
          'days?': s.integer(1, LIMITS.historyDays),
          'versions?': s.integer(1, LIMITS.historyVersions),
          'hold?': s.TIME,
        }),
      ),
    ),
    'title?': s.described(
      s.nullable('string'),
      'the attribute with the name of a document in the [dashboard](dashboard.md)',
    ),
    'views?': orNull('[saved views](dashboard.md) of the table in the dashboard: queries by name', {
      type: 'object',
      additionalProperties: s.STRING,
      maxProperties: LIMITS.settingsViews,
    }),
  },
  closed: true,
  example: { name: 'articles', unique: [['slug']] },
};
