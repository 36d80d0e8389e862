/**
 * One schema, ready for one value without its inside: the library sees tokens for members and items, and names of
 * verdicts for the schemas that apply to the value itself.
 */
import { isNum, isObject, type Plain, type PlainObject } from '../plain.ts';
import { Exact } from '../../domain/values/exact.ts';
import { blankSchema, CHILD_KEYWORDS, librarySchema, NOTING, type LibrarySchema } from './library.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import { listOf, shownMembers, type Applied, type Translator } from './translate.ts';
import type { ReferenceTarget } from '../references.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';

/** A schema inside of another that applies to the value itself. */
export interface InPlace extends Applied {
  readonly keyword: string;
  /**
   * `first`: the library needs its verdict. `always`: it must hold. `sometimes`: it must hold if the library says that
   * it applies.
   */
  readonly when: 'first' | 'always' | 'sometimes';
}

const WHEN: Readonly<Record<string, InPlace['when']>> = {
  anyOf: 'first',
  oneOf: 'first',
  not: 'first',
  if: 'first',
  then: 'sometimes',
  else: 'sometimes',
  dependencies: 'sometimes',
  dependentSchemas: 'sometimes',
};

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const;
export type Bound = (typeof BOUNDS)[number];
/** Up to this number, values are compared one by one; more values, and values that are not simple, by key. */
const FEW = 16;
/** Keywords whose argument is one schema, or compared by key. */
const UNSIZED: ReadonlySet<string> = new Set([
  ...['enum', 'const', 'not', 'if', 'then', 'else', 'contains', 'additionalItems', 'additionalProperties'],
  ...['propertyNames', 'unevaluatedItems', 'unevaluatedProperties'],
]);
const OF_MEMBERS = [
  ...['properties', 'required', 'minProperties', 'maxProperties', 'propertyNames', 'dependencies'],
  ...['dependentRequired', 'dependentSchemas', 'additionalProperties'],
];
const CHILDREN: ReadonlySet<string> = new Set(CHILD_KEYWORDS);

export class Level {
  readonly source: PlainObject;
  /** The schema of one question to the library, without the parts below. */
  readonly main: LibrarySchema = blankSchema();
  /** The same for a number that no double shows: without numbers to compare it with. */
  readonly type: LibrarySchema;
  readonly inPlace: readonly InPlace[];
  readonly bounds: readonly (readonly [Bound, Plain])[];
  readonly hasExactBound: boolean;
  /** `enum` and `const`, and whether they are part of `main`. */
  readonly choices: readonly (readonly ['enum' | 'const', argument: Plain, inMain: boolean])[];
  readonly unique: boolean;
  readonly contains: { readonly applied: Applied; readonly schema: LibrarySchema } | undefined;
  readonly properties: object;
  readonly patterns: readonly (readonly [pattern: number, Applied])[];
  readonly unevaluated: LibrarySchema | undefined;
  readonly readsMembers: boolean;
  readonly readsItems: boolean;
  readonly countsItems: boolean;
  readonly readsText: boolean;
  /** Steps that asking takes, but for those of the value's size. */
  readonly weight: number;
  readonly #ranks = new Map<string, number>();
  readonly #translator: Translator;

