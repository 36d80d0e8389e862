/** The audit trail: who has changed which document, and when; and for how long that is kept. */
import { Button } from '../../parts/button.tsx';
import { Collection } from '../../parts/collection.tsx';
import { TextField, useFields } from '../../parts/fields/form.tsx';
import { textOf } from '../../parts/fields/kinds.ts';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/run.ts';
import { notify } from '../../parts/toasts.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { APPLICATION, application, isOperator } from '../../session/credentials.ts';
import { change, read } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { ENTRY, ENTRY_COLUMNS } from './entries.tsx';

const FILTERS = [
  ['target-type', 'Type'],
  ['target-id', 'Id of the document'],
  ['key-name', 'Name of the key'],
  ['user.id', 'Id of the user'],
] as const;

export default function Audit() {
  const query = Object.fromEntries(route.value.query);
  const filters = FILTERS.flatMap(([name]) =>
    query[name] === undefined ? [] : [[`filter[${name}]`, JSON.stringify(query[name])] as const],
  );
  return (
    <Collection
      title="Audit trail"
      lead="Who changed which document, and when. It holds no values."
      wide
      type={ENTRY}
      what="entries"
      query={{ sort: '-at', ...Object.fromEntries(filters) }}
      actions={(reload) => <Button onClick={reload}>Refresh</Button>}
      above={
        <>
          {isOperator.value && <Keeping application={application.value?.id ?? ''} />}
          <div class="toolbar">
            {FILTERS.map(([name, label]) => (
              <TextField
                key={name}
                label={label}
                value={query[name] ?? ''}
                onText={(text) => {
                  const { [name]: _, ...rest } = query;
                  replaceWith(wayTo(['audit'], text === '' ? rest : { ...rest, [name]: text }));
                }}
              />
            ))}
          </div>
        </>
      }
      empty={{
        title: 'Nothing here yet.',
        children: () => (
          <p>
            It is kept from the moment on that the operator turns it on: <code>npm run app -- audit</code> or
            here.
          </p>
        ),
      }}
      more="Show older entries"
      show={ENTRY_COLUMNS}
    />
  );
}

/** For how long the trail is kept, and turning it on and off: the operator's. */
function Keeping({ application: id }: { readonly application: string }) {
  const link = { type: APPLICATION, id };
  const { value, error, reload } = useLoad((signal) => read(link, '', signal), [id]);
  const days = value?.document.attributes?.['audit-days'] ?? null;
  const { values, controls, isChanged, reset } = useFields([
    {
      name: 'days',
      label: 'Days to keep entries',
      first: textOf(days),
      hint:
        days === null
          ? 'The audit trail is off. Enter a number to turn it on.'
          : 'Leave empty to turn it off.',
    },
  ]);
  const saving = useSubmit(async () => {
    const text = values.days.trim();
    // What is no number goes as it is: the service says what is wrong.
    const kept = text === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text;
    await change(link, { attributes: { 'audit-days': kept } });
    reset();
    notify(text === '' ? 'The audit trail is off.' : `Entries are kept for ${text} days.`);
    reload();
  });
  return (
    <form class="toolbar" onSubmit={saving.submit} aria-label="Retention">
      {controls}
      <Button disabled={saving.isBusy || !isChanged}>Save</Button>
      <Problems error={error ?? saving.error} />
    </form>
  );
}
