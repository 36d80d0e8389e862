/** Asks the service whether these permissions would admit a request, which of them does, or why none does. */
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { useFields } from '../../parts/fields/form.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { AddMember } from '../../parts/fields/members.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/run.ts';
import { PERSONS } from '../users/people.ts';
import { decide, Reasons, type Decision } from './decision.tsx';
import { isActive, type Permission } from './permissions.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

/** What kept a permission from admitting the request. */
const PASSED = {
  method: 'another method',
  path: 'the path does not match',
  token: 'needs a user token',
  'endpoint-access-list': 'its list leaves the user out',
} as const;

interface TesterProps {
  readonly id: string;
  readonly permissions: readonly Permission[];
  readonly isDraft: boolean;
}

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
    <form class="card stack tester" aria-label="Test a request" onSubmit={submit}>
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
      <div role="status">
        {decided !== undefined && (
          <Verdict decision={decided.decision} permissions={permissions} isStale={decided.form !== form} />
        )}
      </div>
    </form>
  );
}

interface VerdictProps {
  readonly decision: Decision;
  readonly permissions: readonly Permission[];
  /** Whether the question was changed since. */
  readonly isStale: boolean;
}

/** What the service says of a request that was not sent, in sentences. */
function Verdict({ decision, permissions, isStale }: VerdictProps) {
  const { admitted, paths, errors, document } = decision;
  const isGranted = document?.granted !== false;
  const [refusal] = errors;
  return (
    <div class="stack">
      <p class={admitted && isGranted ? 'big good' : 'big bad'}>
        {admitted
          ? isGranted
            ? 'Admitted'
            : 'Admitted, and then refused: 403'
          : `Refused: ${refusal?.status ?? ''}`}
      </p>
      {isStale && <p class="hint">Changed since the last test.</p>}
      {refusal !== undefined && (
        <p>
          <strong>{refusal.title}.</strong> {refusal.detail}
        </p>
      )}
      {admitted && <p>{rightsInWords(decision, permissions)}</p>}
      <Reasons of={document?.reasons ?? []} />
      {paths.map(({ path, permission, passed }) => (
        <section key={path}>
          {paths.length > 1 && <h3 class="mono">{path}</h3>}
          <ol class="stack">
            {passed.map((each, at) => (
              <li key={at}>
                <span class="ordinal">{at + 1}</span> <span class="soft">{PASSED[each]}</span>
              </li>
            ))}
            {permission !== null && (
              <li>
                <span class="ordinal">{permission + 1}</span> <strong class="good">admits it</strong>{' '}
                <code>{stringIn(permissions[permission]?.['path'])}</code>
              </li>
            )}
          </ol>
          {permission === null && passed.length === 0 && <p class="soft">The key has no permission.</p>}
        </section>
      ))}
    </div>
  );
}

function rightsInWords({ acl, document, paths }: Decision, permissions: readonly Permission[]): string {
  if (document?.granted === true) return `The document lets it: the right ${document.right} is there.`;
  if (document?.granted === false) {
    return document.where === false
      ? 'A rule hides the document, or it was never there.'
      : `The user lacks the right ${document.right} on the document, or it was never there.`;
  }
  if (document !== null) return 'There is no such document now, or you may not read its rights.';
  if (acl) return 'Only what the user has rights to is shown.';
  const index = paths.at(-1)?.permission ?? null;
  const permission = index === null ? undefined : permissions[index];
  return permission !== undefined && isActive(permission)
    ? 'The user is exempt: rights on documents do not count.'
    : 'Rights on documents do not count: ACL is off.';
}
