/**
 * The only caller of @cfworker/json-schema, which gives the verdict of every keyword. Formats that are registered here,
 * once and for all schemas, do what the library must not do itself: they run patterns on our engine, read texts of
 * bounded length, and note members and items for a later check.
 */
import { format, validate, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema';
import type { Draft } from '../drafts.ts';
import { parseEcma } from '../../query/regex/ecma/parse.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import { isIdnHostname } from './hostname.ts';
import { inAscii, isReference } from './uri.ts';

/** Longer texts are of no format: no test may read a megabyte. */
const LONGEST = 4096;

/** A schema in the library's form. Its keywords are in the order in which the library reads them. */
export type LibrarySchema = Record<string, unknown>;

const FIELDS: readonly string[] = [
  ...['$ref', '$recursiveRef', '$recursiveAnchor', 'type', 'const', 'enum', 'required', 'not', 'anyOf'],
  ...['allOf', 'oneOf', 'if', 'then', 'else', 'format', 'properties', 'patternProperties'],
  ...['additionalProperties', 'unevaluatedProperties', 'minProperties', 'maxProperties', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'prefixItems', 'items', 'additionalItems'],
  ...['unevaluatedItems', 'contains', 'minContains', 'maxContains', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength'],
  ...['pattern', '__absolute_ref__', '__absolute_recursive_ref__'],
];

/** A schema that asks for nothing yet. All have the same fields: reading them is most of what a call costs. */
export function blankSchema(): LibrarySchema {
  const blank: LibrarySchema = {};
  for (const name of FIELDS) blank[name] = undefined;
  return blank;
}

export function librarySchema(keywords: LibrarySchema): LibrarySchema {
  return Object.assign(blankSchema(), keywords);
}

/** Answers to the library's questions while it checks one value. */
export interface Answers {
  /** Whether a text matches one of the schema's patterns. */
  readonly matches: (pattern: number, text: string) => boolean;
  /** Notes that the schema in a keyword applies to a child: its token, or its name for `propertyNames`. */
  readonly note: (keyword: ChildKeyword, token: string) => void;
  /** Pays for steps of work. */
  readonly spend: (steps: number) => void;
}

/** The keywords that apply schemas to members and items, but for `contains`. */
export const CHILD_KEYWORDS = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'prefixItems',
  'items',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
] as const;
type ChildKeyword = (typeof CHILD_KEYWORDS)[number];

const DRAFTS: Readonly<Record<Draft, SchemaDraft>> = {
  4: '4',
  6: '7',
  7: '7',
  2019: '2019-09',
  2020: '2020-12',
};

/** The formats that are checked: not the library's `url`, whose time is exponential. */
export const FORMATS: ReadonlySet<string> = new Set([
  ...['date', 'time', 'date-time', 'duration', 'uri', 'uri-reference', 'uri-template', 'email', 'hostname'],
  ...['ipv4', 'ipv6', 'regex', 'uuid', 'json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer'],
  ...['iri', 'iri-reference', 'idn-email', 'idn-hostname'],
]);

/** Whom the hooks answer to: set for the time of one call, which calls nothing that calls the library. */
let asking: Answers | null = null;

function answers(): Answers {
  if (asking === null) throw new Error('A hook of the schema library was called out of turn.');
  return asking;
}

/** Names that no schema of a client brings here: those are translated. Their number is fixed. */
export const formatName = (name: string): string => `#format:${name}`;
export const patternName = (index: number): string => `#pattern:${index}`;
const childName = (keyword: ChildKeyword): string => `#child:${keyword}`;

function testOf(name: string): (text: string) => boolean {
  const test = format[name];
  if (test === undefined) throw new Error(`The schema library has no format ${name}.`);
  return test;
}

const isUri = (text: string) => testOf('uri')(text) && isReference(text, testOf('ipv6'));
const isUriReference = (text: string) => testOf('uri-reference')(text) && isReference(text, testOf('ipv6'));
const isIdn = (text: string) => {
  answers().spend(SCHEMA_LIMITS.idnWork);
  return isIdnHostname(text, testOf('hostname'));
};
const isHostname = (text: string) => testOf('hostname')(text) && (!/(?:^|\.)xn--/i.test(text) || isIdn(text));
const hasIdn = (text: string) => {
  const [, local = '', host = ''] = /^(.*)@([^@]*)$/su.exec(text) ?? [];
  return isIdn(host) && testOf('email')(`${local.replace(/\P{ASCII}/gu, 'a')}@a`);
};

/** Tests that hold beside the library's, or in its place. */
const OWN_TESTS: Readonly<Record<string, (text: string) => boolean>> = {
  regex: (text) => parseEcma(text).ok,
  uri: isUri,
  'uri-reference': isUriReference,
  iri: (text) => isUri(inAscii(text)),
  'iri-reference': (text) => isUriReference(inAscii(text)),
  hostname: isHostname,
  'idn-hostname': (text) => isHostname(text) || isIdn(text),
  'idn-email': (text) => testOf('email')(text) || hasIdn(text),
};

for (const name of FORMATS) {
  const test = OWN_TESTS[name] ?? testOf(name);
  format[formatName(name)] = (text) => text.length <= LONGEST && test(text);
}
for (let index = 0; index < SCHEMA_LIMITS.patterns; index += 1) {
  format[patternName(index)] = (text) => answers().matches(index, text);
}
for (const keyword of CHILD_KEYWORDS) {
  format[childName(keyword)] = (token) => {
    answers().note(keyword, token);
    return true;
  };
}

/** The schemas that note a child, by keyword. */
export const NOTING: Readonly<Record<string, LibrarySchema>> = Object.fromEntries(
  CHILD_KEYWORDS.map((keyword) => [keyword, librarySchema({ format: childName(keyword) })]),
);

/** The errors of a schema in the library's form, for a value that it can read. */
export interface Question {
  readonly instance: unknown;
  readonly schema: LibrarySchema;
  readonly draft: Draft;
  /** The targets of `$ref`s. */
  readonly verdicts?: Readonly<Record<string, LibrarySchema | boolean>>;
  /** The members and items that were looked at; the library adds those that it looks at. */
  readonly seen?: EvaluatedMembers | undefined;
}

export type EvaluatedMembers = Record<string, boolean>;

const NO_VERDICTS = {};

/** The violations that the library finds; none when the value satisfies the schema. */
export function ask(question: Question, to: Answers): readonly OutputUnit[] {
  const { instance, schema, draft, verdicts = NO_VERDICTS, seen } = question;
  asking = to;
  try {
    return validate(instance, schema, DRAFTS[draft], verdicts, false, null, '#', '#', seen).errors;
  } finally {
    asking = null;
  }
}
