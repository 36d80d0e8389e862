/** The rules of a permission: which documents and fields it is about. They stay closed where there are none. */
import { useState } from 'preact/hooks';
import type { Json } from '../../../client/values.ts';
import { TextField } from '../../parts/field.tsx';
import { isObject, withMembers, type Permission } from './permissions.ts';

interface RulesPartProps {
  readonly permission: Permission;
  /** What was refused, by member. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (permission: Permission) => void;
}

export function RulesPart({ permission, faults, onChange }: RulesPartProps) {
  const { where, check, fields } = permission;
  const rules = [where, check, fields].filter((each) => each !== undefined).length;
  const [isOpen] = useState(rules > 0);
  const bounds = isObject(fields) ? fields : {};
  const bound = (name: 'read' | 'write', list: readonly string[] | undefined) => {
    const next = withMembers(bounds, { [name]: list });
    onChange(withMembers(permission, { fields: Object.keys(next).length === 0 ? undefined : next }));
  };
  return (
    <details class="rules-part" open={isOpen}>
      <summary>
        Rules <span class="soft">{rules === 0 ? 'about every document and field' : `${rules} of 3`}</span>
      </summary>
      <div class="rules">
        <JsonField
          label="Where: the documents that it is about"
          value={where}
          fault={faults['where']}
          onValue={(value) => {
            onChange(withMembers(permission, { where: value }));
          }}
        />
        <JsonField
          label="Check: what a write must leave"
          value={check}
          fault={faults['check']}
          onValue={(value) => {
            onChange(withMembers(permission, { check: value }));
          }}
        />
        <NamesField
          label="Fields that are shown"
          value={bounds['read']}
          fault={faults['fields']}
          onNames={(names) => {
            bound('read', names);
          }}
        />
        <NamesField
          label="Fields that may be written"
          value={bounds['write']}
          fault={undefined}
          onNames={(names) => {
            bound('write', names);
          }}
        />
      </div>
    </details>
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly value: Json | undefined;
  readonly fault: string | undefined;
  readonly onValue: (value: Json | undefined) => void;
}

/** A filter as a line of JSON. What does not parse is told, and leaves the filter as it was. */
function JsonField({ label, value, fault, onValue }: JsonFieldProps) {
  const [text, setText] = useState(value === undefined ? '' : JSON.stringify(value));
  const [isBroken, setBroken] = useState(false);
  const error = isBroken ? 'This is no JSON yet.' : fault;
  return (
    <TextField
      label={label}
      value={text}
      placeholder='{"author.id": "$$viewer.id"}'
      {...(error !== undefined && { error })}
      onText={(next) => {
        setText(next);
        if (next.trim() === '') {
          setBroken(false);
          onValue(undefined);
          return;
        }
        try {
          onValue(JSON.parse(next) as Json);
          setBroken(false);
        } catch {
          setBroken(true);
        }
      }}
    />
  );
}

interface NamesFieldProps {
  readonly label: string;
  readonly value: Json | undefined;
  readonly fault: string | undefined;
  readonly onNames: (names: readonly string[] | undefined) => void;
}

function NamesField({ label, value, fault, onNames }: NamesFieldProps) {
  const names = Array.isArray(value) ? (value as readonly Json[]).map(String) : undefined;
  const [text, setText] = useState(names?.join(', ') ?? '');
  return (
    <TextField
      label={label}
      value={text}
      placeholder="all fields"
      {...(fault !== undefined && { error: fault })}
      onText={(next) => {
        setText(next);
        const list = next.split(',').map((name) => name.trim());
        onNames(next.trim() === '' ? undefined : list.filter((name) => name !== ''));
      }}
    />
  );
}
