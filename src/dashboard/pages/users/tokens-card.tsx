/** The logins of a person: how they are ended. Those of external users are listed, without what they are worth. */
import { useState } from 'preact/hooks';
import type { Link } from '../../../client/transport.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { dateOf } from '../../parts/json.ts';
import { Problems } from '../../parts/problems.tsx';
import { Time } from '../../parts/time.tsx';
import { tell } from '../../parts/toasts.tsx';
import { useLoad } from '../../session/load.ts';
import { endAllTokens, EXTERNAL_USER, remove, tokensOf } from './people.ts';

export function TokensCard({ person, onEnded }: { readonly person: Link; readonly onEnded: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const [turn, setTurn] = useState(0);
  const ended = () => {
    setTurn(turn + 1);
    onEnded();
  };
  return (
    <section class="card" aria-label="Tokens">
      <header class="card-head">
        <h2>Tokens</h2>
        <button
          class="button danger"
          type="button"
          onClick={() => {
            setAsking(true);
          }}
        >
          End all tokens
        </button>
      </header>
      {person.type === EXTERNAL_USER ? (
        <ExternalTokens key={turn} person={person} />
      ) : (
        <p class="soft">
          A login makes a token, which holds for 30 days. Tokens of users are shown to nobody; any change of
          the user ends them.
        </p>
      )}
      {isAsking && (
        <Confirm
          title="End all tokens?"
          action="End all tokens"
          onClose={() => {
            setAsking(false);
          }}
          onConfirm={async () => {
            await endAllTokens(person);
            tell('All tokens have ended.');
            ended();
          }}
        >
          <p>Whoever is logged in as this user is logged out, everywhere and at once.</p>
        </Confirm>
      )}
    </section>
  );
}

function ExternalTokens({ person }: { readonly person: Link }) {
  const { value: tokens, error, reload } = useLoad((signal) => tokensOf(person, signal), [person.id]);
  const [failure, setFailure] = useState<unknown>();
  return (
    <>
      <Problems error={failure ?? error} />
      {tokens?.length === 0 && <p class="soft">Not logged in anywhere.</p>}
      {tokens !== undefined && tokens.length > 0 && (
        <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Logged in</th>
                <th scope="col">Token id</th>
                <th scope="col">
                  <span class="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {tokens.map(({ type, id, attributes }) => (
                <tr key={id}>
                  <td class="tabular">
                    <Time date={dateOf(attributes?.['created'])} />
                  </td>
                  <td>
                    <code>{id}</code>
                  </td>
                  <td class="number">
                    <button
                      class="link"
                      type="button"
                      aria-label={`End the token ${id}`}
                      onClick={() => {
                        remove({ type, id }).then(reload, setFailure);
                      }}
                    >
                      End
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
