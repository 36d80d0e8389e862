/**
 * Asks the library about a whole document, or a part of it, in one question, which is much faster than level by level.
 * Only where the schema and the size of the document bound its work and its stack beforehand.
 */
import { Exact } from '../../domain/values/exact.ts';
import type { Keyword } from '../keywords.ts';
import { ask, blankSchema, CHILD_KEYWORDS, type LibrarySchema } from './library.ts';
import { SCHEMA_LIMITS } from '../limits.ts';
import { matchesPattern } from './patterns.ts';
import { isObject, type Plain, type PlainObject } from '../plain.ts';
import type { Translator } from './translate.ts';
import type { ReferenceTarget } from '../references.ts';
import type { Work } from '../work.ts';
import { isList, memberOf } from '../../domain/values/tree.ts';
import { recall } from '../../domain/caching/recall.ts';

/** The cost of visiting a schema, in units of some 20 ns, and of each name or value in its keywords. */
const VISIT = 16;
const NAME = 4;
/** Longer lists of choices are compared by key. */
const MANY = 64;
/** Longer texts are read a keyword at a time. */
const LONG = 256;
const BELOW: ReadonlySet<string> = new Set([...CHILD_KEYWORDS, 'contains']);

interface Node {
  readonly schema: LibrarySchema;
  readonly weight: number;
  readonly unique: number;
  /** The schemas that it applies to the same value, and to what is inside of it. */
  readonly here: Node[];
  readonly below: Node[];
  /** Weights of all visits that begin at one of it, by the levels between; the same of `uniqueItems`. */
  readonly weights: number[];
  readonly uniques: number[];
  readonly users: Node[];
  /** Whether it, or what it leads to, can only be asked a level at a time. */
  isSpecial: boolean;
}

export class Wholes {
  readonly #translator: Translator;
  readonly #nodes = new Map<PlainObject, Node>();
  readonly #height: number;

  constructor(translator: Translator, root: ReferenceTarget) {
    this.#translator = translator;
    if (isObject(root)) this.#nodeOf(root);
    // Schemas that are found meanwhile are visited, too.
    for (const [schema, node] of this.#nodes) this.#fill(schema, node);
    const heights = new Map<Node, number>();
    this.#height = Math.max(0, ...[...this.#nodes.values()].map((node) => heightOf(node, heights)));
    const special = [...this.#nodes].flatMap(([schema, node]) =>
      isSpecial(translator, schema) ? [node] : [],
    );
    // So are those that lead to special ones.
    for (const node of special) {
      if (node.isSpecial) continue;
      node.isSpecial = true;
      special.push(...node.users);
    }
  }

  /** Whether a value satisfies a schema; undefined when this has to be found out otherwise. */
  accepts(schema: PlainObject, value: Plain, work: Work): boolean | undefined {
    const node = this.#nodes.get(schema);
    if (typeof value === 'string' && value.length > LONG) return undefined;
    if (node === undefined || node.isSpecial) return undefined;
    const size = sizeOf(value);
    work.spend(size.total / 16);
    if (!size.isReadable || size.values.length * (this.#height + 1) > SCHEMA_LIMITS.wholeFrames)
      return undefined;
    const bound = this.#boundOf(node, size);
    const steps = bound / SCHEMA_LIMITS.wholeStep;
    if (bound > SCHEMA_LIMITS.wholeWork || !work.has(steps)) return undefined;
    work.spend(steps);
    const { draft, patterns } = this.#translator;
    const tooLong: string[] = [];
    const matches = (pattern: number, text: string): boolean => {
      const answer = matchesPattern(patterns[pattern] ?? '', text, work);
      if (answer === undefined) tooLong.push(text);
      return answer === true;
    };
    const spend = (each: number): void => {
      work.spend(each);
    };
    const found = ask(
      { instance: value, schema: node.schema, draft, brief: true },
      { matches, note: refuse, spend },
    );
    if (tooLong.length > 0) return undefined;
    return found.length === 0;
  }

  #boundOf(root: Node, { values, total, longest }: Size): number {
    let bound = 0;
    values.forEach((count, level) => {
      for (const node of this.#nodes.values()) sumUp(node, level);
      bound += count * (root.weights[level] ?? 0);
      // Items are compared with each other.
      bound += (root.uniques[level] ?? 0) * longest * total;
    });
    return bound;
  }

  #nodeOf(schema: PlainObject): Node {
    return recall(this.#nodes, schema, () => this.#makeNode(schema));
  }

  #makeNode(schema: PlainObject): Node {
    const keywords = this.#translator.keywords(schema);
    return {
      schema: blankSchema(),
      weight: keywords.reduce((sum, [, argument, keyword]) => sum + weightOf(argument, keyword), VISIT),
      unique: keywords.some(([name, argument]) => name === 'uniqueItems' && argument === true) ? 1 : 0,
      here: [],
      below: [],
      weights: [],
      uniques: [],
      users: [],
      isSpecial: false,
    };
  }

  #fill(schema: PlainObject, node: Node): void {
    this.#translator.fill(
      node.schema,
      schema,
      (keyword, { target }) => {
        if (!isObject(target)) return target;
        const other = this.#nodeOf(target);
        other.users.push(node);
        (BELOW.has(keyword) ? node.below : node.here).push(other);
        return other.schema;
      },
      (name) => name,
    );
  }
}

