/** What an endpoint is about: documents of one type, of any type of a client, or of an aggregate. */
import { AGGREGATE_PREFIX, isAggregateType } from '../../domain/types.ts';
import { named, objectOf, openObjectOf, STRING, type Json, type Schema } from './schema.ts';
import { OWN_TYPES } from './own-types.ts';

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

/** Documents that a pipeline makes. */
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
    shown: { type: 'object' },
    example: { type, id: ID, attributes, shown: attributes },
  };
}

/** What documents of a type are; `{type}` stands for any. */
export function subjectOf(type: string): Subject {
  const own = Object.hasOwn(OWN_TYPES, type) ? OWN_TYPES[type] : undefined;
  if (own === undefined) return isAggregateType(type) ? OUTPUT : ANY;
  const { says, attributes, required, made, open, example } = own;
  const optional = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [`${name}?`, attributes[name] ?? {}]));
  const build = open ? openObjectOf : objectOf;
  const all = Object.keys(attributes);
  const sent = build(optional(all.filter((name) => !made.includes(name))));
  return {
    name: type,
    says,
    type: { const: type },
    sent,
    changed: sent,
    links: named('sent-relationships'),
    changedLinks: named('sent-relationships'),
    demands: [],
    required,
    shown: build(optional(all)),
    example: {
      type,
      id: ID,
      attributes: example.attributes,
      shown: { ...example.made, ...example.attributes },
    },
  };
}
