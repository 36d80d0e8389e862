/**
 * Permissions as rows in their order, of which the first that admits a request decides: each with its path and methods,
 * what it requires of users, and its rules.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { Button, ListTools } from '../../parts/button.tsx';
import { Check, Checks, SelectField, TextField } from '../../parts/form.tsx';
import { isItems, isMembers, parsed, stringIn, withMember, type Fault } from '../../parts/json.ts';
import { AddMember, MemberList } from '../../parts/members.tsx';
import { keyOfLink, nameOf, useNames } from '../../parts/names.tsx';
import { FILE } from '../../session/files.ts';
import { useLoad } from '../../session/load.ts';
import { readTypes } from '../../session/types.ts';
import {
  aclOf,
  examplesOf,
  identitiesOf,
  isActive,
  METHODS,
  methodsOf,
  type Acl,
  type Permission,
} from './permissions.ts';
import { EVERY, patternOf, sentenceOf, typesIn } from './words.ts';

interface PermissionRowsProps {
  readonly permissions: readonly Permission[];
  /** What the service has refused of them. */
  readonly faults: readonly Fault[];
  readonly onChange: (permissions: readonly Permission[]) => void;
}

const NEW: Permission = { path: '/resources/', methods: ['get'] };

export function PermissionRows({ permissions, faults, onChange }: PermissionRowsProps) {
  const { value: types = [] } = useLoad((signal) => readTypes(signal).catch(() => []), []);
  const names = types.map(({ name }) => name);
  return (
    <>
      {permissions.length === 0 && <p class="soft">No permissions yet.</p>}
      <ol class="stack">
        {permissions.map((permission, at) => {
          const number = at + 1;
          return (
            <li key={at} class="card stack" aria-label={`Permission ${number}`}>
              <PermissionRow
                number={number}
                permission={permission}
                types={names}
                faults={faultsAt(faults, at)}
                onChange={(next) => {
                  onChange(permissions.with(at, next));
                }}
                tools={
                  <ListTools what={`permission ${number}`} items={permissions} at={at} onItems={onChange} />
                }
              />
            </li>
          );
        })}
      </ol>
      <Button
        icon="add"
        onClick={() => {
          onChange([...permissions, NEW]);
        }}
      >
        Add a permission
      </Button>
    </>
  );
}

/** What was refused of the permission at a place, by the member that it is about. */
function faultsAt(faults: readonly Fault[], at: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    faults.flatMap(({ pointer, message }) => {
      const [, index, member] = pointer.split('/');
      return index === String(at) && member !== undefined ? [[member, message] as const] : [];
    }),
  );
}

/** What the parts of a row are given. */
interface PartProps {
  readonly permission: Permission;
  /** What was refused, by member. */
  readonly faults: Readonly<Record<string, string>>;
  readonly onChange: (permission: Permission) => void;
}

interface PermissionRowProps extends PartProps {
  readonly number: number;
  /** Those of the application. */
  readonly types: readonly string[];
  readonly tools: ComponentChildren;
}

function PermissionRow({ number, types, tools, ...part }: PermissionRowProps) {
  const { permission, faults, onChange } = part;
  const path = stringIn(permission['path']);
  const chosen = typesIn(path);
  // What ticks cannot say is shown; and it stays open once it was typed.
  const [isOpen] = useState(chosen === undefined);
  const setPath = (next: string) => {
    onChange(withMember(permission, 'path', next));
  };
  return (
    <>
      <div class="row spread">
        <p>
          <span class="ordinal" aria-hidden="true">
            {number}
          </span>{' '}
          {sentenceOf(permission)}
        </p>
        {tools}
      </div>
      <TypeTicks types={types} chosen={chosen} onPath={setPath} />
      <details open={isOpen}>
        <summary>Pattern {chosen !== undefined && <code class="soft">{path}</code>}</summary>
        <TextField
          label="Path"
          class="mono"
          suggestions={examplesOf(types)}
          error={faults['path']}
          value={path}
          onText={setPath}
        />
      </details>
      <Checks
        legend={<span class="visually-hidden">Methods</span>}
        options={METHODS}
        chosen={methodsOf(permission)}
        onChosen={(methods) => {
          onChange(withMember<Json>(permission, 'methods', methods));
        }}
      />
      {faults['methods'] !== undefined && <p class="field-error">{faults['methods']}</p>}
      <AclPart {...part} />
      <RulesPart {...part} />
    </>
  );
}

/** Types that have ticks; others are written as a pattern. */
const TICKS = 24;

interface TypeTicksProps {
  readonly types: readonly string[];
  /** Undefined for a pattern that ticks cannot say. */
  readonly chosen: readonly string[] | undefined;
  readonly onPath: (path: string) => void;
}

function TypeTicks({ types, chosen, onPath }: TypeTicksProps) {
  const usual = types.filter((name) => !name.startsWith('core.')).slice(0, TICKS);
  const options = [...new Set([EVERY, ...usual, FILE, ...(chosen ?? [])])];
  return (
    <Checks
      legend="Types"
      options={options}
      words={(option) => (option === EVERY ? 'Every type' : option)}
      chosen={chosen ?? []}
      onChosen={(next) => {
        const isAll = next.includes(EVERY) && chosen?.includes(EVERY) !== true;
        onPath(patternOf(isAll ? [EVERY] : next.filter((each) => each !== EVERY)));
      }}
    />
  );
}

