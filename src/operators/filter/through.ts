/**
 * Conditions on the fields of linked documents, one step: `author.name`, where `author` is a relationship. A document
 * knows only its links: so before planning, such a leaf is replaced by the ids of the linked documents that meet it.
 */
import type { DocumentId } from '../../domain/ids.ts';
import { AGGREGATE_PREFIX } from '../../domain/types.ts';
import { encodeText } from '../../domain/values/codec.ts';
import { ObjectId, type Value } from '../../domain/values/values.ts';
import type { Path } from '../../query/walk.ts';
import type { Condition, Leaf } from './conditions.ts';
import { negate } from './scope.ts';
import { someField, leavesOf, mapLeaves } from './map.ts';
import { compileMatcher } from './matcher.ts';

/** The links of a document as filters see them are `{type, id}`: a path that goes on with one of these asks them. */
const OF_LINKS: ReadonlySet<string | undefined> = new Set(['id', 'type', undefined]);

/**
 * The name that a leaf's path begins with, where it may be that of a relationship whose documents are asked; null for
 * other leaves. `$near` is an order of the documents themselves.
 */
export function relationshipOf({ op, path }: Leaf): string | null {
  const [name] = path;
  return name === undefined || op === 'near' || !goesThrough(path) ? null : name;
}

/** Whether a path may go on in documents that its first name links to. */
export function goesThrough([name, field]: Path): boolean {
  return name !== 'id' && name !== 'type' && !OF_LINKS.has(field);
}

/** All such names of a condition. Conditions inside `$elemMatch` ask the element: the link itself. */
export function relationshipsOf(condition: Condition): readonly string[] {
  return [...new Set(leavesOf(condition).flatMap((leaf) => relationshipOf(leaf) ?? []))];
}

/** The same, and where more than the link is asked of one of several. */
export function linkOf(leaf: Leaf): string | null {
  const [name, field] = leaf.path;
  const isOfElement = leaf.op === 'elemMatch' && field === undefined;
  const asksMore = isOfElement && someField(leaf.condition, (each) => !OF_LINKS.has(each));
  return asksMore ? (name ?? null) : relationshipOf(leaf);
}

/** A position in a list of links. */
const POSITION = /^\d+$/;

/** Whether a rule may look at what such a leaf asks: not at links by their positions, and not inside of a link. */
export function isFollowable(leaf: Leaf): boolean {
  return relationshipOf(leaf) !== null && !POSITION.test(leaf.path[1] ?? '');
}

/**
 * A condition for documents whose links nobody follows, except where `isFollowed` says so: what it says of linked
 * documents is unknown there, and counts as what makes the condition fail, behind a negation too.
 */
export function failClosed(
  condition: Condition,
  negated = false,
  isFollowed: (leaf: Leaf) => boolean = () => false,
): Condition {
  const closed = (each: Condition, isNegated: boolean) => failClosed(each, isNegated, isFollowed);
  switch (condition.op) {
    case 'and':
    case 'or':
      return { ...condition, conditions: condition.conditions.map((each) => closed(each, negated)) };
    case 'not':
      return negate(closed(condition.condition, !negated));
    case 'text':
      return condition;
    default: {
      const name = linkOf(condition);
      if (name === null || isFollowed(condition)) return condition;
      if (negated) return { op: 'or', conditions: [condition, isAnyLink(name)] };
      return condition.op === 'elemMatch'
        ? { op: 'and', conditions: [condition, negate(isAnyLink(name))] }
        : ofAttribute(condition, name);
    }
  }
}

function isLink(name: string): Condition {
  return { op: 'type', path: [name, 'id'], kinds: ['objectId'] };
}

/** The same, also of documents of aggregates, whose ids are texts: by the beginning of their types. */
function isAnyLink(name: string): Condition {
  const path = [name, 'type'];
  const ofOutput: readonly Condition[] = [
    { op: 'gte', path, value: AGGREGATE_PREFIX },
    { op: 'lt', path, value: `${AGGREGATE_PREFIX}\u{10ffff}` },
  ];
  return { op: 'or', conditions: [isLink(name), { op: 'and', conditions: ofOutput }] };
}

/**
 * The questions of a leaf about linked documents: which meet it and, where it holds of missing fields, which do not: a
 * link to neither leads to a document that is gone or may not be read. `$exists: false` is a negation: none has it.
 */
function conditionsOfLinked(leaf: Leaf): readonly Condition[] {
  const path = leaf.path.slice(1);
  const condition = leaf.op === 'exists' ? { ...leaf, path, exists: true } : { ...leaf, path };
  return holdsOfMissing(condition) ? [condition, negate(condition)] : [condition];
}

function holdsOfMissing(leaf: Leaf): boolean {
  return compileMatcher(leaf)({});
}

/** The ids of the linked documents that meet a condition, by their types. */
type Met = ReadonlyMap<string, readonly DocumentId[]>;

