/** Who may read, change or delete a document, and why: for a user, what each key, its permission, rule and rights say. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { SelectField } from '../../parts/form.tsx';
import { isMembers, printed, stringIn } from '../../parts/json.ts';
import { AddMember } from '../../parts/members.tsx';
import { Content } from '../../parts/page.tsx';
import { wayTo } from '../../route.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { decide, Reasons, type Decision } from '../keys/decision.tsx';
import { FIELDS, KEY, keyOf, type Key } from '../keys/key.tsx';

const METHODS = [
  ['GET', 'see'],
  ['PATCH', 'change'],
  ['DELETE', 'delete'],
] as const;

/** Each key is asked by a request of its own. */
const KEYS = 20;

export function Why({ link }: { readonly link: Link }) {
  const [method, setMethod] = useState<(typeof METHODS)[number][0]>('GET');
  const [who, setWho] = useState<{ readonly link: Link; readonly name: string }>();
  return (
    <section class="form-part stack" aria-label="Who may, and why">
      <h2>Who can see this, and why</h2>
      <div class="toolbar">
        <SelectField label="Can" value={method} options={METHODS} onValue={setMethod} />
        {who !== undefined && <strong>{who.name}</strong>}
        <AddMember
          words={who === undefined ? 'Choose a user' : 'Another user'}
          types={[
            ['core.user', 'User'],
            ['core.external-user', 'External user'],
          ]}
          onAdd={(user, name) => {
            setWho({ link: user, name });
          }}
        />
      </div>
      {who !== undefined && (
        <Tree key={`${method} ${who.link.id}`} link={link} method={method} user={who.link} />
      )}
    </section>
  );
}

interface TreeProps {
  readonly link: Link;
  readonly method: string;
  readonly user: Link;
}

function Tree({ link, method, user }: TreeProps) {
  const decided = useLoad(async (signal) => {
    const query = { [`fields[${KEY}]`]: FIELDS, 'page[size]': String(KEYS), sort: 'name' };
    const { documents, count = 0 } = await list(pathOf(KEY), query, signal);
    const question = { method, path: pathOf(link.type, link.id), user };
    const asking = documents.map(keyOf).map(async (of) => ({
      of,
      decision: await decide(of.id, question, undefined, signal),
    }));
    return { branches: await Promise.all(asking), count };
  }, []);
  return (
    <Content of={decided} what="decisions">
      {({ branches, count }) => (
        <>
          <ul class="tree" aria-label="What each key says">
            {branches.map((branch) => (
              <Branch key={branch.of.id} {...branch} />
            ))}
          </ul>
          {count > branches.length && <p class="hint">These are the first {branches.length} keys.</p>}
        </>
      )}
    </Content>
  );
}

interface BranchProps {
  readonly of: Key;
  readonly decision: Decision;
}

/** What one key says: whether, by which permission, and how its rule and the rights on the document decide. */
function Branch({ of: { id, name, permissions }, decision }: BranchProps) {
  const { admitted, acl, document, errors, paths } = decision;
  const at = paths[0]?.permission ?? null;
  const { path, where, fields } = (at === null ? undefined : permissions[at]) ?? {};
  const may = admitted && (document === null || document.granted);
  const told = may === null ? null : document;
  const seen = isMembers(fields) ? fields['read'] : undefined;
  return (
    <li>
      <strong class={may === true ? 'good' : 'bad'}>{may === null ? 'Not told' : may ? 'Yes' : 'No'}</strong>{' '}
      with <a href={wayTo(['keys', id])}>{name || id}</a>
      <ul>
        {!admitted && <li>{errors[0]?.detail}</li>}
        {at !== null && (
          <li>
            permission {at + 1}: <code>{stringIn(path)}</code>
          </li>
        )}
        {where !== undefined && told !== null && (
          <li>
            rule <code>{printed(where)}</code>: {told.where === true ? 'met' : 'not met'}
          </li>
        )}
        {acl && told !== null && (
          <li>
            right {told.right}: {told.reasons.length === 0 && 'nothing gives it'}
            <Reasons of={told.reasons} />
          </li>
        )}
        {admitted && !acl && <li>rights do not count</li>}
        {seen !== undefined && (
          <li>
            fields <code>{printed(seen)}</code>
          </li>
        )}
      </ul>
    </li>
  );
}
