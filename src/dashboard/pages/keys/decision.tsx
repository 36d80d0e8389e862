/** What a key decides about a request, as the service answers (docs/api-keys.md), and a form that asks about one. */
import { Fragment, type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ErrorObject } from '../../../client/errors.ts';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { Button, IconButton, Problems, useSubmit } from '../../parts/button.tsx';
import { useFields } from '../../parts/fields/form.tsx';
import { isMembers, printed, stringIn } from '../../parts/fields/json.ts';
import { AddMember } from '../../parts/fields/members.tsx';
import { Linked } from '../../parts/fields/names.tsx';
import { askMeta } from '../../session/service.ts';
import { PERSONS } from '../users/people.ts';
import type { Permission } from './permissions.ts';

export interface Decision {
  readonly admitted: boolean;
  readonly acl: boolean;
  readonly paths: readonly {
    readonly path: string;
    readonly permission: number | null;
    readonly passed: readonly ('method' | 'path' | 'acl' | 'token' | 'endpoint-access-list')[];
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
  return askMeta<Decision>('POST', pathOf('core.api-key', id, 'decision'), { body, signal });
}

/** What kept a permission from admitting the request. */
const PASSED = {
  method: 'another method',
  path: 'the path does not match',
  acl: 'has ACL, and these documents are for services',
  token: 'needs a user token',
  'endpoint-access-list': 'its list leaves the user out',
} as const;

interface VerdictProps {
  readonly decision: Decision;
  /** Those of the key. */
  readonly permissions: readonly Permission[];
  /** What stands beside the word. */
  readonly children?: ComponentChildren;
}

/** Whether a request goes through, and why: each permission, the rules, the rights on the document, what is shown. */
export function Verdict({ decision, permissions, children }: VerdictProps) {
  const { admitted, acl, document, paths, errors } = decision;
  const [refusal] = errors;
  const isTold = document?.granted !== null;
  const shown = isTold ? document : null;
  const isThrough = admitted && document?.granted !== false;
  const words = isThrough ? 'Admitted' : admitted ? 'Admitted, and then refused: 403' : 'Refused';
  const admitting = paths
    .map(({ permission }) => (permission === null ? undefined : permissions[permission]))
    .filter((each) => each !== undefined);
  const rules = admitting.flatMap(({ where }) => (where === undefined ? [] : [printed(where)]));
  const seen = admitting.flatMap(({ fields }) =>
    isMembers(fields) && fields['read'] !== undefined ? [printed(fields['read'])] : [],
  );
  return (
    <>
      <strong class={isThrough && isTold ? 'good' : 'bad'}>
        {words}
        {refusal && `: ${refusal.status}`}
      </strong>{' '}
      {children}
      <ul>
        {refusal && <li>{refusal.detail ?? refusal.title}</li>}
        {paths.map(({ path, permission, passed }) => (
          <Fragment key={path}>
            {paths.length > 1 && <li class="mono">{path}</li>}
            {passed.map((each, at) => (
              <li key={at} class="soft">
                permission {at + 1}: {PASSED[each]}
              </li>
            ))}
            {permission !== null && (
              <li>
                permission {permission + 1}: <code>{stringIn(permissions[permission]?.['path'])}</code>
              </li>
            )}
          </Fragment>
        ))}
        {admitted && (
          <>
            {rules.length > 0 && shown !== null && (
              <li>
                rule <code>{rules.join(' and ')}</code>: {shown.where === true ? 'met' : 'not met'}
              </li>
            )}
            {acl && shown !== null && (
              <li>
                right {shown.right}: {shown.reasons.length === 0 && 'nothing gives it'}
                {shown.reasons.length > 0 && (
                  <ul>
                    {shown.reasons.map(({ setting, through, identity }, at) => (
                      <li key={at}>
                        {setting === null ? 'its own rights' : <code>{setting}</code>}
                        {through.map(({ type, id, right: given }) => (
                          <span key={`${type} ${id}`}>
                            {' '}
                            → {given} on <Linked link={{ type, id }} />
                          </span>
                        ))}{' '}
                        → {identity === '*' ? 'every user' : <Linked link={identity} />}
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            )}
            {!isTold && <li>there is no such document now, or you may not read its rights</li>}
            {acl && document === null && <li>rights say which documents</li>}
            {!acl && <li>rights do not count</li>}
            {seen.length > 0 && (
              <li>
                fields <code>{seen.join(' and ')}</code>
              </li>
            )}
          </>
        )}
      </ul>
    </>
  );
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

interface TesterProps {
  readonly id: string;
  readonly permissions: readonly Permission[];
  readonly isDraft: boolean;
}

/** Asks the service whether these permissions would admit a request, which of them does, or why none does. */
export function Tester({ id, permissions, isDraft }: TesterProps) {
  const { values, controls } = useFields([
    { name: 'method', label: 'Method', kind: 'choice', first: 'GET', options: METHODS },
    {
      name: 'path',
      label: 'Path',
      required: true,
      first: '/resources/',
      placeholder: '/resources/movies/6b011e2f6aeea231a557b680',
    },
  ]);
  const [user, setUser] = useState<{ readonly link: Link; readonly name: string }>();
  const [decided, setDecided] = useState<{ readonly decision: Decision; readonly form: string }>();
  const form = JSON.stringify([values, user?.link, permissions]);
  const { error, isBusy, submit } = useSubmit(async () => {
    setDecided(undefined);
    const question = { ...values, path: values.path.trim(), user: user?.link ?? null };
    setDecided({ decision: await decide(id, question, permissions), form });
  });
  return (
    <form class="card stack tester wrap" aria-label="Test a request" onSubmit={submit}>
      <h2>Test a request</h2>
      <p class="hint">
        The service decides as for a real request. Nothing is sent
        {isDraft ? ', and unsaved changes count.' : '.'}
      </p>
      <div class="toolbar grow">{controls}</div>
      <div class="row">
        {user === undefined ? (
          <span class="soft">Without a user token</span>
        ) : (
          <span>
            As <strong>{user.name}</strong>
          </span>
        )}
        <AddMember
          look="link"
          words={user === undefined ? 'As a user…' : 'As another…'}
          title="As which user?"
          types={PERSONS}
          onAdd={(link, name) => setUser({ link, name })}
        />
        {user !== undefined && (
          <IconButton icon="close" label="Without a user token" onClick={() => setUser(undefined)} />
        )}
      </div>
      <Button look="primary" disabled={isBusy}>
        Ask
      </Button>
      <Problems error={error} />
      <div role="status" class="tree">
        {decided !== undefined && (
          <Verdict decision={decided.decision} permissions={permissions}>
            {decided.form !== form && <span class="hint">Changed since the last test.</span>}
          </Verdict>
        )}
      </div>
    </form>
  );
}
