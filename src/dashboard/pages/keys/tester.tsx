/** Asks the service whether it would admit a request, by which permission, or why not: with the permissions as they stand here. */
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Problems } from '../../parts/problems.tsx';
import { SelectField } from '../../parts/select.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { Choose } from '../document/related/choose.tsx';
import { readDecision, type Decision } from './keys.ts';
import type { Permission } from './permissions.ts';
import { Verdict } from './verdict.tsx';

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

interface TesterProps {
  readonly id: string;
  readonly permissions: readonly Permission[];
  readonly isDraft: boolean;
}

export function Tester({ id, permissions, isDraft }: TesterProps) {
  const [method, setMethod] = useState<(typeof METHODS)[number]>('GET');
  const [path, setPath] = useState('/resources/');
  const [user, setUser] = useState<{ readonly link: Link; readonly name: string }>();
  const [isChoosing, setChoosing] = useState(false);
  const [told, setTold] = useState<{ readonly decision: Decision; readonly asked: string }>();
  const asked = JSON.stringify([method, path, user?.link, permissions]);
  const { error, isBusy, submit } = useSubmit(async () => {
    setTold(undefined);
    const question = { method, path: path.trim(), user: user?.link ?? null };
    setTold({ decision: await readDecision(id, question, permissions), asked });
  });
  return (
    <form class="card tester" aria-label="Would it be admitted?" onSubmit={submit}>
      <h2>Would it be admitted?</h2>
      <p class="hint">
        The service answers, by the code that decides. Nothing is sent to the path
        {isDraft ? ', and your changes count as if they were saved.' : '.'}
      </p>
      <div class="request">
        <SelectField
          label="Method"
          value={method}
          options={METHODS.map((each) => [each, each] as const)}
          onValue={setMethod}
        />
        <TextField
          label="Path"
          required
          value={path}
          onText={setPath}
          placeholder="/resources/movies/6b011e2f6aeea231a557b680"
        />
      </div>
      <div class="as-whom">
        <span>
          {user === undefined ? (
            <span class="soft">Without a user token</span>
          ) : (
            <>
              As <strong>{user.name}</strong>
            </>
          )}
        </span>
        <button
          class="link"
          type="button"
          onClick={() => {
            setChoosing(true);
          }}
        >
          {user === undefined ? 'As a user…' : 'As another…'}
        </button>
        {user !== undefined && (
          <button
            class="bare"
            type="button"
            aria-label="Without a user token"
            onClick={() => {
              setUser(undefined);
            }}
          >
            <Icon name="close" />
          </button>
        )}
      </div>
      <button class="button primary" type="submit" disabled={isBusy}>
        Ask
      </button>
      <Problems error={error} />
      <div role="status">
        {told !== undefined && (
          <Verdict decision={told.decision} permissions={permissions} isStale={told.asked !== asked} />
        )}
      </div>
      {isChoosing && (
        <Choose
          title="As which user?"
          type="core.user"
          types={[
            ['core.user', 'User'],
            ['core.external-user', 'External user'],
          ]}
          onClose={() => {
            setChoosing(false);
          }}
          onChoose={(link, name) => {
            setChoosing(false);
            setUser({ link, name });
          }}
        />
      )}
    </form>
  );
}