/** What a permission requires of users: a token, a place on a list, and rights on documents. */
function AclPart({ permission, faults, onChange }: PartProps) {
  const acl = aclOf(permission);
  const isOn = isActive(permission);
  const change = (name: string, value: Json) => {
    onChange(withMember<Json>(permission, 'acl', withMember(acl, name, value)));
  };
  return (
    <div class="stack">
      <Check
        checked={isOn}
        onChecked={(checked) => {
          const others = Object.keys(acl).some((name) => name !== 'active');
          if (checked || others) change('active', checked);
          else onChange(withMember(permission, 'acl', undefined));
        }}
      >
        For users: requires a login, and rights on documents count
      </Check>
      {faults['acl'] !== undefined && <p class="field-error">{faults['acl']}</p>}
      {isOn && (
        <div class="across">
          <IdentityList
            label="Who may use it"
            list="endpoint-access-list"
            acl={acl}
            options={[
              ['black', 'All users but these'],
              ['white', 'Only these'],
            ]}
            onChange={change}
          />
          <IdentityList
            label="Whose rights count"
            list="document-access-list"
            acl={acl}
            options={[
              ['white', 'Those of all users but these'],
              ['black', 'Only those of these'],
            ]}
            onChange={change}
          />
        </div>
      )}
    </div>
  );
}

type Flavor = 'black' | 'white';

interface IdentityListProps {
  readonly label: string;
  readonly list: 'endpoint-access-list' | 'document-access-list';
  readonly acl: Acl;
  /** The first holds where nothing is said. */
  readonly options: readonly [readonly [Flavor, string], readonly [Flavor, string]];
  readonly onChange: (name: string, value: Json) => void;
}

const IDENTITIES = [
  ['core.user', 'User'],
  ['core.user-group', 'Group'],
  ['core.external-user', 'External user'],
] as const;
const TAGS: Readonly<Record<string, string>> = {
  'core.user-group': 'group',
  'core.external-user': 'external',
};

function IdentityList({ label, list, acl, options, onChange }: IdentityListProps) {
  const flavor = acl[`${list}-flavor`];
  const identities = identitiesOf(acl, list);
  const { found } = useNames(identities);
  const set = (next: readonly Link[]) => {
    onChange(
      list,
      next.map(({ type, id }) => ({ type, id })),
    );
  };
  return (
    <div class="stack">
      <SelectField
        label={label}
        value={flavor === 'black' || flavor === 'white' ? flavor : options[0][0]}
        options={options}
        onValue={(value) => {
          onChange(`${list}-flavor`, value);
        }}
      />
      <MemberList
        members={identities.map((link) => ({
          link,
          name: nameOf(found.get(keyOfLink(link)) ?? {}) ?? link.id,
          tag: TAGS[link.type],
        }))}
        removing={(name) => `Remove ${name} from: ${label.toLowerCase()}`}
        onRemove={({ link }) => {
          set(identities.filter(({ id }) => id !== link.id));
        }}
      />
      <AddMember
        look="link"
        words="Add a user or group"
        label={`Add a user or group to: ${label.toLowerCase()}`}
        title={label}
        types={IDENTITIES}
        onAdd={(link) => {
          set([...identities.filter(({ id }) => id !== link.id), link]);
        }}
      />
    </div>
  );
}

/** The rules of a permission: which documents and fields it is about. They stay closed where there are none. */
function RulesPart({ permission, faults, onChange }: PartProps) {
  const { where, check, fields } = permission;
  const rules = [where, check, fields].filter((each) => each !== undefined).length;
  const [isOpen] = useState(rules > 0);
  const bounds = isMembers(fields) ? fields : {};
  const bound = (name: 'read' | 'write') => (names: Json | undefined) => {
    const next = withMember(bounds, name, names);
    onChange(withMember<Json>(permission, 'fields', Object.keys(next).length === 0 ? undefined : next));
  };
  return (
    <details open={isOpen}>
      <summary>
        Rules <span class="soft">{rules === 0 ? 'for documents and fields' : `${rules} of 3`}</span>
      </summary>
      <div class="across">
        <RuleField
          {...FILTER}
          label="Where: which documents"
          value={where}
          fault={faults['where']}
          onValue={(value) => {
            onChange(withMember(permission, 'where', value));
          }}
        />
        <RuleField
          {...FILTER}
          label="Check: what a write must satisfy"
          value={check}
          fault={faults['check']}
          onValue={(value) => {
            onChange(withMember(permission, 'check', value));
          }}
        />
        <RuleField
          {...NAMES}
          label="Fields that are shown"
          value={bounds['read']}
          fault={faults['fields']}
          onValue={bound('read')}
        />
        <RuleField
          {...NAMES}
          label="Fields that may be written"
          value={bounds['write']}
          fault={undefined}
          onValue={bound('write')}
        />
      </div>
    </details>
  );
}

interface RuleFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: Json | undefined;
  readonly fault: string | undefined;
  /** The value as a line of text. */
  readonly shown: (value: Json) => string;
  /** Undefined for a line that says nothing. */
  readonly said: (text: string) => Json | undefined;
  readonly onValue: (value: Json | undefined) => void;
}

const FILTER = { placeholder: '{"author.id": "$$viewer.id"}', shown: JSON.stringify, said: parsed };
const NAMES = {
  placeholder: 'all fields',
  shown: (value: Json) => (isItems(value) ? value.map(String).join(', ') : ''),
  said: (text: string) =>
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
};

/** A rule as a line of text. What does not read is told, and leaves the rule as it was. */
function RuleField({ label, placeholder, value, fault, shown, said, onValue }: RuleFieldProps) {
  const [text, setText] = useState(value === undefined ? '' : shown(value));
  const isBroken = text.trim() !== '' && said(text) === undefined;
  return (
    <TextField
      label={label}
      value={text}
      placeholder={placeholder}
      error={isBroken ? 'This is not valid JSON.' : fault}
      onText={(next) => {
        setText(next);
        const read = said(next);
        if (next.trim() === '') onValue(undefined);
        else if (read !== undefined) onValue(read);
      }}
    />
  );
}
