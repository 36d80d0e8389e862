/**
 * Walks through a schema, finds every place that holds a schema, and checks the shape of each keyword. Elsewhere (in
 * `enum`, `const`, `default`, unknown members) there are data, not keywords; a property may be named "pattern".
 */
import { inside, type Place } from '../domain/pointer.ts';
import { refStandsAlone, idKeyword, keywordOf, type Keyword } from './keywords.ts';
import { draftOf, type Draft } from './drafts.ts';
import { compileEcma } from '../query/regex/pattern.ts';
import type { Faults } from './faults.ts';
import { SCHEMA_LIMITS } from './limits.ts';
import { isObject, type Plain, type PlainObject } from './plain.ts';
import { isList, memberOf } from '../domain/values/tree.ts';

export interface Site {
  readonly schema: PlainObject;
  readonly place: Place;
  /** The address against which its references are read. */
  readonly base: string;
  /** The schemas that it applies to the same value, references not counted. */
  readonly inPlace: PlainObject[];
}

const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef'] as const;

export interface Reference {
  readonly keyword: (typeof REFERENCES)[number];
  readonly text: string;
  readonly site: Site;
}

/** Addresses are read against each other, so that one long one would be read over and over. */
export const ADDRESS_LENGTH = `and at most ${SCHEMA_LIMITS.address} characters long when written out`;

/** The address of a schema that names none. */
export const NO_ADDRESS = 'https://schema.invalid/';

export class Walk {
  readonly draft: Draft;
  readonly sites = new Map<PlainObject, Site>();
  /** Schemas by their address, without a fragment. */
  readonly resources = new Map<string, PlainObject>();
  /** Schemas by address and anchor, `address#name`. */
  readonly anchors = new Map<string, PlainObject>();
  /** In the order they were found; following them may find more. */
  readonly references: Reference[] = [];
  readonly patterns = new Set<string>();
  readonly #faults: Faults;

  constructor(draft: Draft, faults: Faults) {
    this.draft = draft;
    this.#faults = faults;
  }

  /** Walks the schema at `place`. One that was walked before is passed over. */
  visit(schema: PlainObject, place: Place, outerBase: string): void {
    if (this.sites.has(schema)) return;
    if (this.sites.size >= SCHEMA_LIMITS.subschemas) {
      if (!this.#faults.any)
        this.#faults.add(null, `There are more than ${SCHEMA_LIMITS.subschemas} schemas in it.`);
      return;
    }
    const base = this.#identify(schema, place, outerBase);
    const site: Site = { schema, place, base, inPlace: [] };
    this.sites.set(schema, site);
    for (const keyword of REFERENCES) {
      const text = memberOf(schema, keyword);
      if (typeof text === 'string' && keywordOf(this.draft, keyword)) {
        this.references.push({ keyword, text, site });
      }
    }
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(this.draft, name);
      if (keyword) this.#keyword(site, name, keyword, value);
    }
  }

  #keyword(site: Site, name: string, keyword: Keyword, value: Plain): void {
    const place = inside(site.place, name);
    if (!keyword.holds(value)) {
      this.#faults.add(place, `${name} must be ${keyword.expected}.`);
      return;
    }
    if (name === '$schema' && alike(draftOf(value)) !== alike(this.draft)) {
      this.#faults.add(place, 'A schema inside of another must be of the same draft.');
    }
    if (this.draft === 4 && name.startsWith('exclusive')) {
      const bound = name === 'exclusiveMinimum' ? 'minimum' : 'maximum';
      if (memberOf(site.schema, bound) === undefined) {
        this.#faults.add(site.place, `${name} needs ${bound} beside it in draft-04.`);
      }
    }
    if (name === 'pattern' && typeof value === 'string') this.#pattern(value, place);
    if (name === 'patternProperties' && isObject(value)) {
      for (const pattern of Object.keys(value)) this.#pattern(pattern, inside(place, pattern));
    }
    if (keyword.holder) this.#held(site, name, keyword, value, place);
  }

  #held(site: Site, name: string, keyword: Keyword, value: Plain, place: Place): void {
    for (const [at, child] of heldBy(keyword, value, place)) {
      if (isObject(child)) {
        if (keyword.inPlace) site.inPlace.push(child);
        this.visit(child, at, site.base);
      } else if (typeof child !== 'boolean') {
        this.#faults.add(at, 'A schema must be an object, true or false.');
      } else if (this.draft === 4 && !name.startsWith('additional')) {
        this.#faults.add(at, 'A schema must be an object in draft-04.');
      }
    }
  }

  #pattern(pattern: string, place: Place): void {
    if (this.patterns.size >= SCHEMA_LIMITS.patterns && !this.patterns.has(pattern)) {
      this.#faults.add(place, `The schema has more than ${SCHEMA_LIMITS.patterns} different patterns.`);
      return;
    }
    this.patterns.add(pattern);
    const compiled = compileEcma(pattern);
    if (!compiled.ok) this.#faults.add(place, `The pattern cannot be used: ${compiled.reason}.`);
  }

  /** Notes the addresses that the schema gives itself; returns that against which it reads references. */
  #identify(schema: PlainObject, place: Place, outerBase: string): string {
    const name = idKeyword(this.draft);
    const id = refStandsAlone(this.draft) && isReference(schema) ? undefined : memberOf(schema, name);
    let base = outerBase;
    if (typeof id === 'string') {
      const url = URL.parse(id, outerBase);
      const fragment = url?.hash.slice(1) ?? '';
      if (url === null || url.href.length > SCHEMA_LIMITS.address) {
        this.#faults.add(inside(place, name), `${name} must be a URI reference, ${ADDRESS_LENGTH}.`);
      } else if (fragment !== '' && this.draft >= 2019) {
        this.#faults.add(inside(place, name), `${name} must have no fragment: use $anchor.`);
      } else if (fragment !== '') {
        this.#name(this.anchors, url.href, schema, inside(place, name));
      } else {
        base = addressOf(url);
        this.#name(this.resources, base, schema, inside(place, name));
      }
    }
    if (place === null) this.resources.set(base, schema);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = keywordOf(this.draft, keyword) && memberOf(schema, keyword);
      if (typeof anchor === 'string') {
        this.#name(this.anchors, `${base}#${anchor}`, schema, inside(place, keyword));
      }
    }
    return base;
  }

  #name(names: Map<string, PlainObject>, name: string, schema: PlainObject, place: Place): void {
    const before = names.get(name);
    if (before !== undefined && before !== schema) {
      this.#faults.add(place, 'Two schemas have the same address.');
    }
    names.set(name, schema);
  }
}

/** Schemas in force may mix these two drafts, which were once read alike. */
function alike(draft: Draft | undefined): Draft | undefined {
  return draft === 6 ? 7 : draft;
}

export function addressOf(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}

/** Whether the schema is a reference, beside which nothing counts in older drafts. */
export function isReference(schema: PlainObject): boolean {
  return typeof memberOf(schema, '$ref') === 'string';
}

function heldBy(keyword: Keyword, value: Plain, place: Place): (readonly [Place, Plain])[] {
  if (keyword.holder === 'schema') return [[place, value]];
  if (isList(value)) return value.map((child, index) => [inside(place, index), child] as const);
  if (keyword.holder === 'schema-or-list' || !isObject(value)) return [[place, value]];
  const members = Object.entries(value).map(([name, child]) => [inside(place, name), child] as const);
  return keyword.holder === 'dependencies' ? members.filter(([, child]) => !isList(child)) : members;
}
