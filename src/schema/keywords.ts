/**
 * The keywords of each draft: their shape, and whether their schemas apply to the same value. A draft ignores others.
 */
import { recall } from '../domain/caching/recall.ts';
import type { Draft } from './drafts.ts';
import { SHAPES, type SchemaShape, type ShapeName } from './shapes.ts';

export interface Keyword extends SchemaShape {
  /** Its schemas apply to the value itself, not to what is inside of it. */
  readonly inPlace: boolean;
}

type Row = readonly [names: string, since: Draft, until: Draft, shape: ShapeName, place?: 'in-place'];

const ROWS: readonly Row[] = [
  // Identity and reference.
  ['$schema', 4, 2020, 'text'],
  ['$comment', 7, 2020, 'text'],
  ['id', 4, 4, 'text'],
  ['$id', 6, 2020, 'text'],
  ['$ref', 4, 2020, 'text'],
  ['$anchor', 2019, 2019, 'anchor2019'],
  ['$anchor', 2020, 2020, 'anchor'],
  ['$recursiveRef', 2019, 2019, 'text'],
  ['$recursiveAnchor', 2019, 2019, 'flag'],
  ['$dynamicRef', 2020, 2020, 'text'],
  ['$dynamicAnchor', 2020, 2020, 'anchor'],
  ['$vocabulary', 2019, 2020, 'flags'],
  ['definitions', 4, 2020, 'schemasByName'],
  ['$defs', 2019, 2020, 'schemasByName'],
  // Any value.
  ['type', 4, 2020, 'type'],
  ['enum', 4, 4, 'choices'],
  ['enum', 6, 2020, 'list'],
  ['const', 6, 2020, 'any'],
  ['allOf anyOf oneOf', 4, 2020, 'schemas', 'in-place'],
  ['not', 4, 2020, 'schema', 'in-place'],
  ['if then else', 7, 2020, 'schema', 'in-place'],
  // Numbers.
  ['multipleOf', 4, 2020, 'positive'],
  ['minimum maximum', 4, 2020, 'number'],
  ['exclusiveMinimum exclusiveMaximum', 4, 4, 'flag'],
  ['exclusiveMinimum exclusiveMaximum', 6, 2020, 'number'],
  // Strings.
  ['minLength maxLength', 4, 2020, 'count'],
  ['pattern format', 4, 2020, 'text'],
  // Arrays.
  ['minItems maxItems', 4, 2020, 'count'],
  ['uniqueItems', 4, 2020, 'flag'],
  ['items', 4, 2019, 'schemaOrSchemas'],
  ['items', 2020, 2020, 'schema'],
  ['additionalItems', 4, 2019, 'schema'],
  ['prefixItems', 2020, 2020, 'schemas'],
  ['contains', 6, 2020, 'schema'],
  ['minContains maxContains', 2019, 2020, 'count'],
  ['unevaluatedItems', 2019, 2020, 'schema'],
  // Objects.
  ['minProperties maxProperties', 4, 2020, 'count'],
  ['required', 4, 4, 'someNames'],
  ['required', 6, 2020, 'names'],
  ['properties patternProperties', 4, 2020, 'schemasByName'],
  ['additionalProperties', 4, 2020, 'schema'],
  ['propertyNames', 6, 2020, 'schema'],
  ['dependencies', 4, 2020, 'dependencies', 'in-place'],
  ['dependentRequired', 2019, 2020, 'namesByName'],
  ['dependentSchemas', 2019, 2020, 'schemasByName', 'in-place'],
  ['unevaluatedProperties', 2019, 2020, 'schema'],
  // Notes, which assert nothing but have a shape too.
  ['title description', 4, 2020, 'text'],
  ['default', 4, 2020, 'any'],
  ['examples', 6, 2020, 'list'],
  ['readOnly writeOnly', 7, 2020, 'flag'],
  ['contentMediaType contentEncoding', 7, 2020, 'text'],
  ['contentSchema', 2019, 2020, 'schema'],
  ['deprecated', 2019, 2020, 'flag'],
];

function tableOf(draft: Draft): ReadonlyMap<string, Keyword> {
  const rows = ROWS.filter(([, since, until]) => since <= draft && draft <= until);
  return new Map(
    rows.flatMap(([names, , , shape, place]) =>
      names.split(' ').map((name) => [name, { ...SHAPES[shape], inPlace: place === 'in-place' }] as const),
    ),
  );
}

const TABLES = new Map<Draft, ReadonlyMap<string, Keyword>>();

export function keywordsOf(draft: Draft): ReadonlyMap<string, Keyword> {
  return recall(TABLES, draft, tableOf);
}

export function keywordOf(draft: Draft, name: string): Keyword | undefined {
  return keywordsOf(draft).get(name);
}

/** Whether a `$ref` makes everything beside it mean nothing. */
export function refStandsAlone(draft: Draft): boolean {
  return draft <= 7;
}

export function idKeyword(draft: Draft): string {
  return draft === 4 ? 'id' : '$id';
}
