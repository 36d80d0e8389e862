/** `GET …/types` of an application: the types that it has stored, and how much of each. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import type { CallContext } from '../../../collection/rpc/call-context.ts';
import { ok, fail, type Outcome } from '../../../domain/problems.ts';
import { CORE, type TypeName } from '../../../domain/types.ts';
import { isExported } from '../../../domain/types/facts.ts';
import { typesOf } from '../../../collection/rpc/maintenance/applications.ts';
import { inTurns } from '../../in-turns.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import type { Handler, RequestContext } from '../../endpoint.ts';
import { applicationId } from '../../../domain/ids.ts';

export const readTypes = within(async (inside) => {
  const types = await inTurns(await typesInOrder(inside), async (name) => {
    const { documents, bytes } = await collectionOf(inside, name).calls.holding();
    return { name, documents, bytes, exported: isExported(name) };
  });
  return ok({ status: 200, document: { meta: { types } } });
});

/** The types of an application in the order of an export. The caller is one inside of it. */
export async function typesInOrder(caller: CallContext): Promise<readonly TypeName[]> {
  const names = new Set<TypeName>([CORE.apiKey, ...(await typesOf(caller))]);
  return [...names].sort((one, other) => rankOf(one) - rankOf(other) || (one < other ? -1 : 1));
}

/**
 * The order of an export. What governs others comes first; what is linked to most comes late: then its moment is
 * after that of the links. And keys come last, so that an import lets nobody in before all is there.
 */
const FIRST: readonly string[] = [CORE.typeSettings, CORE.schema];
const LAST: readonly string[] = [
  CORE.webhook,
  CORE.userGroup,
  CORE.externalUser,
  CORE.user,
  CORE.aggregate,
  CORE.apiKey,
];

function rankOf(type: string): number {
  const first = FIRST.indexOf(type);
  return first === -1 ? FIRST.length + LAST.indexOf(type) + 1 : first;
}

/** The exchange as one of the addressed application, if there is one. */
export async function applicationInside(context: RequestContext): Promise<Outcome<RequestContext>> {
  const { id } = context.parameters;
  const read = await collectionOf(context, CORE.application).read(id, TRUSTED);
  return read.state === 'found'
    ? ok({ ...context, application: applicationId(id) })
    : fail('document-not-found', `There is no application ${id}.`);
}

/** What a handler inside of the application would, for the operator. */
export function within(handler: Handler): Handler {
  return async (context) => {
    const inside = await applicationInside(context);
    return inside.ok ? handler(inside.value) : inside;
  };
}
