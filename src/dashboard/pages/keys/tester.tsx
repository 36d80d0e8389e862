/** Asks the service whether these permissions would admit a request, which of them does, or why none does. */
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { useFields } from '../../parts/fields/form.tsx';
import { AddMember } from '../../parts/fields/members.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/run.ts';
import { PERSONS } from '../users/people.ts';
import { decide, Verdict, type Decision } from './decision.tsx';
import type { Permission } from './permissions.ts';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

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
