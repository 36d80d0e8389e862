/** The body that begins an account action without a mail. */
import { CORE } from '../../../domain/types.ts';
import { fail, failed, ok, type Outcome } from '../../../domain/problems.ts';
import { memberAt } from '../../../domain/values/json.ts';
import type { Fields } from '../../../domain/values/values.ts';
import { faultAt, faultOfLinks } from '../../documents/attributes.ts';
import { readDocument } from '../../documents/body/read-body.ts';
import type { RequestContext } from '../../endpoint.ts';

/** The attributes of the body, which has those of these names beside its kind, and nothing else. */
export function readBegun(
  { body }: RequestContext,
  kind: string,
  names: readonly string[] = [],
): Outcome<Fields> {
  const submitted = readDocument(body, CORE.accountAction, null);
  if (!submitted.ok) return submitted;
  const { content, id, problems } = submitted.value;
  const has = ['its kind', ...names].join(' and ');
  const faults = [
    ...problems,
    ...(id === null
      ? []
      : fail('client-id', 'The service makes the ids of actions.', { pointer: '/data/id' }).problems),
    ...Object.keys(content.attributes)
      .filter((name) => name !== 'kind' && !names.includes(name))
      .map((name) => faultAt(`/${name}`, `A ${kind} has ${has} alone.`)),
    ...Object.keys(content.relationships).map((name) =>
      faultOfLinks(name, 'An account action has no relationships.'),
    ),
  ];
  return faults.length > 0 ? failed(...faults) : ok(content.attributes);
}

/** The kind that a body asks for; what it is, is not looked at. */
export function kindIn(body: RequestContext['body']): unknown {
  return memberAt(body, 'data', 'attributes', 'kind');
}