/** The types that the relationship which a leaf asks through leads to; undefined for other leaves. */
export type TypesOf = (leaf: Leaf) => readonly string[] | undefined;

/**
 * The questions of a leaf about linked documents of a type: conditions in the stored encoding, the leaf's own first.
 */
export interface ConditionsOfType {
  readonly type: string;
  readonly path: readonly string[];
  readonly conditions: readonly string[];
}

export function askedThrough(tree: Condition, typesOf: TypesOf): readonly ConditionsOfType[] {
  return leavesOf(tree).flatMap((leaf) => {
    const types = typesOf(leaf) ?? [];
    const conditions = types.length === 0 ? [] : conditionsOfLinked(leaf).map(encodeText);
    return types.map((type) => ({ type, path: leaf.path, conditions }));
  });
}

/** The conditions, by the types whose documents are asked. */
export function conditionsByType(perType: readonly ConditionsOfType[]): Map<string, ReadonlySet<string>> {
  const byType = new Map<string, ReadonlySet<string>>();
  for (const { type, conditions } of perType) {
    byType.set(type, new Set([...(byType.get(type) ?? []), ...conditions]));
  }
  return byType;
}

/** The condition, with what linked documents have said in the place of what it asks them. */
export function answered(
  tree: Condition,
  typesOf: TypesOf,
  metBy: (type: string, condition: string) => readonly DocumentId[],
): Condition {
  return mapLeaves(tree, (leaf) => {
    const types = typesOf(leaf);
    if (types === undefined) return leaf;
    const [meeting, failing] = conditionsOfLinked(leaf).map(
      (perType): Met => new Map(types.map((type) => [type, metBy(type, encodeText(perType))])),
    );
    return throughLinks(leaf, meeting, failing);
  });
}

const NO_LINKS: Met = new Map();

/**
 * A leaf whose first name is a relationship: a document meets it by an attribute of that name, as before, or when one
 * of its linked documents meets it. So a negation holds when none does. A link to one document that neither meets nor
 * fails it is as if it were not there.
 */
function throughLinks(leaf: Leaf, meeting = NO_LINKS, failing = NO_LINKS): Condition {
  if (leaf.op === 'exists' && !leaf.exists) {
    return { op: 'not', condition: throughLinks({ ...leaf, exists: true }, meeting, failing) };
  }
  const [name = ''] = leaf.path;
  const decided: Condition = { op: 'or', conditions: [isArray(name), ...linksToOf(name, failing)] };
  const isDecided: Condition = { op: 'and', conditions: [isLink(name), decided] };
  return { op: 'or', conditions: [ofAttribute(leaf, name, isDecided), ...linksToOf(name, meeting)] };
}

/** A leaf that holds of what is missing holds of links, which have no such field: there the linked documents decide. */
function ofAttribute(leaf: Leaf, name: string, isDecided = isAnyLink(name)): Condition {
  if (!holdsOfMissing(leaf)) return leaf;
  return { op: 'and', conditions: [leaf, negate(isDecided)] };
}

/** Links to one of some documents of the types that the relationship leads to: of one type, the ids tell. */
function linksToOf(name: string, ids: Met): Condition[] {
  const found = Array.from(ids).filter(([, each]) => each.length > 0);
  return ids.size === 1 ? found.map(([, each]) => idAmong([name, 'id'], each)) : ofTypes(name, found);
}

/** Links of several types: type and id must be those of one link. */
function ofTypes(name: string, found: readonly (readonly [string, readonly DocumentId[]])[]): Condition[] {
  return found.length === 0 ? [] : [linksAmong(name, found)];
}

export function linksTo(name: string, type: string, ids: readonly DocumentId[]): Condition {
  return linksAmong(name, [[type, ids]]);
}

/** The ids alone come first, for their index. */
function linksAmong(name: string, found: readonly (readonly [string, readonly DocumentId[]])[]): Condition {
  const link = (path: readonly string[]): Condition => ({
    op: 'or',
    conditions: found.map(([type, ids]) => ({
      op: 'and',
      conditions: [{ op: 'eq', path: [...path, 'type'], value: type }, idAmong([...path, 'id'], ids)],
    })),
  });
  const one: Condition = { op: 'and', conditions: [{ op: 'not', condition: isArray(name) }, link([name])] };
  const many: Condition = { op: 'elemMatch', path: [name], among: 'objects', condition: link([]) };
  const ids = found.flatMap(([, each]) => each);
  return { op: 'and', conditions: [idAmong([name, 'id'], ids), { op: 'or', conditions: [one, many] }] };
}

function isArray(name: string): Condition {
  return { op: 'type', path: [name], kinds: ['array'] };
}

export function idAmong(path: readonly string[], ids: readonly DocumentId[]): Condition {
  return { op: 'in', path, values: ids.map((id): Value => new ObjectId(id)), patterns: [] };
}
