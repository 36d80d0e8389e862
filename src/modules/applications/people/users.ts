/** The users of an application, and what it has stored, for the operator. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { mergeOf } from '../../../collection/rpc/writes/operations.ts';
import { ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { listDocuments } from '../../documents/handlers.ts';
import { deleteMany } from '../../documents/write/many.ts';
import { within } from '../transfer/inside.ts';

export const listInside = within(listDocuments);
export const deleteManyInside = within(deleteMany);

/** Any change of a user ends their tokens, at once and everywhere (decisions, section 4): this one changes nothing else. */
export const endTokens = within(async (inside) => {
  const { type, user } = inside.parameters;
  const nothing = mergeOf({ attributes: {}, relationships: {} }, null);
  const changed = await collectionOf(inside, type).update(user, nothing, { ...TRUSTED, ifMatch: null });
  return changed.ok ? ok({ status: 204 }) : changed;
});
