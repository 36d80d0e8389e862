/** For how long the trail is kept, and turning it on and off: the operator's. */
import { useState } from 'preact/hooks';
import { TextField } from '../../parts/field.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/submit.ts';
import { tell } from '../../parts/toasts.tsx';
import { useLoad } from '../../session/load.ts';
import { changeApplication, readApplication } from '../applications/applications.ts';

export function Keeping({ application }: { readonly application: string }) {
  const { value, error, reload } = useLoad((signal) => readApplication(application, signal), [application]);
  const [days, setDays] = useState<string>();
  const shown = days ?? (value?.auditDays === undefined ? '' : String(value.auditDays));
  const {
    error: refusal,
    isBusy,
    submit,
  } = useSubmit(async () => {
    const text = shown.trim();
    await changeApplication(application, {
      'audit-days': text === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text,
    });
    setDays(undefined);
    tell(text === '' ? 'The trail is off.' : `Entries are kept for ${text} days.`);
    reload();
  });
  return (
    <form class="toolbar" onSubmit={submit} aria-label="Keeping the trail">
      <TextField
        label="Days for which entries are kept"
        value={shown}
        onText={setDays}
        hint={
          value?.auditDays === undefined ? 'The trail is off. A number turns it on.' : 'Empty turns it off.'
        }
      />
      <button class="button" type="submit" disabled={isBusy || days === undefined}>
        Save
      </button>
      <Problems error={error ?? refusal} />
    </form>
  );
}
