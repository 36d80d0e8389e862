/**
 * Rewrites schemas of any draft as draft 2020-12 that may stand inside of another document, such as OpenAPI's: without
 * addresses of their own, with references to named schemas.
 */
import { isList, mapTree, memberOf } from '../domain/values/tree.ts';
import { analyze, type Analysis } from './check.ts';
import { keywordOf, refStandsAlone } from './keywords.ts';
import { textOfNum } from './num.ts';
import { isNum, isObject, type Plain, type PlainObject } from './plain.ts';
import { isReference } from './walk.ts';

/** Plain JSON. */
export type PortableJson =
  | null
  | boolean
  | number
  | string
  | readonly PortableJson[]
  | { readonly [name: string]: PortableJson };

export type PortableSchema = Readonly<Record<string, PortableJson>>;

export interface Portable {
  readonly root: PortableSchema | boolean;
  /** The targets of references, by name. */
  readonly named: Readonly<Record<string, PortableSchema | boolean>>;
}

/** Names that mean something to readers of schemas in any place. */
const ADDRESSES: ReadonlySet<string> = new Set([
  '$id',
  'id',
  '$schema',
  '$ref',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
]);

/** Not carried over: addresses, what only addresses lead to, and comments. */
const DROPPED: ReadonlySet<string> = new Set([...ADDRESSES, 'definitions', '$defs', '$comment']);

/** Values that are no schemas. Readers that look for `$ref` everywhere would follow one in them. */
const LITERALS: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

export interface Names {
  /** The name of the first, second… schema that references lead to. */
  readonly nameOf: (number: number) => string;
  /** The `$ref` to what has a name. */
  readonly toName: (name: string) => string;
}

/** The schema; null for one with a fault. */
export function portableSchema(content: unknown, names: Names): Portable | null {
  const { analysis, faults } = analyze(content);
  if (faults.length > 0) return null;
  return new Porting(analysis, names).all();
}

class Porting {
  readonly #analysis: Analysis;
  readonly #toName: Names['toName'];
  /** The schemas that references lead to, with their names. */
  readonly #names = new Map<PlainObject, string>();

  constructor(analysis: Analysis, { nameOf, toName }: Names) {
    this.#analysis = analysis;
    this.#toName = toName;
    for (const targets of analysis.targets.values()) {
      for (const target of Object.values(targets)) {
        if (typeof target === 'object' && !this.#names.has(target)) {
          this.#names.set(target, nameOf(this.#names.size + 1));
        }
      }
    }
  }

  all(): Portable {
    const named = Array.from(this.#names, ([schema, name]) => [name, this.#members(schema)] as const);
    const { root } = this.#analysis;
    return { root: typeof root === 'boolean' ? root : this.#members(root), named: Object.fromEntries(named) };
  }

  /** A schema in its place: by its name, if references lead to it. */
  #schema(schema: Plain): PortableJson {
    if (!isObject(schema)) return schema === true;
    const name = this.#names.get(schema);
    return name === undefined ? this.#members(schema) : { $ref: this.#toName(name) };
  }

  #members(schema: PlainObject): PortableSchema {
    const { draft, targets } = this.#analysis;
    const references = Object.values(targets.get(schema) ?? {}).map((target) => this.#schema(target));
    if (refStandsAlone(draft) && isReference(schema)) return { allOf: references };
    const { allOf: all, ...others } = schema;
    const entries = Object.entries(others).flatMap(([name, value]) => this.#member(schema, name, value));
    // A reference beside other keywords is one more schema that must hold.
    const together = [...references, ...this.#list(all ?? null)];
    return { ...Object.fromEntries(entries), ...(together.length > 0 && { allOf: together }) };
  }

  #member(schema: PlainObject, name: string, value: Plain): readonly (readonly [string, PortableJson])[] {
    const { draft } = this.#analysis;
    const keyword = keywordOf(draft, name);
    if (keyword === undefined || DROPPED.has(name)) return [];
    if (LITERALS.has(name)) return hasAddresses(value) ? [] : [[name, plain(value)]];
    if (name === 'dependencies' && isObject(value)) return this.#dependencies(value);
    if (name === 'items' && isList(value)) return [['prefixItems', this.#list(value)]];
    if (name === 'additionalItems') {
      return isList(memberOf(schema, 'items') ?? null) ? [['items', this.#schema(value)]] : [];
    }
    if (draft === 4 && /^(exclusive)?(Minimum|Maximum|minimum|maximum)$/.test(name))
      return bound(schema, name);
    switch (keyword.holder) {
      case undefined:
        return [[name, plain(value)]];
      case 'map':
        return [[name, this.#map(value)]];
      case 'list':
        return [[name, this.#list(value)]];
      default:
        return [[name, this.#schema(value)]];
    }
  }

  #list(value: Plain): readonly PortableJson[] {
    return isList(value) ? value.map((each) => this.#schema(each)) : [];
  }

  /** No field has a name that would be an address. */
  #map(value: Plain): PortableJson {
    const members = isObject(value) ? Object.entries(value) : [];
    return Object.fromEntries(
      members
        .filter(([name]) => !ADDRESSES.has(name) || !name.startsWith('$'))
        .map(([name, schema]) => [name, this.#schema(schema)]),
    );
  }

  #dependencies(value: PlainObject): readonly (readonly [string, PortableJson])[] {
    const names = Object.entries(value).filter(([, each]) => isList(each));
    const others = Object.entries(value).filter(([, each]) => !isList(each));
    return [
      ['dependentRequired', Object.fromEntries(names.map(([name, list]) => [name, plain(list)]))],
      ['dependentSchemas', this.#map(Object.fromEntries(others))],
    ];
  }
}

/** A bound of draft-04: `exclusiveMinimum: true` beside `minimum`. */
function bound(schema: PlainObject, name: string): readonly (readonly [string, PortableJson])[] {
  if (name.startsWith('exclusive')) return [];
  const exclusive = `exclusive${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const value = plain(memberOf(schema, name) ?? null);
  return [[memberOf(schema, exclusive) === true ? exclusive : name, value]];
}

function hasAddresses(value: Plain): boolean {
  if (isList(value)) return value.some(hasAddresses);
  return (
    isObject(value) && Object.entries(value).some(([name, each]) => ADDRESSES.has(name) || hasAddresses(each))
  );
}

/** Numbers are JavaScript's: a description need not be exact beyond that. */
function plain(value: Plain): PortableJson {
  if (isNum(value)) return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(textOfNum(value))));
  return isList(value) || isObject(value) ? mapTree(value, plain) : value;
}
