/** What a key decides about a request, as the service answers (docs/api-keys.md), and what gives a right. */
import type { ErrorObject } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { Linked, useNames } from '../../parts/fields/names.tsx';
import { ask } from '../../session/service.ts';
import type { Permission } from './permissions.ts';

export interface Decision {
  readonly admitted: boolean;
  readonly acl: boolean;
  readonly paths: readonly {
    readonly path: string;
    readonly permission: number | null;
    readonly passed: readonly ('method' | 'path' | 'token' | 'endpoint-access-list')[];
  }[];
  readonly document: {
    readonly right: string;
    readonly granted: boolean | null;
    readonly where: boolean | null;
    readonly reasons: readonly Reason[];
  } | null;
  readonly errors: readonly ErrorObject[];
}

/** What gives a user the right on a document. */
interface Reason {
  readonly setting: string | null;
  readonly through: readonly (Link & { readonly right: string })[];
  readonly identity: Link | '*';
}

/** Whose request is asked about; null for one without a token. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly user: Link | null;
}

/** Asks with a draft of the permissions, where there is one. */
export async function decide(
  id: string,
  { method, path, user }: Question,
  permissions?: readonly Permission[],
  signal?: AbortSignal,
): Promise<Decision> {
  const data = permissions && { type: 'core.api-key', id, attributes: { permissions } };
  const body = { ...(data && { data }), meta: { method, path, user } };
  const answer = await ask('POST', pathOf('core.api-key', id, 'decision'), { body, signal });
  // The answer of the service's own endpoint.
  return answer.body.meta as unknown as Decision;
}

/** What gives the right: from the document, over those that it links to, to the user or a group. */
export function Reasons({ of }: { readonly of: readonly Reason[] }) {
  const names = useNames(
    of.flatMap(({ through, identity }) => [...through, ...(identity === '*' ? [] : [identity])]),
  );
  if (of.length === 0) return null;
  return (
    <ul>
      {of.map(({ setting, through, identity }, at) => (
        <li key={at}>
          {setting === null ? 'its own rights' : <code>{setting}</code>}
          {through.map(({ type, id, right }) => (
            <span key={`${type} ${id}`}>
              {' '}
              → {right} on <Linked link={{ type, id }} {...names} />
            </span>
          ))}{' '}
          → {identity === '*' ? 'every user' : <Linked link={identity} {...names} />}
        </li>
      ))}
    </ul>
  );
}
