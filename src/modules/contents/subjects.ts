/** What an endpoint is about: documents of one type, of any type of a client, or of an aggregate. */
import { AGGREGATE_PREFIX, isAggregateType } from '../../domain/types.ts';
import { type Json, named, OBJECT, objectOf, openObjectOf, optional, type Schema, STRING } from './schema.ts';
import { attributesOf, type OwnAttribute, OWN_TYPES } from './own-types.ts';

export interface Subject {
  /** The name under which OpenAPI keeps the schema of its documents. */
  readonly name: string;
  readonly says: string;
  readonly type: Schema;
  /** The attributes as sent, and which a create must have. */
  readonly sent: Schema;
  /** The same of a PATCH, which must have none. */
  readonly changed: Schema;
  /** The relationships as sent, and those of a PATCH. */
  readonly links: Schema;
  readonly changedLinks: Schema;
  /** The members that a schema asks of every document: `attributes`, `relationships`. */
  readonly demands: readonly string[];
  readonly required: readonly string[];
  /** The attributes as shown. */
  readonly shown: Schema;
  /** A document as an answer shows it, and as a request sends it. */
  readonly example: {
    readonly type: string;
    readonly id: string;
    readonly attributes: Readonly<Record<string, Json>>;
    readonly shown: Readonly<Record<string, Json>>;
  };
}

const ID = '6b011e2f6aeea231a557b680';

/** Documents whose type clients choose, and those of any type. */
export const ANY: Subject = subjectOfAny('document', 'A document.', 'articles');

export const OUTPUT: Subject = subjectOfAny(
  'output',
  'A document that a pipeline makes.',
  `${AGGREGATE_PREFIX}articles-by-author`,
);

function subjectOfAny(name: string, says: string, type: string): Subject {
  const attributes = { title: 'Dracula', published: 1897 };
  return {
    name,
    says,
    type: STRING,
    sent: named('attributes'),
    changed: named('attributes'),
    links: named('sent-relationships'),
    changedLinks: named('sent-relationships'),
    demands: [],
    required: [],
    shown: OBJECT,
    example: { type, id: ID, attributes, shown: attributes },
  };
}

/** What documents of a type are; `{type}` stands for any. */
export function subjectOf(type: string): Subject {
  const own = Object.hasOwn(OWN_TYPES, type) ? OWN_TYPES[type] : undefined;
  if (own === undefined) return isAggregateType(type) ? OUTPUT : ANY;
  const { says, closed, example = {}, madeExample } = own;
  const all = attributesOf(type);
  const build = closed === true ? objectOf : openObjectOf;
  const object = (attributes: typeof all) =>
    build(optional(Object.fromEntries(attributes.map((each) => [each.name, toldAlone(each)]))));
  const sent = object(all.filter(({ isMade }) => !isMade));
  return {
    name: type,
    says,
    type: { const: type },
    sent,
    changed: sent,
    links: named('sent-relationships'),
    changedLinks: named('sent-relationships'),
    demands: [],
    required: all.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    shown: object(all),
    example: {
      type,
      id: ID,
      attributes: example,
      shown: { ...madeExample, ...example },
    },
  };
}

/** A schema whose description is a part of no page: a sentence without links into the docs. */
function toldAlone({ says, schema }: OwnAttribute): Schema {
  if (says === '') return schema;
  const plain = says.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return { ...schema, description: `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.` };
}

export const MODULE_TITLES: Readonly<Record<string, string>> = {
  resources: 'Documents',
  operations: 'Operations',
  files: 'Files',
  users: 'Users',
  'api-keys': 'API keys',
  schemas: 'Schemas',
  aggregates: 'Aggregates',
  webhooks: 'Webhooks',
  audit: 'Audit trail',
  applications: 'Applications',
};
