/** One permission: path, methods, what it requires of users, and its rules. */
import { Field } from '../../parts/field.tsx';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { AclPart } from './acl-part.tsx';
import { METHODS, methodsOf, withMembers, type Permission } from './permissions.ts';
import { RulesPart } from './rules-part.tsx';

interface PermissionRowProps {
  readonly at: number;
  readonly permission: Permission;
  /** The id of the list of examples. */
  readonly examples: string;
  readonly isLast: boolean;
  /** What was refused, by member. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (permission: Permission) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

export function PermissionRow({
  at,
  permission,
  examples,
  isLast,
  faults,
  onChange,
  onMove,
  onRemove,
}: PermissionRowProps) {
  const { path } = permission;
  const methods = methodsOf(permission);
  const number = at + 1;
  return (
    <li class="permission" aria-label={`Permission ${number}`}>
      <div class="permission-head">
        <span class="ordinal" aria-hidden="true">
          {number}
        </span>
        <Field
          label="Path"
          {...(faults['path'] !== undefined && { error: faults['path'] })}
          control={(ties) => (
            <input
              {...ties}
              type="text"
              class="mono"
              list={examples}
              autocomplete="off"
              spellcheck={false}
              value={typeof path === 'string' ? path : ''}
              onInput={({ currentTarget }) => {
                onChange(withMembers(permission, { path: currentTarget.value }));
              }}
            />
          )}
        />
        <span class="row-tools">
          <Tool
            icon="up"
            label={`Move permission ${number} up`}
            isOff={at === 0}
            onClick={() => {
              onMove(-1);
            }}
          />
          <Tool
            icon="down"
            label={`Move permission ${number} down`}
            isOff={isLast}
            onClick={() => {
              onMove(1);
            }}
          />
          <Tool icon="trash" label={`Remove permission ${number}`} onClick={onRemove} />
        </span>
      </div>
      <fieldset class="methods">
        <legend class="visually-hidden">Methods</legend>
        {METHODS.map((method) => (
          <label class="check" key={method}>
            <input
              type="checkbox"
              checked={methods.includes(method)}
              onChange={({ currentTarget: { checked } }) => {
                const next = METHODS.filter((each) => (each === method ? checked : methods.includes(each)));
                onChange(withMembers(permission, { methods: next }));
              }}
            />
            {method}
          </label>
        ))}
      </fieldset>
      {faults['methods'] !== undefined && <p class="field-error">{faults['methods']}</p>}
      <AclPart permission={permission} fault={faults['acl']} onChange={onChange} />
      <RulesPart permission={permission} faults={faults} onChange={onChange} />
    </li>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
}

function Tool({ icon, label, isOff = false, onClick }: ToolProps) {
  return (
    <button class="bare" type="button" aria-label={label} title={label} disabled={isOff} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
