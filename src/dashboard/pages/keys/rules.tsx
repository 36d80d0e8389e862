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

/** The rules of a permission by the members that hold them, and those in its member `fields`. */
const RULES = [
  { ...FILTER, name: 'where', label: 'Where: which documents' },
  { ...FILTER, name: 'check', label: 'Check: what a write must satisfy' },
] as const;
const OF_FIELDS = [
  { ...NAMES, name: 'read', label: 'Fields that are shown' },
  { ...NAMES, name: 'write', label: 'Fields that may be written' },
] as const;

/** The rules of a permission: which documents and fields it is about. They stay closed where there are none. */
export function RulesPart({ permission, faults, set }: PartProps) {
  const { where, check, fields } = permission;
  const rules = [where, check, fields].filter((each) => each !== undefined).length;
  const [isOpen] = useState(rules > 0);
  const lists = isMembers(fields) ? fields : {};
  // Without a list the member says nothing.
  const setList = (name: string) => (value: Json | undefined) => {
    const next = withMember(lists, name, value);
    set('fields')(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <details open={isOpen}>
      <summary>
        Rules <span class="soft">{rules === 0 ? 'for documents and fields' : `${rules} of 3`}</span>
      </summary>
      <div class="across">
        {RULES.map(({ name, ...rule }) => (
          <RuleField {...rule} key={name} value={permission[name]} fault={faults[name]} onValue={set(name)} />
        ))}
        {OF_FIELDS.map(({ name, ...rule }) => (
          <RuleField
            {...rule}
            key={name}
            value={lists[name]}
            fault={name === 'read' ? faults['fields'] : undefined}
            onValue={setList(name)}
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
