/** The audit trail: who has changed which document, and when; and for how long that is kept. */
import { pathOf } from '../../../client/paths.ts';
import { Button } from '../../parts/button.tsx';
import { TextField, useFields } from '../../parts/form.tsx';
import { More } from '../../parts/more.tsx';
import { Content, Empty, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/run.ts';
import { Table } from '../../parts/table.tsx';
import { tell } from '../../parts/toasts.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { application, isOperator } from '../../session/credentials.ts';
import { useLoad } from '../../session/load.ts';
import { usePages } from '../../session/pages.ts';
import { changeApplication, readApplication } from '../applications/applications.ts';
import { ENTRY, ENTRY_COLUMNS } from './entries.tsx';

const FILTERS = [
  ['target-type', 'Type'],
  ['target-id', 'Id of the document'],
  ['key-name', 'Name of the key'],
  ['user.id', 'Id of the user'],
] as const;

export default function Audit() {
  const asked = Object.fromEntries(route.value.query);
  const filters = FILTERS.flatMap(([name]) =>
    asked[name] === undefined ? [] : [[`filter[${name}]`, JSON.stringify(asked[name])] as const],
  );
  const page = usePages(pathOf(ENTRY), {
    sort: '-at',
    'page[size]': '100',
    ...Object.fromEntries(filters),
  });
  const { rows } = page;
  return (
    <Page
      title="Audit trail"
      lead="Who changed which document, and when. It holds no values."
      wide
      actions={<Button onClick={page.reload}>Refresh</Button>}
    >
      {isOperator.value && <Keeping application={application.value?.id ?? ''} />}
      <div class="toolbar">
        {FILTERS.map(([name, label]) => (
          <TextField
            key={name}
            label={label}
            value={asked[name] ?? ''}
            onText={(text) => {
              const { [name]: _, ...rest } = asked;
              replaceWith(wayTo(['audit'], text === '' ? rest : { ...rest, [name]: text }));
            }}
          />
        ))}
      </div>
      <Content of={page} what="the trail">
        {() => (
          <>
            {rows.length === 0 ? (
              <Empty title="Nothing here yet.">
                <p>
                  It is kept from the moment on that the operator turns it on: `npm run app -- audit` or here.
                </p>
              </Empty>
            ) : (
              <Table label="Entries" columns={ENTRY_COLUMNS} rows={rows} keyOf={({ id }) => id} />
            )}
            <More of={page}>Show older entries</More>
          </>
        )}
      </Content>
    </Page>
  );
}

/** For how long the trail is kept, and turning it on and off: the operator's. */
function Keeping({ application: id }: { readonly application: string }) {
  const { value, error, reload } = useLoad((signal) => readApplication(id, signal), [id]);
  const days = value?.auditDays;
  const { values, controls, isChanged, reset } = useFields([
    {
      name: 'days',
      label: 'Days to keep entries',
      first: days === undefined ? '' : String(days),
      hint:
        days === undefined
          ? 'The audit trail is off. Enter a number to turn it on.'
          : 'Leave empty to turn it off.',
    },
  ]);
  const saving = useSubmit(async () => {
    const text = values.days.trim();
    // What is no number goes as it is: the service says what is wrong.
    const kept = text === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text;
    await changeApplication(id, { 'audit-days': kept });
    reset();
    tell(text === '' ? 'The audit trail is off.' : `Entries are kept for ${text} days.`);
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
