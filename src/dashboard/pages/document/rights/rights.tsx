/** Who may do what with a document: a table of people and groups, by name. A tick is saved at once, and can be undone. */
import { useState } from 'preact/hooks';
import type { Link } from '../../../../client/transport.ts';
import { Loading } from '../../../parts/page.tsx';
import { Problems } from '../../../parts/problems.tsx';
import { tell } from '../../../parts/toasts.tsx';
import { useLoad } from '../../../session/load.ts';
import { Choose } from '../related/choose.tsx';
import { readSettings } from '../related/inverses.tsx';
import { Linked } from '../related/linked.tsx';
import { keyOfLink, nameOf, useNames } from '../related/names.ts';
import {
  holdersIn,
  holds,
  identitiesOf,
  readAcls,
  RIGHTS,
  saveRight,
  withHolders,
  withHolder,
  type Acls,
  type Holders,
  type Right,
} from './acls.ts';

const IDENTITIES = [
  ['core.user', 'a user'],
  ['core.user-group', 'a group'],
  ['core.external-user', 'an external user'],
] as const;

interface RightsProps {
  readonly type: string;
  readonly id: string;
}

export function Rights({ type, id }: RightsProps) {
  const { value: read, error } = useLoad((signal) => readAcls(type, id, signal), [type, id]);
  const [now, setNow] = useState<Acls>();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const acls = now ?? read;
  /** Shows the change at once, saves it, and then shows what holds. */
  const change = async (on: Acls, right: Right, next: Holders, words: string, etag?: string) => {
    setBusy(true);
    setFailure(undefined);
    setNow(withHolders(on, right, next));
    try {
      await saveRight(type, id, right, next, etag);
      const before = holdersIn(on, right);
      tell(words, () => {
        void readAcls(type, id).then((current) => change(current, right, before, 'The right is as it was.'));
      });
      setNow(await readAcls(type, id));
    } catch (cause) {
      setFailure(cause);
      setNow(await readAcls(type, id).catch(() => on));
    }
    setBusy(false);
  };
  return (
    <section class="form-part" aria-label="Rights">
      <Problems error={failure ?? error} />
      {acls === undefined && error === undefined && <Loading what="rights" />}
      {acls !== undefined && (
        <Table
          acls={acls}
          isBusy={isBusy}
          onChange={(right, next, words) => {
            void change(acls, right, next, words, acls[right.acl].etag);
          }}
        />
      )}
      <p class="hint">
        Rights count for requests with a user, under permissions with ACL. A key without ACL may do what its
        permissions say. <OfType type={type} />
      </p>
    </section>
  );
}

interface TableProps {
  readonly acls: Acls;
  readonly isBusy: boolean;
  readonly onChange: (right: Right, next: Holders, words: string) => void;
}

function Table({ acls, isBusy, onChange }: TableProps) {
  const [isAdding, setAdding] = useState(false);
  // Somebody who was added and holds nothing yet.
  const [added, setAdded] = useState<readonly Link[]>([]);
  const named = identitiesOf(acls);
  const identities = [
    ...named,
    ...added.filter((link) => !named.some((each) => keyOfLink(each) === keyOfLink(link))),
  ];
  const names = useNames(identities);
  const called = (link: Link) => nameOf(names.found.get(keyOfLink(link)) ?? {}) ?? link.id;
  return (
    <>
      <div class="table-frame" role="region" aria-label="Who may do what" tabIndex={0}>
        <table class="table rights">
          <thead>
            <tr>
              <th scope="col">Who</th>
              {RIGHTS.map(({ words }) => (
                <th key={words} scope="col" class="tick">
                  {words}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Everybody with a token</th>
              {RIGHTS.map((right) => {
                const isEverybody = holdersIn(acls, right) === '*';
                return (
                  <Tick
                    key={right.words}
                    words={`${right.words}: everybody`}
                    isOn={isEverybody}
                    isOff={isBusy}
                    onTick={(may) => {
                      onChange(
                        right,
                        may ? '*' : [],
                        may ? `Everybody may: ${right.words}.` : `Nobody is named for: ${right.words}.`,
                      );
                    }}
                  />
                );
              })}
            </tr>
            {identities.map((link) => (
              <tr key={keyOfLink(link)}>
                <th scope="row">
                  <Linked link={link} {...names} />
                </th>
                {RIGHTS.map((right) => {
                  const holders = holdersIn(acls, right);
                  return (
                    <Tick
                      key={right.words}
                      words={`${right.words}: ${called(link)}`}
                      isOn={holds(holders, link)}
                      isOff={isBusy || holders === '*'}
                      onTick={(may) => {
                        const verb = may ? 'may now' : 'may no longer';
                        onChange(
                          right,
                          withHolder(holders, link, may),
                          `${called(link)} ${verb}: ${right.words}.`,
                        );
                      }}
                    />
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {identities.length === 0 && <p class="soft">No person and no group is named.</p>}
      <button
        class="button"
        type="button"
        onClick={() => {
          setAdding(true);
        }}
      >
        Add a person or a group
      </button>
      {isAdding && (
        <Choose
          title="Add a person or a group"
          type="core.user"
          types={IDENTITIES}
          onClose={() => {
            setAdding(false);
          }}
          onChoose={(link, name) => {
            setAdding(false);
            const [read] = RIGHTS;
            const holders = holdersIn(acls, read);
            setAdded([...added, link]);
            if (!holds(holders, link))
              onChange(read, withHolder(holders, link, true), `${name} may now: Read.`);
          }}
        />
      )}
    </>
  );
}

interface TickProps {
  readonly words: string;
  readonly isOn: boolean;
  readonly isOff: boolean;
  readonly onTick: (may: boolean) => void;
}

function Tick({ words, isOn, isOff, onTick }: TickProps) {
  return (
    <td class="tick">
      <input
        type="checkbox"
        aria-label={words}
        checked={isOn}
        disabled={isOff}
        onChange={({ currentTarget }) => {
          onTick(currentTarget.checked);
        }}
      />
    </td>
  );
}

/** The settings of a type may give rights beside those of the document. */
function OfType({ type }: { readonly type: string }) {
  const { value: settings } = useLoad((signal) => readSettings(type, signal), [type]);
  return settings?.['rights'] === undefined ? null : (
    <strong>The settings of this type give rights beside these.</strong>
  );
}
