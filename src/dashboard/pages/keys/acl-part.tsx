/** What a permission requires of users: a token, a place on a list, and rights on documents. */
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { Icon } from '../../parts/icons.tsx';
import { SelectField } from '../../parts/select.tsx';
import { Choose } from '../document/related/choose.tsx';
import { keyOfLink, nameOf, useNames } from '../document/related/names.ts';
import { aclOf, identitiesOf, isActive, withMembers, type Acl, type Permission } from './permissions.ts';

const IDENTITIES = [
  ['core.user', 'User'],
  ['core.user-group', 'Group'],
  ['core.external-user', 'External user'],
] as const;

interface AclPartProps {
  readonly permission: Permission;
  readonly fault: string | undefined;
  readonly onChange: (permission: Permission) => void;
}

export function AclPart({ permission, fault, onChange }: AclPartProps) {
  const acl = aclOf(permission);
  const isOn = isActive(permission);
  const change = (members: Acl) => {
    onChange(withMembers(permission, { acl: withMembers(acl, members) }));
  };
  return (
    <div class="acl-part">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget: { checked } }) => {
            const others = Object.keys(acl).some((name) => name !== 'active');
            if (checked || others) change({ active: checked });
            else onChange(withMembers(permission, { acl: undefined }));
          }}
        />
        For users: a token is needed, and their rights on documents count
      </label>
      {fault !== undefined && <p class="field-error">{fault}</p>}
      {isOn && (
        <div class="acl-lists">
          <IdentityList
            label="Who may use it"
            list="endpoint-access-list"
            acl={acl}
            byDefault="black"
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
            byDefault="white"
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

interface IdentityListProps {
  readonly label: string;
  readonly list: 'endpoint-access-list' | 'document-access-list';
  readonly acl: Acl;
  readonly byDefault: 'black' | 'white';
  readonly options: readonly (readonly ['black' | 'white', string])[];
  readonly onChange: (members: Acl) => void;
}

function IdentityList({ label, list, acl, byDefault, options, onChange }: IdentityListProps) {
  const [isChoosing, setChoosing] = useState(false);
  const flavor = acl[`${list}-flavor`];
  const identities = identitiesOf(acl, list);
  const { found } = useNames(identities);
  const set = (next: readonly Link[]) => {
    onChange({ [list]: next.map(({ type, id }) => ({ type, id })) });
  };
  return (
    <div class="identity-list">
      <SelectField
        label={label}
        value={flavor === 'black' || flavor === 'white' ? flavor : byDefault}
        options={options}
        onValue={(value) => {
          onChange({ [`${list}-flavor`]: value });
        }}
      />
      <ul class="members">
        {identities.map((identity) => {
          const document = found.get(keyOfLink(identity));
          const name = (document && nameOf(document)) ?? identity.id;
          return (
            <li key={keyOfLink(identity)}>
              <span>{name}</span>
              {identity.type !== 'core.user' && (
                <span class="soft">{identity.type === 'core.user-group' ? 'group' : 'external'}</span>
              )}
              <button
                class="bare"
                type="button"
                aria-label={`Remove ${name} from: ${label.toLowerCase()}`}
                onClick={() => {
                  set(identities.filter((each) => each !== identity));
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ul>
      <button
        class="link"
        type="button"
        aria-label={`Add a user or group to: ${label.toLowerCase()}`}
        onClick={() => {
          setChoosing(true);
        }}
      >
        Add a user or group
      </button>
      {isChoosing && (
        <Choose
          title={label}
          type="core.user"
          types={IDENTITIES}
          onClose={() => {
            setChoosing(false);
          }}
          onChoose={({ type, id }) => {
            setChoosing(false);
            set([...identities.filter((each) => each.id !== id), { type, id }]);
          }}
        />
      )}
    </div>
  );
}
