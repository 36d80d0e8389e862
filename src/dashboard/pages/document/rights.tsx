/** Who may do what with a document: a table of people and groups. A tick is saved at once, and can be undone. */
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { isItems, linkIn } from '../../parts/json.ts';
import { AddMember } from '../../parts/members.tsx';
import { keyOfLink, Linked, nameOf, useNames } from '../../parts/names.tsx';
import { Loading } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { Table } from '../../parts/table.tsx';
import { tell } from '../../parts/toasts.tsx';
import { change, read } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { useSettings } from './relationships.tsx';
import { Why } from './why.tsx';

const IDENTITIES = [
  ['core.user', 'a user'],
  ['core.user-group', 'a group'],
  ['core.external-user', 'an external user'],
] as const;

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

/** One of the two ACLs as it was read. */
interface Acl {
  readonly etag: string | undefined;
  readonly holders: Readonly<Record<string, Holders>>;
}
type Acls = Readonly<Record<Right['acl'], Acl>>;

async function readAcls({ type, id }: Link, signal?: AbortSignal): Promise<Acls> {
  const one = async (acl: Right['acl']): Promise<Acl> => {
    const stored = await read({ type: type + acl, id }, '', signal);
    const attributes = Object.entries(stored?.document.attributes ?? {});
    const holders = attributes.map(([right, json]) => [right, holdersIn(json)] as const);
    return { etag: stored?.etag, holders: Object.fromEntries(holders) };
  };
  const [first, second] = await Promise.all([one('.acl'), one('.acl.acl')]);
  return { '.acl': first, '.acl.acl': second };
}

function holdersIn(json: Json): Holders {
  if (json === '*') return '*';
  return isItems(json) ? json.flatMap((each) => linkIn(each) ?? []) : [];
}

function holdersOf(acls: Acls, { acl, right }: Right): Holders {
  return acls[acl].holders[right] ?? [];
}

/** The same with others in one right: what is shown while it is saved. */
function withHolders(acls: Acls, { acl, right }: Right, holders: Holders): Acls {
  const { etag, holders: before } = acls[acl];
  return { ...acls, [acl]: { etag, holders: { ...before, [right]: holders } } };
}

function holds(holders: Holders, link: Link): boolean {
  return holders === '*' || holders.some((each) => keyOfLink(each) === keyOfLink(link));
}

function withHolder(holders: Holders, link: Link, may: boolean): Holders {
  if (holders === '*') return holders;
  const others = holders.filter((each) => keyOfLink(each) !== keyOfLink(link));
  return may ? [...others, link] : others;
}

export function Rights({ link }: { readonly link: Link }) {
  const stored = useLoad((signal) => readAcls(link, signal), [link.type, link.id]);
  const [now, setNow] = useState<Acls>();
  const acls = now ?? stored.value;
  const settings = useSettings(link.type);
  /** Shows the change at once, saves it, and then shows what holds. */
  const changing = useRun(async (on: Acls, right: Right, next: Holders, words: string) => {
    setNow(withHolders(on, right, next));
    try {
      // On the state that was read.
      const acl = { type: link.type + right.acl, id: link.id };
      await change(acl, { attributes: { [right.right]: next } }, on[right.acl].etag);
      const before = holdersOf(on, right);
      tell(words, () => {
        void readAcls(link).then((current) => {
          changing.run(current, right, before, 'Nothing was changed.');
        });
      });
    } finally {
      setNow(await readAcls(link).catch(() => on));
    }
  });
  return (
    <>
      <section class="form-part" aria-label="Rights">
        <Problems error={changing.error ?? stored.error} />
        {acls === undefined && stored.error === undefined && <Loading what="rights" />}
        {acls !== undefined && (
          <RightsTable
            acls={acls}
            isBusy={changing.isBusy}
            onChange={(right, next, words) => {
              changing.run(acls, right, next, words);
            }}
          />
        )}
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
  const tickOf = (right: Right, who: Link | 'everybody') => {
    const holders = holdersOf(acls, right);
    if (who === 'everybody')
      return {
        name: who,
        isOn: holders === '*',
        isOff: isBusy,
        onTick: (may: boolean) => {
          const words = may ? 'Everybody may' : 'Nobody is named for';
          onChange(right, may ? '*' : [], `${words}: ${right.words}.`);
        },
      };
    const name = nameOf(names.found.get(keyOfLink(who)) ?? {}) ?? who.id;
    return {
      name,
      isOn: holds(holders, who),
      isOff: isBusy || holders === '*',
      onTick: (may: boolean) => {
        const words = `${name} ${may ? 'may now' : 'may no longer'}: ${right.words}.`;
        onChange(right, withHolder(holders, who, may), words);
      },
    };
  };
  return (
    <>
      <Table<Link | 'everybody'>
        label="Rights of people and groups"
        class="rights"
        rows={['everybody', ...identities]}
        keyOf={(who) => (who === 'everybody' ? who : keyOfLink(who))}
        columns={[
          {
            head: 'Who',
            isHead: true,
            cell: (who) => (who === 'everybody' ? 'All users' : <Linked link={who} {...names} />),
          },
          ...RIGHTS.map((right) => ({
            head: right.words,
            class: 'tick',
            cell: (who: Link | 'everybody') => {
              const { name, isOn, isOff, onTick } = tickOf(right, who);
              return (
                <input
                  type="checkbox"
                  aria-label={`${right.words}: ${name}`}
                  checked={isOn}
                  disabled={isOff}
                  onChange={({ currentTarget }) => {
                    onTick(currentTarget.checked);
                  }}
                />
              );
            },
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
          if (!holds(holders, link))
            onChange(right, withHolder(holders, link, true), `${name} may now: ${right.words}.`);
        }}
      />
    </>
  );
}
