/** The door: with an application's id and key, perhaps as a user, or with the operator's secret. */
import { useState } from 'preact/hooks';
import { ForedgeError } from '../../../client/errors.ts';
import { TextField } from '../../parts/field.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { Problems } from '../../parts/problems.tsx';
import { BASE } from '../../session/service.ts';
import { enterAsOperator, enterApplication } from './entering.ts';

export function Enter() {
  return (
    <div class="door">
      <header>
        <img src={`${BASE}/assets/docs-icon.svg`} alt="" width="44" height="44" />
        <h1>Foredge</h1>
        <p class="lead">The documents, people and rules of an application.</p>
      </header>
      <main>
        <ApplicationForm />
        <OperatorForm />
      </main>
      <footer class="hint">
        What you enter stays in this tab and is forgotten when it closes. <code>npm start</code> writes the
        first application's credentials to <code>.foredge/credentials.json</code>, and the operator's secret
        to <code>.foredge/secrets.json</code>.
      </footer>
    </div>
  );
}

function ApplicationForm() {
  const [id, setId] = useState('');
  const [key, setKey] = useState('');
  const [asUser, setAsUser] = useState(false);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const { error, isBusy, submit } = useSubmit(() =>
    enterApplication(id.trim(), key.trim(), asUser ? { username, password } : undefined),
  );
  return (
    <form class="card" onSubmit={submit} aria-label="Enter an application">
      <h2>An application</h2>
      <TextField label="Application id" name="application" required value={id} onText={setId} autofocus />
      <TextField label="API key" name="key" type="password" required value={key} onText={setKey} />
      <label class="check">
        <input
          type="checkbox"
          checked={asUser}
          onChange={(event) => {
            setAsUser(event.currentTarget.checked);
          }}
        />
        As a user: show just what they may see
      </label>
      {asUser && (
        <>
          <TextField
            label="User name"
            required
            value={username}
            onText={setUsername}
            autocomplete="username"
          />
          <TextField
            label="Password"
            type="password"
            required
            value={password}
            onText={setPassword}
            autocomplete="current-password"
          />
        </>
      )}
      <Problems error={inOtherWords(error)} />
      <button class="button primary" type="submit" disabled={isBusy}>
        Enter
      </button>
    </form>
  );
}

function OperatorForm() {
  const [secret, setSecret] = useState('');
  const { error, isBusy, submit } = useSubmit(() => enterAsOperator(secret.trim()));
  return (
    <form class="card" onSubmit={submit} aria-label="Enter as the operator">
      <h2>All applications</h2>
      <TextField
        label="Operator secret"
        name="secret"
        type="password"
        required
        value={secret}
        onText={setSecret}
        hint="For whoever runs the service."
      />
      <Problems error={inOtherWords(error)} />
      <button class="button" type="submit" disabled={isBusy}>
        Enter as the operator
      </button>
    </form>
  );
}

/** At the door a 401 is about what was typed, not about headers. */
function inOtherWords(error: unknown): unknown {
  if (!(error instanceof ForedgeError) || error.status !== 401) return error;
  return new Error('The service does not know these credentials. Look for a missing or a changed character.');
}
