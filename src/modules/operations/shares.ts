/**
 * A list of several types, as the collections take it: a share for each type, in the order in which they are asked. All
 * that a share names by a local id has an id before, because documents of other types may link to it.
 */
import { collectionOf, transact, transactedBefore } from '../../collection/rpc/client.ts';
import {
  type Once,
  localIdOf,
  type Actor,
  type Attempt,
  type Change,
  type Operation,
  type WriteListResult,
} from '../../collection/rpc/writes/operations.ts';
import { byType, type Share } from '../../collection/rpc/writes/transactions.ts';
import {
  distinctLinks,
  linksOf,
  type Content,
  type Document,
  type Link,
  type Linkage,
} from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { isAggregateType, type TypeName } from '../../domain/types.ts';
import type { RequestContext } from '../endpoint.ts';
import type { OperationList } from './read-list.ts';
import { isList } from '../../domain/values/tree.ts';

/** Performs the operations of a list of several types, all or none. */
export async function writeShares(
  context: RequestContext,
  list: OperationList,
  operations: readonly Operation<Content>[],
  actors: readonly Actor[],
  once: Once | null,
): Promise<WriteListResult<Document>> {
  const named = await withIds(context, list, operations);
  if (!named.ok) return { ok: false, failure: { at: null, problems: named.problems, missing: [] } };
  const shares = sharesOf(list, named.value, actors);
  const written = await transact(context, shares, once);
  if (written.ok) return { ok: true, done: inOrder(list, written.done) };
  const { share, failure } = written;
  const at = failure.at === null ? null : (shares[share]?.list.operations[failure.at]?.place ?? null);
  return { ok: false, failure: { ...failure, at } };
}

/** What the same list came to before; null if it was not done. */
export async function sharesBefore(
  context: RequestContext,
  list: OperationList,
  actorOf: (at: number) => Actor | undefined,
  once: Once | null,
): Promise<Outcome<readonly Attempt<Document>[] | null>> {
  const asked = inTurn(list);
  const types = asked.map(({ type }) => type);
  const rules = asked.map(
    ({ places }) =>
      (at: number) =>
        actorOf(places[at] ?? 0)?.rule ?? null,
  );
  const before = await transactedBefore(context, types, rules, once);
  return before.ok ? ok(before.value && inOrder(list, before.value)) : before;
}

/** The types in the order in which they are asked, with the positions of their operations. */
function inTurn({ operations, types }: OperationList) {
  const placesOf = (type: TypeName) =>
    operations.flatMap((operation, place) => (operation.type === type ? place : []));
  return byType(types.map((type) => ({ type, places: placesOf(type) })));
}

function sharesOf(
  list: OperationList,
  operations: readonly Operation<Content>[],
  actors: readonly Actor[],
): readonly Share<Content>[] {
  return inTurn(list)
    .map(({ type, places }) => ({
      type,
      list: {
        actors,
        transaction: list.transaction,
        operations: places.flatMap((place) => {
          const operation = operations[place];
          return operation === undefined ? [] : { ...operation, place };
        }),
      },
    }))
    .filter((share) => share.list.operations.length > 0);
}

/** The results of the shares in the order of the list. */
function inOrder(list: OperationList, done: readonly (readonly Attempt<Document>[])[]) {
  const all: Attempt<Document>[] = [];
  for (const [share, { places }] of inTurn(list).entries()) {
    for (const [at, place] of places.entries()) {
      const each = done[share]?.[at];
      if (each !== undefined) all[place] = each;
    }
  }
  return all;
}