function refuse(): never {
  throw new Error('A whole document is looked at by the library alone.');
}

/** Whether a schema needs what only a level at a time gives. */
function isSpecial(translator: Translator, schema: PlainObject): boolean {
  return translator
    .keywords(schema)
    .some(([name, argument, { holder }]) =>
      holder === undefined
        ? holdsExact(argument) || (name === 'enum' && isList(argument) && argument.length > MANY)
        : name === 'patternProperties' || name.startsWith('unevaluated'),
    );
}

function holdsExact(value: Plain): boolean {
  if (isList(value)) return value.some(holdsExact);
  return isObject(value) ? Object.values(value).some(holdsExact) : value instanceof Exact;
}

/** The work of the library in a keyword's argument, without the schemas in it. */
function weightOf(argument: Plain, keyword: Keyword): number {
  if (keyword.holder === undefined) return valuesIn(argument) * NAME;
  if (isList(argument)) return argument.length;
  if (!isObject(argument) || keyword.holder.startsWith('schema')) return 1;
  return Object.values(argument).reduce<number>(
    (sum, each) => sum + NAME * (1 + (isList(each) ? each.length : 0)),
    1,
  );
}

/** Values in an argument, and its text in pieces of 16 characters. */
function valuesIn(argument: Plain): number {
  if (typeof argument === 'string') return 1 + argument.length / 16;
  if (isList(argument)) return argument.reduce<number>((sum, each) => sum + valuesIn(each), 1);
  if (!isObject(argument)) return 1;
  return Object.keys(argument).reduce(
    (sum, name) => sum + valuesIn(name) + valuesIn(memberOf(argument, name) ?? null),
    1,
  );
}

/** The most schemas that apply to one value through each other, from this one on; loops are refused at the write. */
function heightOf(node: Node, known: Map<Node, number>): number {
  return recall(known, node, () =>
    node.here.reduce((most, next) => Math.max(most, 1 + heightOf(next, known)), 0),
  );
}

/** Sums up the visits at a level, when those at the levels above are known for all nodes. */
function sumUp(node: Node, level: number): void {
  if (node.weights.length > level) return;
  let weight = level === 0 ? node.weight : 0;
  let unique = level === 0 ? node.unique : 0;
  for (const next of node.here) {
    sumUp(next, level);
    weight += next.weights[level] ?? 0;
    unique += next.uniques[level] ?? 0;
  }
  for (const next of level === 0 ? [] : node.below) {
    weight += next.weights[level - 1] ?? 0;
    unique += next.uniques[level - 1] ?? 0;
  }
  node.weights[level] = weight;
  node.uniques[level] = unique;
}

/** The size of a document: values at each level, each with its text in pieces of 16 characters. */
interface Size {
  readonly values: number[];
  /** False for a document that is too large, or holds what the library cannot read. */
  isReadable: boolean;
  total: number;
  /** Items of the longest array. */
  longest: number;
}

function sizeOf(document: Plain): Size {
  const size: Size = { values: [], isReadable: true, total: 0, longest: 0 };
  size.isReadable = isSized(document, 0, size);
  return size;
}

function isSized(value: Plain, level: number, size: Size): boolean {
  if (value instanceof Exact || size.total > SCHEMA_LIMITS.wholeSize) return false;
  let own = typeof value === 'string' ? 1 + value.length / 16 : 1;
  let isReadable = true;
  if (isList(value)) {
    size.longest = Math.max(size.longest, value.length);
    isReadable = value.every((item) => isSized(item, level + 1, size));
  } else if (isObject(value)) {
    for (const name in value) {
      own += name.length / 16;
      if (!name.isWellFormed() || !isSized(value[name] ?? null, level + 1, size)) return false;
    }
  }
  size.values[level] = (size.values[level] ?? 0) + own;
  size.total += own;
  return isReadable;
}
