/** Permissions as rows in their order: the first that admits a request decides. */
import { useId } from 'preact/hooks';
import type { ErrorObject } from '../../../client/errors.ts';
import { Icon } from '../../parts/icons.tsx';
import { useLoad } from '../../session/load.ts';
import { readTypes } from '../../session/types.ts';
import { examplesOf, type Permission } from './permissions.ts';
import { PermissionRow } from './row.tsx';

interface PermissionRowsProps {
  readonly permissions: readonly Permission[];
  /** What the service has refused of them. */
  readonly faults: readonly ErrorObject[];
  readonly onChange: (permissions: readonly Permission[]) => void;
}

const NEW: Permission = { path: '/resources/', methods: ['get'] };

export function PermissionRows({ permissions, faults, onChange }: PermissionRowsProps) {
  const examples = useId();
  const { value: types } = useLoad((signal) => readTypes(signal).catch(() => []), []);
  const move = (at: number, by: number) => {
    const moved = permissions[at];
    if (moved !== undefined) onChange(permissions.toSpliced(at, 1).toSpliced(at + by, 0, moved));
  };
  return (
    <>
      <datalist id={examples}>
        {examplesOf((types ?? []).map(({ name }) => name)).map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {permissions.length === 0 && <p class="soft none">The key permits nothing yet.</p>}
      <ol class="permissions">
        {permissions.map((permission, at) => (
          <PermissionRow
            key={at}
            at={at}
            permission={permission}
            examples={examples}
            isLast={at === permissions.length - 1}
            faults={faultsAt(faults, at)}
            onChange={(next) => {
              onChange(permissions.with(at, next));
            }}
            onMove={(by) => {
              move(at, by);
            }}
            onRemove={() => {
              onChange(permissions.toSpliced(at, 1));
            }}
          />
        ))}
      </ol>
      <button
        class="button"
        type="button"
        onClick={() => {
          onChange([...permissions, NEW]);
        }}
      >
        <Icon name="add" /> Add a permission
      </button>
    </>
  );
}

/** What was refused of the permission at a place, by the member that it is about. */
function faultsAt(faults: readonly ErrorObject[], at: number): Readonly<Record<string, string>> {
  const before = `/data/attributes/permissions/${at}/`;
  const found = faults.flatMap(({ source, detail, title }) => {
    if (source?.pointer?.startsWith(before) !== true) return [];
    const [member = ''] = source.pointer.slice(before.length).split('/');
    return [[member, detail ?? title] as const];
  });
  return Object.fromEntries(found);
}
