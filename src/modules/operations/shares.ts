/**
 * A list of several types, as the collections take it: a share for each type, in the order in which they are asked. Whatever
 * a share names by a local id has an id before, because documents of other types may link to it.
 */
import { collectionOf, transact, transactedBefore } from '../../collection/rpc/client.ts';
import {
  type Once,
  localIdOf,
  type Actor,
  type Attempt,
  type Failure,
  type Operation,
} from '../../collection/rpc/writes/operations.ts';
import { byType, type Share } from '../../collection/rpc/writes/transactions.ts';
import { linksOf, type Content, type Document } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import type { TypeName } from '../../domain/types.ts';
import type { RequestContext } from '../endpoint.ts';
import { namedOperation } from './locals.ts';
import type { OperationList } from './read-list.ts';

/** What was done in the order of the list, or why nothing was. */
type Written =
  | { readonly ok: true; readonly done: readonly Attempt<Document>[] }
  | { readonly ok: false; readonly failure: Failure };

/** Performs the operations of a list of several types, all or none. */
export async function writeShares(
  context: RequestContext,
  list: OperationList,
  operations: readonly Operation<Content>[],
  actors: readonly Actor[],
  once: Once | null,
): Promise<Outcome<Written>> {
  const named = await withIds(context, list, operations);
  if (!named.ok) return named;
  const shares = sharesOf(list, named.value, actors);
  const written = await transact(context, shares, once);
  if (written.ok) return ok({ ok: true, done: inOrder(list, written.done) });
  const { share, failure } = written;
  const at = failure.at === null ? null : (shares[share]?.list.operations[failure.at]?.place ?? null);
  return ok({ ok: false, failure: { ...failure, at } });
}

/** What the same list came to before; null if it was not done. */
export async function sharesBefore(
  context: RequestContext,
  list: OperationList,
  actorOf: (at: number) => Actor | undefined,
  once: Once,
): Promise<Outcome<readonly Attempt<Document>[] | null>> {
  const types = typesInOrder(list);
  const rules = types.map((type) => {
    const places = placesOf(list, type);
    return (at: number) => actorOf(places[at] ?? 0)?.rule ?? null;
  });
  const before = await transactedBefore(context, types, rules, once);
  return before.ok ? ok(before.value && inOrder(list, before.value)) : before;
}

function sharesOf(
  list: OperationList,
  operations: readonly Operation<Content>[],
  actors: readonly Actor[],
): readonly Share<Content>[] {
  return typesInOrder(list)
    .map((type) => ({
      type,
      list: {
        actors,
        transaction: list.transaction,
        operations: placesOf(list, type).flatMap((place) => {
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
  for (const [share, type] of typesInOrder(list).entries()) {
    for (const [at, place] of placesOf(list, type).entries()) {
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

function typesInOrder({ types }: OperationList): readonly TypeName[] {
  return byType(types.map((type) => ({ type }))).map(({ type }) => type);
}

function placesOf({ operations }: OperationList, type: TypeName): readonly number[] {
  return operations.flatMap((operation, place) => (operation.type === type ? place : []));
}
