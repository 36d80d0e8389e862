/** The users of an application, and what it has stored, for the operator. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { mergeOf } from '../../../collection/rpc/writes/operations.ts';
import { ok } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { listDocuments } from '../../documents/handlers.ts';
import { deleteMany } from '../../documents/write/many.ts';
import type { Handler } from '../../endpoint.ts';
import { applicationInside } from '../transfer/inside.ts';

/** Serves what an endpoint of the application itself would, but to the operator. */
function within(handler: Handler): Handler {
  return async (context) => {
    const inside = await applicationInside(context);
    return inside.ok ? handler(inside.value) : inside;
  };
}

export const listInside = within(listDocuments);
export const deleteManyInside = within(deleteMany);

/** Any change of a user ends their tokens, at once and everywhere (decisions, section 4): this one changes nothing else. */
export const endTokens: Handler = async (context) => {
  const inside = await applicationInside(context);
  if (!inside.ok) return inside;
  const { type, user } = context.parameters;
  const nothing = mergeOf({ attributes: {}, relationships: {} }, null);
  const changed = await collectionOf(inside.value, type).update(user, nothing, { ...TRUSTED, ifMatch: null });
  return changed.ok ? ok({ status: 204 }) : changed;
};
