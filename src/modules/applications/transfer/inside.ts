/** The operator's requests about what is inside of an application. */
import { collectionOf } from '../../../collection/rpc/client.ts';
import { fail, ok, type Outcome } from '../../../domain/problems.ts';
import { TRUSTED } from '../../../domain/rules.ts';
import { CORE } from '../../../domain/types.ts';
import type { Handler, RequestContext } from '../../endpoint.ts';
import { applicationId } from '../../../domain/ids.ts';

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
