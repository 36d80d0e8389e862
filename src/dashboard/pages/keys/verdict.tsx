/** What the service says of a request that was not sent, in sentences. */
import { textOf } from '../../parts/json.ts';
import type { Decision } from './keys.ts';
import { isActive, type Permission } from './permissions.ts';

/** What kept a permission from admitting the request. */
const PASSED = {
  method: 'another method',
  path: 'the path does not match',
  token: 'needs a user token',
  'endpoint-access-list': 'its list leaves the user out',
} as const;

interface VerdictProps {
  readonly decision: Decision;
  readonly permissions: readonly Permission[];
  /** Whether the question was changed since. */
  readonly isStale: boolean;
}

export function Verdict({ decision, permissions, isStale }: VerdictProps) {
  const { admitted, paths, errors, document } = decision;
  const isGranted = document?.granted !== false;
  const [refusal] = errors;
  return (
    <div class="verdict">
      <p class={admitted && isGranted ? 'verdict-word good' : 'verdict-word bad'}>
        {admitted
          ? isGranted
            ? 'Admitted'
            : 'Admitted, and then refused: 403'
          : `Refused: ${refusal?.status ?? ''}`}
      </p>
      {isStale && <p class="hint">The question has changed since.</p>}
      {refusal !== undefined && (
        <p>
          <strong>{refusal.title}.</strong> {refusal.detail}
        </p>
      )}
      {admitted && <p>{rightsTold(decision, permissions)}</p>}
      {paths.map(({ path, permission, passed }) => (
        <section key={path}>
          {paths.length > 1 && <h3 class="mono">{path}</h3>}
          <ol class="tried">
            {passed.map((each, at) => (
              <li key={at}>
                <span class="ordinal">{at + 1}</span> <span class="soft">{PASSED[each]}</span>
              </li>
            ))}
            {permission !== null && (
              <li>
                <span class="ordinal">{permission + 1}</span> <strong class="good">admits it</strong>{' '}
                <code>{textOf(permissions[permission]?.['path'])}</code>
              </li>
            )}
          </ol>
          {permission === null && passed.length === 0 && <p class="soft">The key has no permission.</p>}
        </section>
      ))}
    </div>
  );
}

function rightsTold({ acl, document, paths }: Decision, permissions: readonly Permission[]): string {
  if (document?.granted === true) return `The document lets it: the right ${document.right} is there.`;
  if (document?.granted === false) {
    return acl
      ? `The user lacks the right ${document.right} on the document, or a rule hides it, or it was never there.`
      : 'A rule hides the document.';
  }
  if (document !== null) return 'There is no such document now, or you may not read its rights.';
  if (acl) return 'Only what the user has rights to is shown.';
  const index = paths.at(-1)?.permission ?? null;
  const permission = index === null ? undefined : permissions[index];
  return permission !== undefined && isActive(permission)
    ? 'The user is exempt: rights on documents do not count.'
    : 'Rights on documents do not count: ACL is off.';
}
