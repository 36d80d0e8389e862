/**
 * The meaning of a part of JSON Schema (2020-12), written as plainly as can be: what the generated schemas of the
 * property tests are judged by. It knows small JavaScript values only and shares no code with the service.
 */
import { matchesRegExp } from './regexp-oracle.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type Schema = boolean | { readonly [keyword: string]: unknown };

/** A place, as a JSON pointer, and the keyword violated there. */
export type Fault = string;

type Members = Readonly<Record<string, Json>>;

const isMembers = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: Json) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  array: (value) => Array.isArray(value),
  object: isMembers,
};

/** Equal values have equal texts: members are sorted by name. */
function textOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join()}]`;
  if (!isMembers(value)) return JSON.stringify(value);
  const parts = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${textOf(value[name] ?? null)}`);
  return `{${parts.join()}}`;
}

/** All faults of a value, each once, in no particular order. `root` is where references of `$defs` lead. */
export function faultsOf(
  schema: Schema,
  value: Json,
  pointer: string,
  root: Schema,
  as = 'false',
): Set<Fault> {
  if (typeof schema === 'boolean') return new Set(schema ? [] : [`${pointer} ${as}`]);
  const faults = new Set<Fault>();
  const addAll = (found: ReadonlySet<Fault>): void => {
    for (const fault of found) faults.add(fault);
  };
  const holds = (inner: Schema, of: Json = value): boolean => faultsOf(inner, of, '', root).size === 0;
  /** The keyword's argument is taken to be of the type that it has in the generated schemas. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  const given = <T>(keyword: string, judge: (argument: T) => boolean): void => {
    if (Object.hasOwn(schema, keyword) && !judge(schema[keyword] as T)) {
      faults.add(`${pointer} ${keyword}`);
    }
  };
  const inner = (keyword: string, apply: (argument: Schema) => void): void => {
    if (Object.hasOwn(schema, keyword)) apply(schema[keyword] as Schema);
  };
  const part = (keyword: string, key: string | number, with_: Schema, child: Json): void => {
    addAll(faultsOf(with_, child, `${pointer}/${key}`, root, keyword));
  };

  given<string | string[]>('type', (types) => [types].flat().some((type) => TYPES[type]?.(value) === true));
  given<Json[]>('enum', (values) => values.some((each) => textOf(each) === textOf(value)));
  given<Json>('const', (only) => textOf(only) === textOf(value));
  given<Schema[]>('anyOf', (schemas) => schemas.some((each) => holds(each)));
  given<Schema[]>('oneOf', (schemas) => schemas.filter((each) => holds(each)).length === 1);
  given<Schema>('not', (refused) => !holds(refused));
  for (const each of (schema['allOf'] ?? []) as Schema[])
    addAll(faultsOf(each, value, pointer, root, 'allOf'));
  inner('if', (condition) => {
    const branch = holds(condition) ? 'then' : 'else';
    inner(branch, (then) => {
      addAll(faultsOf(then, value, pointer, root, branch));
    });
  });
  if (typeof schema['$ref'] === 'string' && typeof root === 'object') {
    const definitions = root['$defs'] as Readonly<Record<string, Schema>>;
    const target = definitions[schema['$ref'].replace('#/$defs/', '')] ?? false;
    addAll(faultsOf(target, value, pointer, root, '$ref'));
  }

  if (typeof value === 'number') {
    given<number>('minimum', (bound) => value >= bound);
    given<number>('maximum', (bound) => value <= bound);
    given<number>('exclusiveMinimum', (bound) => value > bound);
    given<number>('exclusiveMaximum', (bound) => value < bound);
    // Halves and quarters are exact as doubles, and so is the remainder.
    given<number>('multipleOf', (divisor) => value % divisor === 0);
  }
  if (typeof value === 'string') {
    const { length } = Array.from(value);
    given<number>('minLength', (bound) => length >= bound);
    given<number>('maxLength', (bound) => length <= bound);
    given<string>('pattern', (pattern) => matchesRegExp(pattern, value));
  }
  if (Array.isArray(value)) {
    const items = value as readonly Json[];
    const prefix = (schema['prefixItems'] ?? []) as readonly Schema[];
    given<number>('minItems', (bound) => items.length >= bound);
    given<number>('maxItems', (bound) => items.length <= bound);
    given<boolean>('uniqueItems', (unique) => !unique || new Set(items.map(textOf)).size === items.length);
    given<Schema>('contains', (wanted) => items.some((item) => holds(wanted, item)));
    items.forEach((item, index) => {
      const own = prefix[index];
      if (own !== undefined) part('prefixItems', index, own, item);
      else
        inner('items', (rest) => {
          part('items', index, rest, item);
        });
    });
  }
  if (isMembers(value)) {
    const names = Object.keys(value);
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
    const patterns = Object.entries((schema['patternProperties'] ?? {}) as Readonly<Record<string, Schema>>);
    given<number>('minProperties', (bound) => names.length >= bound);
    given<number>('maxProperties', (bound) => names.length <= bound);
    given<string[]>('required', (required) => required.every((name) => names.includes(name)));
    given<Record<string, string[]>>('dependentRequired', (needs) =>
      names.every((name) => (needs[name] ?? []).every((other) => names.includes(other))),
    );
    for (const name of names) {
      const child = value[name] ?? null;
      const own = properties[name];
      const matching = patterns.filter(([pattern]) => matchesRegExp(pattern, name));
      if (own !== undefined) part('properties', name, own, child);
      for (const [, each] of matching) part('patternProperties', name, each, child);
      if (own === undefined && matching.length === 0) {
        inner('additionalProperties', (others) => {
          part('additionalProperties', name, others, child);
        });
      }
      inner('propertyNames', (allowed) => {
        part('propertyNames', name, allowed, name);
      });
    }
  }
  return faults;
}
