/** Enters once more in its place, where credentials ended while somebody worked: what was written stays. */
import { FormDialog } from '../parts/fields/dialog.tsx';
import { notify } from '../parts/toasts.tsx';
import { credentials, enter, hasEnded, isAsked } from '../session/credentials.ts';
import { logIn, tryKey, trySecret } from '../session/enter.ts';

export function Again() {
  const { application, user, secret } = credentials.value;
  const what = hasEnded.value;
  if (what === null || !isAsked.value) return null;
  const label = what === 'operator' ? 'Operator secret' : user === undefined ? 'API key' : 'Password';
  const again = async (text: string) => {
    if (what === 'operator') {
      await trySecret(text);
      enter({ ...credentials.value, secret: text });
    } else if (application !== undefined && user !== undefined) {
      enter({
        ...credentials.value,
        user: await logIn(application, { username: user.name, password: text }),
      });
    } else if (application !== undefined) {
      const other = await tryKey({ id: application.id, key: text });
      enter({ ...(secret !== undefined && { secret }), application: other });
    }
    notify('You are logged in again. Repeat what was refused.');
  };
  return (
    <FormDialog
      title="Log in again"
      action="Log in"
      fields={[{ name: 'text', label, kind: 'password', required: true, autofocus: true }]}
      onClose={() => {
        isAsked.value = false;
      }}
      onSubmit={({ text }) => again(text.trim())}
    >
      <p>
        {user === undefined ? 'These credentials are' : `The login of ${user.name} is`} no longer valid. Your
        changes are kept.
      </p>
    </FormDialog>
  );
}
