/** The rules of a permission: which documents and fields it is about, each as a line of text. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { Field } from '../../parts/fields/form.tsx';
import { isItems, isMembers, withMember } from '../../parts/fields/json.ts';
import { FILTER, SaidLine, type SaidLineProps } from '../document/known.tsx';
import type { Permission } from './permissions.ts';

/** What the parts of a row are given. */
export interface PartProps {
  readonly permission: Permission;
  /** What was refused, by member. */
  readonly faults: Readonly<Record<string, string>>;
  /** Writes a member of the permission. */
  readonly set: (name: string) => (value: Json | undefined) => void;
}

const NAMES = {
  placeholder: 'all fields',
  shown: (value: Json) => (isItems(value) ? value.map(String).join(', ') : ''),
  said: (text: string) => ({
    value: text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  }),
};

/** The rules of a permission by the members that hold them. */
const RULES = [
  { ...FILTER, at: ['where'], label: 'Where: which documents' },
  { ...FILTER, at: ['check'], label: 'Check: what a write must satisfy' },
  { ...NAMES, at: ['fields', 'read'], label: 'Fields that are shown' },
  { ...NAMES, at: ['fields', 'write'], label: 'Fields that may be written' },
] as const;

/** Where a rule is: the member that it is, or a member of that. */
type At = readonly [member: string, inside?: string];

function ruleAt(permission: Permission, [name, inside]: At): Json | undefined {
  const rule = permission[name];
  if (inside === undefined) return rule;
  return isMembers(rule) ? rule[inside] : undefined;
}

/** The member that holds a rule, with another one. A rule that says nothing is left out. */
function memberWith(permission: Permission, [name, inside]: At, value: Json | undefined): Json | undefined {
  if (inside === undefined) return value;
  const rule = permission[name];
  const next = withMember(isMembers(rule) ? rule : {}, inside, value);
  return Object.keys(next).length === 0 ? undefined : next;
}

/** The rules of a permission: which documents and fields it is about. They stay closed where there are none. */
export function RulesPart({ permission, faults, set }: PartProps) {
  const { where, check, fields } = permission;
  const rules = [where, check, fields].filter((each) => each !== undefined).length;
  const [isOpen] = useState(rules > 0);
  return (
    <details open={isOpen}>
      <summary>
        Rules <span class="soft">{rules === 0 ? 'for documents and fields' : `${rules} of 3`}</span>
      </summary>
      <div class="across">
        {RULES.map(({ at, ...rule }) => (
          <RuleField
            {...rule}
            key={rule.label}
            value={ruleAt(permission, at)}
            fault={at[1] === 'write' ? undefined : faults[at[0]]}
            onValue={(value) => set(at[0])(memberWith(permission, at, value))}
          />
        ))}
      </div>
    </details>
  );
}

interface RuleFieldProps extends Omit<SaidLineProps, 'ties'> {
  readonly label: string;
  readonly fault: string | undefined;
}

function RuleField({ label, fault, ...line }: RuleFieldProps) {
  return <Field label={label} error={fault} control={(ties) => <SaidLine {...line} ties={ties} />} />;
}
