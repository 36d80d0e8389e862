/**
 * Who may do what with a document: a table of people and groups, in which a tick is saved at once and can be undone.
 * And why a user may: what each key, its permission, its rule and the rights say.
 */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { notify, Problems, useRun } from '../../parts/button.tsx';
import { SelectField } from '../../parts/fields/form.tsx';
import { isItems, linkIn } from '../../parts/fields/json.ts';
import { AddMember } from '../../parts/fields/members.tsx';
import { keyOfLink, Linked, nameOf, useNames } from '../../parts/fields/names.tsx';
import { Content, Table } from '../../parts/page.tsx';
import { wayTo } from '../../route.ts';
import { change, list, read, useLoad } from '../../session/service.ts';
import { decide, Verdict, type Question } from '../keys/decision.tsx';
import { FIELDS, KEY, keyOf } from '../keys/key.tsx';
import { IDENTITIES, PERSONS } from '../users/people.ts';
import { useSettings } from './relationships.tsx';

/** The five rights, where each is stored, and its words. */
const RIGHTS = [
  { acl: '.acl', right: 'read', words: 'Read' },
  { acl: '.acl', right: 'update', words: 'Change' },
  { acl: '.acl', right: 'delete', words: 'Delete' },
  { acl: '.acl.acl', right: 'read', words: 'See rights' },
  { acl: '.acl.acl', right: 'update', words: 'Change rights' },
] as const;
type Right = (typeof RIGHTS)[number];

/** Who has a right: everybody, or these. */
type Holders = '*' | readonly Link[];

interface Acl {
  readonly etag: string | undefined;
  /** Holders, by right. */
  readonly attributes: Resource['attributes'];
}
type Acls = Readonly<Record<Right['acl'], Acl>>;

async function readAcls({ type, id }: Link, signal?: AbortSignal): Promise<Acls> {
  const one = async (acl: Right['acl']): Promise<Acl> => {
    const stored = await read({ type: type + acl, id }, '', signal);
    return { etag: stored?.etag, attributes: stored?.document.attributes };
  };
  const [first, second] = await Promise.all([one('.acl'), one('.acl.acl')]);
  return { '.acl': first, '.acl.acl': second };
}

function holdersOf(acls: Acls, { acl, right }: Right): Holders {
  const json = acls[acl].attributes?.[right];
  if (json === '*') return '*';
  return isItems(json) ? json.flatMap((each) => linkIn(each) ?? []) : [];
}

function holds(holders: Holders, link: Link): boolean {
  return holders === '*' || holders.some((each) => keyOfLink(each) === keyOfLink(link));
}

function withHolder(holders: readonly Link[], link: Link, may: boolean): Holders {
  const others = holders.filter((each) => keyOfLink(each) !== keyOfLink(link));
  return may ? [...others, link] : others;
}

export function Rights({ link }: { readonly link: Link }) {
  const stored = useLoad((signal) => readAcls(link, signal), [link.type, link.id]);
  const [now, setNow] = useState<Acls>();
  const settings = useSettings(link.type);
  /** Shows the change at once, saves it on the state that was read, and then shows what holds. */
  const changing = useRun(async (on: Acls, of: Right, next: Holders, words: string) => {
    const { acl, right } = of;
    const { etag, attributes } = on[acl];
    setNow({ ...on, [acl]: { etag, attributes: { ...attributes, [right]: next } } });
    try {
      await change({ type: link.type + acl, id: link.id }, { attributes: { [right]: next } }, etag);
      notify(words, () => {
        void readAcls(link).then((current) =>
          changing.run(current, of, holdersOf(on, of), 'Nothing was changed.'),
        );
      });
    } finally {
      setNow(await readAcls(link).catch(() => on));
    }
  });
  return (
    <>
      <section class="form-part" aria-label="Rights">
        <Problems error={changing.error} />
        <Content of={{ ...stored, value: now ?? stored.value }} what="the rights">
          {(acls) => (
            <RightsTable
              acls={acls}
              isBusy={changing.isBusy}
              onChange={(...given) => changing.run(acls, ...given)}
            />
          )}
        </Content>
        <p class="hint">
          Rights count for requests with a user, under permissions with ACL. A key without ACL may do what its
          permissions say.{' '}
          {settings?.['rights'] !== undefined && (
            <strong>The settings of this type give rights beside these.</strong>
          )}
        </p>
      </section>
      <Why link={link} />
    </>
  );
}

