/** The door: with an application's id and key, perhaps as a user, or with the operator's secret. */
import { useState } from 'preact/hooks';
import { Button, Problems, useSubmit } from '../../parts/button.tsx';
import { Check, useFields } from '../../parts/fields/form.tsx';
import { enter } from '../../session/credentials.ts';
import { enterAs, logIn, logInOnPages, tryKey, trySecret } from '../../session/enter.ts';
import { BASE, statusOf } from '../../session/service.ts';
import { share } from '../../session/tabs.ts';

export function Enter() {
  const [isShared, setShared] = useState(false);
  return (
    <div class="door">
      <header>
        <img src={`${BASE}/assets/docs-icon.svg`} alt="" width="44" height="44" />
        <h1>Foredge</h1>
        <p class="lead">Documents, users and rules of an application.</p>
      </header>
      <main>
        <ApplicationForm />
        <OperatorForm />
        <Check
          checked={isShared}
          onChecked={(isOn) => {
            setShared(isOn);
            share(isOn);
          }}
        >
          Enter in new tabs, too
        </Check>
      </main>
      <footer class="hint">
        Kept in this tab until you close it. <code>npm start</code> writes the first application's credentials
        to <code>.foredge/credentials.json</code>, and the operator's secret to{' '}
        <code>.foredge/secrets.json</code>.
      </footer>
    </div>
  );
}

function ApplicationForm() {
  const { values, controls } = useFields([
    { name: 'id', label: 'Application id', required: true, autofocus: true },
    { name: 'key', label: 'API key', kind: 'password', required: true },
    { name: 'asUser', label: 'As a user: show what they may see', kind: 'flag' },
    { name: 'username', label: 'User name', required: true, autocomplete: 'username', under: 'asUser' },
    {
      name: 'password',
      label: 'Password',
      kind: 'password',
      required: true,
      autocomplete: 'current-password',
      under: 'asUser',
    },
  ]);
  const { id, key, asUser, ...login } = values;
  const typed = { id: id.trim(), key: key.trim() };
  const { error, isBusy, submit } = useSubmit(async () => {
    if (asUser === 'true') await enterAs(typed, await logIn(typed, login));
    else enter({ application: await tryKey(typed) });
  });
  return (
    <form class="card" onSubmit={submit} aria-label="Enter an application">
      <h2>An application</h2>
      {controls}
      <Problems error={inOtherWords(error)} />
      <Button look="primary" disabled={isBusy}>
        Enter
      </Button>
      {asUser === 'true' && (
        <Button onClick={() => logInOnPages(typed)}>Log in with a passkey or a code</Button>
      )}
    </form>
  );
}

function OperatorForm() {
  const { values, controls } = useFields([
    {
      name: 'secret',
      label: 'Operator secret',
      kind: 'password',
      required: true,
      hint: 'For operators of the service.',
    },
  ]);
  const { error, isBusy, submit } = useSubmit(async () => {
    const secret = values.secret.trim();
    await trySecret(secret);
    enter({ secret });
  });
  return (
    <form class="card" onSubmit={submit} aria-label="Enter as the operator">
      <h2>All applications</h2>
      {controls}
      <Problems error={inOtherWords(error)} />
      <Button disabled={isBusy}>Enter as the operator</Button>
    </form>
  );
}

/** At the door a 401 is about what was typed, not about headers. */
function inOtherWords(error: unknown): unknown {
  if (statusOf(error) !== 401) return error;
  return new Error('Wrong credentials. Check for a missing or changed character.');
}
