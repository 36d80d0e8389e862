/** What is asked between collections for conditions on linked documents. Plain data only: it crosses the RPC. */
import { linksOf, type Content, type Linkage } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import type { Outcome } from '../../domain/problems.ts';
import type { Principal } from '../../domain/rules.ts';
import type { TypeName } from '../../domain/types.ts';
import type { Change, Operation } from './writes/operations.ts';

/** A name that is a relationship of some document, with the types that its links lead to, or led to once. */
export interface LinkedTypes {
  readonly name: string;
  readonly types: readonly string[];
}

/** What a list answers first whose condition passes through relationships. */
export interface LinksFirst {
  readonly linked: readonly LinkedTypes[];
}

/** How the condition of a list asks linked documents. */
export interface Through {
  /** Names in the condition that may be those of relationships. */
  readonly names: readonly string[];
  /** The condition to search by where some of them are; in the stored encoding. */
  readonly condition: (linked: readonly LinkedTypes[]) => Promise<Outcome<string>>;
}

/** Which documents that a viewer may read meet each of several conditions. */
export interface MatchingRequest extends Principal {
  /** In the stored encoding. */
  readonly conditions: readonly string[];
  /** Fields that the conditions treat as missing (domain/secrets.ts). */
  readonly hidden: readonly string[];
  /** Documents at most, counted once for each condition. */
  readonly limit: number;
}

/** The ids for each condition, in the order of creation; null when they are more than the limit. */
export type MatchingResult = Outcome<readonly (readonly DocumentId[])[] | null>;

export interface MatchingSince {
  readonly counter: number;
  /** The last id that there was; null where clients choose ids. */
  readonly last: string | null;
  readonly found: MatchingResult;
}

/** How many documents link to each of some of a type, and meet a condition in the stored encoding; null for all. */
export interface CountRequest {
  /** The relationship. */
  readonly by: string;
  readonly type: TypeName;
  readonly ids: readonly DocumentId[];
  readonly where: string | null;
}

/** The relationships of a content, with the types that its links lead to. */
export function linkedBy({ relationships }: Pick<Content, 'relationships'>): readonly LinkedTypes[] {
  return Object.entries(relationships).map(([name, linkage]) => linked(name, linkage));
}

/** The same of what a change brings. */
export function linksOfChange(change: Change<Content>): readonly LinkedTypes[] {
  return change.kind === 'merge' ? linkedBy(change.content) : [linked(change.name, change.linkage)];
}

export function linksOfOperation(operation: Operation<Content>): readonly LinkedTypes[] {
  if (operation.kind === 'add') return linkedBy(operation.content);
  return operation.kind === 'change' ? linksOfChange(operation.change) : [];
}

function linked(name: string, linkage: Linkage): LinkedTypes {
  return { name, types: [...new Set(linksOf(linkage).map(({ type }) => type))] };
}