interface RightsTableProps {
  readonly acls: Acls;
  readonly isBusy: boolean;
  readonly onChange: (right: Right, next: Holders, words: string) => void;
}

function RightsTable({ acls, isBusy, onChange }: RightsTableProps) {
  // Somebody who was added and holds nothing yet stands at the end.
  const [added, setAdded] = useState<readonly Link[]>([]);
  const named = RIGHTS.flatMap((right) => {
    const holders = holdersOf(acls, right);
    return holders === '*' ? [] : holders;
  });
  const identities = [...new Map([...named, ...added].map((link) => [keyOfLink(link), link])).values()];
  const names = useNames(identities);
  /** The checkbox of a right; everybody is null. */
  const tickOf = (right: Right, who: Link | null) => {
    const holders = holdersOf(acls, right);
    const name = who === null ? 'everybody' : (nameOf(names.get(keyOfLink(who)) ?? {}) ?? who.id);
    const onTick = (may: boolean) => {
      if (who === null) {
        const words = may ? 'Everybody may' : 'Nobody is named for';
        onChange(right, may ? '*' : [], `${words}: ${right.words}.`);
      } else if (holders !== '*') {
        const words = `${name} ${may ? 'may now' : 'may no longer'}: ${right.words}.`;
        onChange(right, withHolder(holders, who, may), words);
      }
    };
    return (
      <input
        type="checkbox"
        aria-label={`${right.words}: ${name}`}
        checked={who === null ? holders === '*' : holds(holders, who)}
        disabled={isBusy || (who !== null && holders === '*')}
        onChange={({ currentTarget }) => onTick(currentTarget.checked)}
      />
    );
  };
  return (
    <>
      <Table
        label="Rights of people and groups"
        class="rights"
        rows={[null, ...identities]}
        keyOf={(who) => (who === null ? '' : keyOfLink(who))}
        columns={[
          {
            head: 'Who',
            isHead: true,
            cell: (who) => (who === null ? 'All users' : <Linked link={who} />),
          },
          ...RIGHTS.map((right) => ({
            head: right.words,
            class: 'tick',
            cell: (who: Link | null) => tickOf(right, who),
          })),
        ]}
      />
      {identities.length === 0 && <p class="soft">Nobody yet.</p>}
      <AddMember
        words="Add a person or a group"
        types={IDENTITIES}
        onAdd={(link, name) => {
          const [right] = RIGHTS;
          const holders = holdersOf(acls, right);
          setAdded([...added, link]);
          if (holders !== '*' && !holds(holders, link))
            onChange(right, withHolder(holders, link, true), `${name} may now: ${right.words}.`);
        }}
      />
    </>
  );
}

const METHODS = [
  ['GET', 'see'],
  ['PATCH', 'change'],
  ['DELETE', 'delete'],
] as const;

/** Each key is asked by a request of its own. */
const KEYS = 20;

function Why({ link }: { readonly link: Link }) {
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
          types={PERSONS}
          onAdd={(user, name) => setWho({ link: user, name })}
        />
      </div>
      {who !== undefined && (
        <Tree
          key={`${method} ${who.link.id}`}
          path={pathOf(link.type, link.id)}
          method={method}
          user={who.link}
        />
      )}
    </section>
  );
}

/** What each key says of a request of a user, and through which right. */
export function Tree(question: Question) {
  const decided = useLoad(async (signal) => {
    const query = { [`fields[${KEY}]`]: FIELDS, 'page[size]': String(KEYS), sort: 'name' };
    const { documents, count = 0 } = await list(pathOf(KEY), query, signal);
    const rights = documents.map(keyOf).map(async (of) => ({
      of,
      decision: await decide(of.id, question, undefined, signal),
    }));
    return { branches: await Promise.all(rights), count };
  }, []);
  return (
    <Content of={decided} what="decisions">
      {({ branches, count }) => (
        <>
          <ul class="tree" aria-label="What each key says">
            {branches.map(({ of: { id, name, permissions }, decision }) => (
              <li key={id}>
                <Verdict decision={decision} permissions={permissions}>
                  with <a href={wayTo(['keys', id])}>{name || id}</a>
                </Verdict>
              </li>
            ))}
          </ul>
          {count > branches.length && <p class="hint">These are the first {branches.length} keys.</p>}
        </>
      )}
    </Content>
  );
}