/** Gives ids to what is named by local ids. */
async function withIds(
  context: RequestContext,
  list: OperationList,
  operations: readonly Operation<Content>[],
): Promise<Outcome<readonly Operation<Content>[]>> {
  const ids = new Map<number, DocumentId>();
  for (const [at, operation] of operations.entries()) {
    if (operation.kind === 'add' && operation.id !== undefined) ids.set(at, operation.id);
  }
  const named = new Set(operations.flatMap(localsIn));
  const types = new Set(Array.from(named, (place) => list.operations[place]?.type));
  const places = operations.flatMap(({ kind }, place) => (kind === 'add' && !ids.has(place) ? place : []));
  // Those of a type ascend in the order of the list, be they named or not.
  const byTypes = Map.groupBy(places, (place) => list.operations[place]?.type);
  const reserved = await Promise.all(
    Array.from(byTypes, async ([type, wanted]) => {
      if (type === undefined || !types.has(type)) return ok(null);
      const given = await collectionOf(context, type).calls.reserveIds(wanted.length);
      if (given.ok) for (const [index, id] of given.value.entries()) ids.set(wanted[index] ?? -1, id);
      return given;
    }),
  );
  const refused = reserved.find((given) => !given.ok);
  if (refused?.ok === false) return refused;
  const idAt = (at: number): DocumentId => {
    const id = ids.get(at);
    if (id === undefined) throw new Error('A local id stands for nothing that the list adds.');
    return id;
  };
  return ok(
    operations.map((operation, at) => {
      const named = namedOperation(operation, idAt);
      const given = ids.get(at);
      return named.kind === 'add' && named.id === undefined && given !== undefined
        ? { ...named, given }
        : named;
    }),
  );
}

/** The positions of the operations whose documents an operation names by local ids. */
function localsIn(operation: Operation<Content>): readonly number[] {
  const named = [
    ...(operation.kind === 'add' ? [] : [operation.id]),
    ...linkagesIn(operation).flatMap((linkage) => linksOf(linkage).map(({ id }) => id)),
  ];
  return named.flatMap((id) => localIdOf(id) ?? []);
}

function linkagesIn(operation: Operation<Content>) {
  if (operation.kind === 'add') return Object.values(operation.content.relationships);
  if (operation.kind !== 'change') return [];
  const { change } = operation;
  return change.kind === 'merge' ? Object.values(change.content.relationships) : [change.linkage];
}

/** The id of what the operation at a position of the list adds. */
type IdAt = (at: number) => DocumentId;

/** An operation with ids in place of local ones. */
function namedOperation(operation: Operation<Content>, idAt: IdAt): Operation<Content> {
  const { local: _, links, ...others } = operation;
  const rest = { ...others, ...(links !== undefined && { links: links.map((id) => namedId(id, idAt)) }) };
  if (rest.kind === 'add') return { ...rest, content: namedContent(rest.content, idAt) };
  const id = namedId(rest.id, idAt);
  return rest.kind === 'change' ? { ...rest, id, change: namedChange(rest.change, idAt) } : { ...rest, id };
}

function namedChange(change: Change<Content>, idAt: IdAt): Change<Content> {
  return change.kind === 'merge'
    ? { ...change, content: namedContent(change.content, idAt) }
    : { ...change, linkage: namedLinkage(change.linkage, idAt) };
}

/** Content as stored: a repeated link occurs once. */
export function namedContent(content: Content, idAt: IdAt): Content {
  const names = Object.keys(content.relationships);
  if (names.length === 0) return content;
  const relationships = names.map((name): [string, Linkage] => {
    const linkage = content.relationships[name] ?? null;
    return [name, namedLinkage(isList(linkage) ? distinctLinks(linkage) : linkage, idAt)];
  });
  return { attributes: content.attributes, relationships: Object.fromEntries(relationships) };
}

function namedLinkage(linkage: Linkage, idAt: IdAt): Linkage {
  if (linkage === null) return null;
  // Ids of aggregates' documents may be any text.
  const named = ({ type, id }: Link): Link => ({ type, id: isAggregateType(type) ? id : namedId(id, idAt) });
  return isList(linkage) ? linkage.map(named) : named(linkage);
}

function namedId(id: DocumentId, idAt: IdAt): DocumentId {
  const at = localIdOf(id);
  return at === null ? id : idAt(at);
}
