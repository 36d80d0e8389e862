/**
 * Permissions as rows in their order, of which the first that admits a request decides: each with its path and methods,
 * what it requires of users, and its rules.
 */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { Button } from '../../parts/button.tsx';
import { Check, Checks, Field, SelectField, TextField } from '../../parts/fields/form.tsx';
import { isItems, isMembers, stringIn, withMember, type Fault } from '../../parts/fields/json.ts';
import { AddMember, MemberList } from '../../parts/fields/members.tsx';
import { keyOfLink, nameOf, useNames } from '../../parts/fields/names.tsx';
import { useRows } from '../../parts/list.tsx';
import { FILE } from '../../session/files.ts';
import { useTypes } from '../../session/types.ts';
import { FILTER, SaidLine, type SaidLineProps } from '../document/known.tsx';
import { IDENTITIES, TAGS } from '../users/people.ts';
import {
  aclOf,
  EVERY,
  examplesOf,
  identitiesOf,
  isActive,
  METHODS,
  methodsOf,
  patternOf,
  sentenceOf,
  typesIn,
  type Acl,
  type Permission,
} from './permissions.ts';

interface PermissionRowsProps {
  readonly permissions: readonly Permission[];
  /** What the service has refused of them. */
  readonly faults: readonly Fault[];
  readonly onChange: (permissions: readonly Permission[]) => void;
}

const NEW: Permission = { path: '/resources/', methods: ['get'] };

export function PermissionRows({ permissions, faults, onChange }: PermissionRowsProps) {
  const names = (useTypes() ?? []).map(({ name }) => name);
  const { rows, add } = useRows(permissions, onChange);
  return (
    <>
      {permissions.length === 0 && <p class="soft">No permissions yet.</p>}
      <ol class="stack">
        {rows.map(({ item: permission, key, put, tools }, at) => (
          <li key={key} class="card stack" aria-label={`Permission ${at + 1}`}>
            <PermissionRow
              number={at + 1}
              permission={permission}
              types={names}
              faults={faultsAt(faults, at)}
              set={(name) => (value) => put(withMember(permission, name, value))}
              tools={tools(`permission ${at + 1}`)}
            />
          </li>
        ))}
      </ol>
      <Button icon="add" onClick={() => add(NEW)}>
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

interface PermissionRowProps extends PartProps {
  readonly number: number;
  /** Those of the application. */
  readonly types: readonly string[];
  readonly tools: ComponentChildren;
}

/** Types that have ticks; others are written as a pattern. */
const TICKS = 24;

function PermissionRow({ number, types, tools, ...part }: PermissionRowProps) {
  const { permission, faults, set } = part;
  const path = stringIn(permission['path']);
  const chosen = typesIn(path);
  const usual = types.filter((name) => !name.startsWith('core.')).slice(0, TICKS);
  // What ticks cannot say is shown; and it stays open once it was typed.
  const [isOpen] = useState(chosen === undefined);
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
      <Checks
        legend="Types"
        options={[...new Set([EVERY, ...usual, FILE, ...(chosen ?? [])])]}
        words={(option) => (option === EVERY ? 'Every type' : option)}
        chosen={chosen ?? []}
        onChosen={(next) => {
          const isAll = next.includes(EVERY) && chosen?.includes(EVERY) !== true;
          set('path')(patternOf(isAll ? [EVERY] : next.filter((each) => each !== EVERY)));
        }}
      />
      <details open={isOpen}>
        <summary>Pattern {chosen !== undefined && <code class="soft">{path}</code>}</summary>
        <TextField
          label="Path"
          class="mono"
          suggestions={examplesOf(types)}
          error={faults['path']}
          value={path}
          onText={set('path')}
        />
      </details>
      <Checks
        legend={<span class="visually-hidden">Methods</span>}
        options={METHODS}
        chosen={methodsOf(permission)}
        onChosen={set('methods')}
      />
      {faults['methods'] !== undefined && <p class="field-error">{faults['methods']}</p>}
      <AclPart {...part} />
      <RulesPart {...part} />
    </>
  );
}

/** The lists of an ACL, and what they say of whom they name; the first holds where nothing is said. */
const LISTS = [
  {
    list: 'endpoint-access-list',
    label: 'Who may use it',
    flavors: [
      ['black', 'All users but these'],
      ['white', 'Only these'],
    ],
  },
  {
    list: 'document-access-list',
    label: 'Whose rights count',
    flavors: [
      ['white', 'Those of all users but these'],
      ['black', 'Only those of these'],
    ],
  },
] as const;

/** What a permission requires of users: a token, a place on a list, and rights on documents. */
function AclPart({ permission, faults, set }: PartProps) {
  const acl = aclOf(permission);
  const isOn = isActive(permission);
  const change = (name: string) => (value: Json) => set('acl')(withMember(acl, name, value));
  return (
    <div class="stack">
      <Check
        checked={isOn}
        onChecked={(checked) => {
          const others = Object.keys(acl).some((name) => name !== 'active');
          if (checked || others) change('active')(checked);
          else set('acl')(undefined);
        }}
      >
        For users: requires a login, and rights on documents count
      </Check>
      {faults['acl'] !== undefined && <p class="field-error">{faults['acl']}</p>}
      {isOn && (
        <div class="across">
          {LISTS.map((list) => (
            <IdentityList key={list.list} {...list} acl={acl} set={change} />
          ))}
        </div>
      )}
    </div>
  );
}

type IdentityListProps = (typeof LISTS)[number] & {
  readonly acl: Acl;
  readonly set: (name: string) => (value: Json) => void;
};

function IdentityList({ label, list, flavors, acl, set }: IdentityListProps) {
  const flavor = acl[`${list}-flavor`];
  const identities = identitiesOf(acl, list);
  const names = useNames(identities);
  const without = (link: Link) =>
    identities.filter(({ id }) => id !== link.id).map(({ type, id }) => ({ type, id }));
  return (
    <div class="stack">
      <SelectField
        label={label}
        value={flavor === 'black' || flavor === 'white' ? flavor : flavors[0][0]}
        options={flavors}
        onValue={set(`${list}-flavor`)}
      />
      <MemberList
        members={identities.map((link) => ({
          link,
          name: nameOf(names.get(keyOfLink(link)) ?? {}) ?? link.id,
          tag: TAGS[link.type],
        }))}
        removing={(name) => `Remove ${name} from: ${label.toLowerCase()}`}
        onRemove={({ link }) => set(list)(without(link))}
      />
      <AddMember
        look="link"
        words="Add a user or group"
        label={`Add a user or group to: ${label.toLowerCase()}`}
        title={label}
        types={IDENTITIES}
        onAdd={(link) => set(list)([...without(link), { ...link }])}
      />
    </div>
  );
}

/** What the parts of a row are given. */
interface PartProps {
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
function RulesPart({ permission, faults, set }: PartProps) {
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
