/**
 * Conditions on the fields of linked documents, one step: `author.name`, where `author` is a relationship. A document
 * knows only the links, so such a leaf is rewritten before it is planned: to the ids of the linked documents that meet
 * it, which are asked for beforehand.
 */
import type { DocumentId } from '../../domain/ids.ts';
import { ObjectId, type Value } from '../../domain/values/values.ts';
import type { Condition, Leaf } from './conditions.ts';
import { negate } from './scope.ts';
import { someField } from './fields.ts';
import { mapLeaves } from './map.ts';
import { compileMatcher } from './match.ts';

/** The links of a document as filters see them are `{type, id}`: a path that goes on with one of these asks them. */
const OF_LINKS: ReadonlySet<string | undefined> = new Set(['id', 'type', undefined]);

/**
 * The name that a leaf's path begins with, where it may be that of a relationship whose documents are asked; null for
 * other leaves. `$near` is an order of the documents themselves.
 */
export function relationshipAsked({ op, path: [name, field] }: Leaf): string | null {
  if (name === undefined || name === 'id' || name === 'type' || op === 'near') return null;
  return OF_LINKS.has(field) ? null : name;
}

/** All such names of a condition. Conditions inside `$elemMatch` ask the element: the link itself. */
export function relationshipsAsked(condition: Condition): readonly string[] {
  const names = new Set<string>();
  mapLeaves(condition, (leaf) => {
    const name = relationshipAsked(leaf);
    if (name !== null) names.add(name);
    return leaf;
  });
  return [...names];
}

/** The same, and where more than the link is asked of one of several. */
export function linkAsked(leaf: Leaf): string | null {
  const [name, field] = leaf.path;
  const isOfElement = leaf.op === 'elemMatch' && field === undefined;
  const asksMore = isOfElement && someField(leaf.condition, (each) => !OF_LINKS.has(each));
  return asksMore ? (name ?? null) : relationshipAsked(leaf);
}

/**
 * A condition for documents whose links nobody follows: what it says of linked documents is not known there, and counts
 * as what makes the condition fail, behind a negation too.
 */
export function failClosed(condition: Condition, negated = false): Condition {
  switch (condition.op) {
    case 'and':
    case 'or':
      return { ...condition, conditions: condition.conditions.map((each) => failClosed(each, negated)) };
    case 'nor':
      return { ...condition, conditions: condition.conditions.map((each) => failClosed(each, !negated)) };
    case 'not':
      return negate(failClosed(condition.condition, !negated));
    case 'text':
      return condition;
    default: {
      const name = linkAsked(condition);
      if (name === null) return condition;
      if (negated) return { op: 'or', conditions: [condition, isLink(name)] };
      return condition.op === 'elemMatch'
        ? { op: 'and', conditions: [condition, negate(isLink(name))] }
        : ofAttribute(condition, name);
    }
  }
}

function isLink(name: string): Condition {
  return { op: 'type', path: [name, 'id'], kinds: ['objectId'] };
}

/**
 * What a leaf asks of the linked documents: which meet it and, where it holds of what is missing, which do not: a link
 * to neither leads to a document that is gone or may not be read. `$exists: false` asks that none has the field: it
 * is a negation.
 */
export function askedOfLinked(leaf: Leaf): readonly Condition[] {
  const path = leaf.path.slice(1);
  const asked = leaf.op === 'exists' ? { ...leaf, path, exists: true } : { ...leaf, path };
  return holdsOfMissing(asked) ? [asked, negate(asked)] : [asked];
}

function holdsOfMissing(leaf: Leaf): boolean {
  return compileMatcher(leaf)({});
}

/** The ids of the linked documents that meet a condition, by their types. */
export type Met = ReadonlyMap<string, readonly DocumentId[]>;

const NO_LINKS: Met = new Map();

/**
 * What a leaf means where its first name is a relationship: a document meets it by an attribute of that name, as before,
 * or when one of its linked documents is among those that meet it. So a negation holds when none is. A link to one
 * document that neither meets nor fails it is as if it were not there.
 */
export function throughLinks(leaf: Leaf, meeting = NO_LINKS, failing = NO_LINKS): Condition {
  if (leaf.op === 'exists' && !leaf.exists) {
    return { op: 'not', condition: throughLinks({ ...leaf, exists: true }, meeting, failing) };
  }
  const [name = ''] = leaf.path;
  const decided: Condition = { op: 'or', conditions: [isArray(name), ...linksToOf(name, failing)] };
  const isDecided: Condition = { op: 'and', conditions: [isLink(name), decided] };
  return { op: 'or', conditions: [ofAttribute(leaf, name, isDecided), ...linksToOf(name, meeting)] };
}

/** A leaf that holds of what is missing holds of every link, which has no such field: there the linked documents decide. */
function ofAttribute(leaf: Leaf, name: string, isDecided = isLink(name)): Condition {
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

/** The condition that a relationship links to one of some documents of a type. */
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

/** The condition that an id at a path is one of these. */
export function idAmong(path: readonly string[], ids: readonly DocumentId[]): Condition {
  return { op: 'in', path, values: ids.map((id): Value => new ObjectId(id)), patterns: [] };
}
