/**
 * Rewrites schemas for the library: without keywords that their draft does not know, with our own tests as formats, and
 * with targets in place of references. The caller chooses what replaces inner schemas.
 */
import type { Analysis } from '../check.ts';
import type { Draft } from '../drafts.ts';
import { Exact } from '../../domain/values/exact.ts';
import { textOfNum } from '../num.ts';
import { keywordOf, refStandsAlone, type Keyword } from '../keywords.ts';
import {
  blankSchema,
  FORMATS,
  formatName,
  librarySchema,
  patternName,
  type LibrarySchema,
} from './library.ts';
import { shownName } from './names.ts';
import { isObject, type Plain, type PlainObject } from '../plain.ts';
import type { ReferenceTarget } from '../references.ts';
import { isList } from '../../domain/values/tree.ts';
import { recall } from '../../domain/caching/recall.ts';

/** A schema that applies, and the keyword that a violation names where the schema is `false`. */
export interface Applied {
  readonly target: ReferenceTarget;
  readonly as: string;
}

/** Replaces a schema in a keyword of another. */
export type Substitute = (keyword: string, applied: Applied) => LibrarySchema | boolean;

const COUNTS: ReadonlySet<string> = new Set([
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains'],
]);

export class Translator {
  readonly draft: Draft;
  readonly #analysis: Analysis;
  readonly #patterns = new Map<string, number>();
  readonly patterns: string[] = [];

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
    this.draft = analysis.draft;
  }

  /** A keyword's schema, after following references that it only consists of. */
  follow(keyword: string, argument: Plain): Applied {
    let target: ReferenceTarget = isObject(argument) || typeof argument === 'boolean' ? argument : true;
    let as = keyword;
    // References that lead back to themselves are refused when a schema is written.
    for (;;) {
      if (!isObject(target) || this.keywords(target).length > 0) return { target, as };
      const [only, ...others] = this.#references(target);
      // What asks for nothing is as good as true.
      if (only === undefined) return { target: true, as };
      if (others.length > 0) return { target, as };
      [as, target] = only;
    }
  }

  #references(schema: PlainObject): (readonly [string, ReferenceTarget])[] {
    return Object.entries(this.#analysis.targets.get(schema) ?? {});
  }

  /** The keywords of a schema that ask for something in its draft, in the order of the schema. */
  keywords(schema: PlainObject): readonly (readonly [name: string, argument: Plain, keyword: Keyword])[] {
    if (refStandsAlone(this.draft) && this.#references(schema).length > 0) return [];
    return Object.entries(schema).flatMap(([name, argument]) => {
      const keyword = ASKING.has(name) ? keywordOf(this.draft, name) : undefined;
      return keyword ? [[name, argument, keyword] as const] : [];
    });
  }

  /** Puts the keywords of a schema into `into`, a blank one. */
  fill(into: LibrarySchema, schema: PlainObject, substitute: Substitute): void {
    const sub = (keyword: string, argument: Plain): LibrarySchema | boolean =>
      substitute(keyword, this.follow(keyword, argument));
    const allOf = this.#references(schema).map(([keyword, target]) => sub(keyword, target));
    for (const [name, argument, keyword] of this.keywords(schema)) {
      if (name === 'pattern' || name === 'format') continue;
      if (name === 'allOf') allOf.push(...listOf(argument).map((each) => sub(name, each)));
      else if (keyword.holder === undefined) into[name] = argumentOf(name, argument);
      else if (isList(argument)) into[name] = argument.map((each) => sub(name, each));
      else if (keyword.holder === 'schema' || keyword.holder === 'schema-or-list')
        into[name] = sub(name, argument);
      else {
        into[name] = shownMembers(argument, (each) =>
          isList(each) ? argumentOf('required', each) : sub(name, each),
        );
      }
    }
    const [first, ...others] = this.#textTests(schema);
    into['format'] = first;
    // The library knows one format a schema.
    allOf.push(...others.map((format) => librarySchema({ format })));
    if (allOf.length > 0) into['allOf'] = allOf;
  }

  /** The names of the tests for a schema's pattern and format. */
  #textTests(schema: PlainObject): string[] {
    const tests: string[] = [];
    for (const [name, argument] of this.keywords(schema)) {
      if (typeof argument !== 'string') continue;
      // The pattern comes first, so that it is known which of the two the format of the schema is.
      if (name === 'pattern') tests.unshift(patternName(this.patternIndex(argument)));
      if (name === 'format' && FORMATS.has(argument)) tests.push(formatName(argument));
    }
    return tests;
  }

  patternIndex(pattern: string): number {
    return recall(this.#patterns, pattern, () => this.patterns.push(pattern) - 1);
  }
}

const ASKING: ReadonlySet<string> = new Set(
  Object.keys(blankSchema()).filter((name) => !name.startsWith('$') && !name.startsWith('_')),
);

export function listOf(argument: Plain | undefined): readonly Plain[] {
  return isList(argument) ? argument : [];
}

/** An object with the members of another, under their shown names. */
export function shownMembers<T>(argument: Plain | undefined, map: (member: Plain) => T): Record<string, T> {
  const members = isObject(argument) ? Object.entries(argument) : [];
  return Object.fromEntries(members.map(([name, member]) => [shownName(name), map(member)]));
}

function argumentOf(name: string, argument: Plain): unknown {
  if (name === 'required')
    return listOf(argument).flatMap((each) => (typeof each === 'string' ? [shownName(each)] : []));
  if (name === 'dependentRequired') return shownMembers(argument, (names) => argumentOf('required', names));
  // No length is near a number that a double does not show.
  if (COUNTS.has(name) && argument instanceof Exact) return Number(textOfNum(argument));
  return argument;
}