  constructor(source: PlainObject, translator: Translator) {
    this.source = source;
    this.#translator = translator;
    const inPlace: InPlace[] = [];
    const { main } = this;
    translator.fill(main, source, (keyword, applied) => {
      if (CHILDREN.has(keyword)) return applied.target === true || (NOTING[keyword] ?? true);
      if (keyword === 'contains') return true;
      inPlace.push({ ...applied, keyword, when: WHEN[keyword] ?? 'always' });
      return librarySchema({ $ref: String(inPlace.length - 1) });
    });
    this.inPlace = inPlace;
    const keywords = translator.keywords(source);
    keywords.forEach(([name], index) => this.#ranks.set(name, index));
    const draft4 = translator.draft === 4;
    this.bounds = BOUNDS.flatMap((name) => {
      const argument: unknown = main[name];
      return argument === undefined || (draft4 && name.startsWith('exclusive'))
        ? []
        : [[name, this.argument(name) ?? null] as const];
    });
    this.hasExactBound = this.bounds.some(([, argument]) => argument instanceof Exact);
    this.choices = this.#choices();
    this.type = librarySchema({
      ...main,
      ...Object.fromEntries([...BOUNDS, 'enum', 'const'].map((name) => [name, undefined])),
    });
    this.unique = main['uniqueItems'] === true;
    this.contains = this.#contains();
    this.patterns = Object.entries(
      objectOf(main['patternProperties'] === undefined ? undefined : this.argument('patternProperties')),
    ).map(
      ([pattern, each]) =>
        [translator.patternIndex(pattern), translator.follow('patternProperties', each)] as const,
    );
    this.properties = shownMembers(this.argument('properties'), () => NOTING['properties']);
    this.unevaluated = this.#unevaluated();
    for (const name of [
      'uniqueItems',
      'contains',
      'minContains',
      'maxContains',
      'patternProperties',
    ] as const) {
      main[name] = undefined;
    }
    const asks = (names: readonly string[]): boolean => names.some((name) => main[name] !== undefined);
    this.readsMembers = this.patterns.length > 0 || asks(OF_MEMBERS);
    this.readsItems = asks(['items', 'prefixItems']);
    this.countsItems = asks(['minItems', 'maxItems']);
    this.readsText = asks(['minLength', 'maxLength']);
    const names = keywords.reduce(
      (sum, [name, argument]) => sum + (UNSIZED.has(name) ? 0 : sizeOf(argument)),
      0,
    );
    this.weight = SCHEMA_LIMITS.schemaWork + keywords.length + names * SCHEMA_LIMITS.nameWork;
  }

  argument(keyword: string): Plain | undefined {
    return memberOf(this.source, keyword);
  }

  /** The place of a keyword among those of the schema: references come first, unevaluated members last. */
  rank(keyword: string): number {
    if (keyword.startsWith('$')) return -1;
    if (keyword.startsWith('unevaluated')) return Infinity;
    return this.#ranks.get(keyword === 'then' || keyword === 'else' ? 'if' : keyword) ?? 0;
  }

  /** The schema that a keyword has for a member or an item. */
  child(keyword: string, key: string | number): Applied {
    const argument = this.argument(keyword);
    if (keyword === 'properties') return this.#follow(keyword, memberOf(objectOf(argument), String(key)));
    return this.#follow(keyword, isList(argument) ? argument[Number(key)] : argument);
  }

  #follow(keyword: string, argument: Plain | undefined): Applied {
    if (typeof argument === 'boolean' || !isObject(argument))
      return { target: argument !== false, as: keyword };
    const known = this.#followed.get(argument);
    if (known?.from === keyword) return known;
    const made = { ...this.#translator.follow(keyword, argument), from: keyword };
    this.#followed.set(argument, made);
    return made;
  }

  readonly #followed = new Map<ReferenceTarget, Applied & { readonly from: string }>();

  #choices(): (readonly ['enum' | 'const', Plain, boolean])[] {
    return (['enum', 'const'] as const).flatMap((name) => {
      if (this.main[name] === undefined) return [];
      const argument = this.argument(name) ?? null;
      const values = name === 'enum' ? listOf(argument) : [argument];
      const inMain = values.length <= FEW && values.every(isSimple);
      if (!inMain) this.main[name] = undefined;
      return [[name, argument, inMain] as const];
    });
  }

  #contains(): Level['contains'] {
    const { contains, minContains, maxContains } = this.main;
    if (contains === undefined) return undefined;
    const schema = librarySchema({ contains: true, minContains, maxContains });
    return { applied: this.#follow('contains', this.argument('contains')), schema };
  }

  #unevaluated(): LibrarySchema | undefined {
    const names = ['unevaluatedItems', 'unevaluatedProperties'].filter(
      (name) => this.main[name] !== undefined,
    );
    const entries = names.map((name) => [name, this.main[name]] as const);
    for (const name of names) this.main[name] = undefined;
    return names.length === 0 ? undefined : librarySchema(Object.fromEntries(entries));
  }
}

function objectOf(argument: Plain | undefined): PlainObject {
  return isObject(argument) ? argument : {};
}

function isSimple(value: Plain): boolean {
  return value === null || (typeof value !== 'object' && (!isNum(value) || typeof value === 'number'));
}

/** The names and entries that the library visits for every value. */
function sizeOf(argument: Plain): number {
  if (isList(argument)) return argument.length;
  if (!isObject(argument)) return 0;
  // (Of the schema in `items` it counts the keywords, which is little.)
  return Object.keys(argument).reduce((sum, name) => sum + 1 + listOf(memberOf(argument, name)).length, 0);
}
