/** All applications of the service, for the operator: open one, make one, change, delete, have back. */
import { useEffect } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { notify, RunButton } from '../../parts/button.tsx';
import { FormButton } from '../../parts/fields/dialog.tsx';
import { stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { calledOf } from '../../parts/fields/names.tsx';
import { Table, type Column } from '../../parts/page.tsx';
import { go, wayTo } from '../../route.ts';
import { APPLICATION, credentials, enter, renew } from '../../session/credentials.ts';
import { leaveApplication } from '../../session/enter.ts';
import { ask, documentIn } from '../../session/service.ts';
import { ownPage } from '../document/own.tsx';
import { sortOf } from '../document/stored.ts';

/** The bar calls the open application by the name that it has now. */
function Renamed({ id, name }: { readonly id: string; readonly name: string }) {
  useEffect(() => {
    const { application } = credentials.value;
    if (application !== undefined && application.id === id)
      renew({ ...credentials.value, application: { ...application, name } });
  }, [id, name]);
  return null;
}

const number = (title: string) => ({ title, type: 'integer' });

const APPLICATIONS = sortOf(APPLICATION, {
  isUndeletable: true,
  below: ({ base, link }) => <Renamed id={link.id} name={stringIn(base.draft.attributes['name'])} />,
  known: {
    name: { title: 'Name' },
    placement: {
      title: 'Placement',
      description:
        'A jurisdiction such as eu, or a region such as weur. Empty: near its clients. It cannot be changed.',
    },
    quotas: {
      title: 'Quotas',
      description: 'Empty: no limit. A full quota only stops writes that add.',
      type: 'object',
      properties: {
        requests: number('Requests a second'),
        documents: number('Documents'),
        bytes: number('Bytes'),
        types: number('Types'),
      },
    },
    'audit-days': {
      ...number('Days to keep entries'),
      description: 'Of the audit trail. Empty: it is off.',
    },
  },
});

export default ownPage(APPLICATIONS, {
  lead: 'Each application has its own documents, users and keys.',
  wide: true,
  query: { sort: 'name' },
  searchAt: APPLICATIONS.steps,
  empty: { title: 'No applications yet.' },
  show: (rows, reload) => <Table label="Applications" columns={columnsWith(reload)} rows={rows} />,
});

/** When an application ends that was deleted. */
function endOf({ attributes }: Resource): string | undefined {
  return isoOf(attributes?.['ends']);
}

function columnsWith(onDone: () => void): readonly Column<Resource>[] {
  return [
    {
      head: 'Name',
      class: 'name-cell',
      cell: (row) =>
        endOf(row) === undefined ? (
          <RunButton look="link" work={() => openApplication(row)}>
            {calledOf(row)}
          </RunButton>
        ) : (
          calledOf(row)
        ),
    },
    { head: 'Id', class: 'mono', cell: ({ id }) => id },
    {
      head: 'Placement',
      cell: ({ attributes }) =>
        stringIn(attributes?.['placement']) || <span class="soft">near its clients</span>,
    },
    {
      head: 'State',
      cell: (row) => {
        const end = endOf(row);
        if (end === undefined) return 'in use';
        return <span class="bad">deleted; erased on {new Date(end).toLocaleDateString()}</span>;
      },
    },
    {
      head: 'Actions',
      isUnseen: true,
      class: 'number',
      cell: (row) => <Actions row={row} onDone={onDone} />,
    },
  ];
}

/**
 * Opens an application: its documents are read with an API key, which the dashboard makes for itself and deletes on
 * leaving. Its name tells where it came from, if a tab was closed without that.
 */
async function openApplication(row: Resource): Promise<void> {
  const { id } = row;
  await leaveApplication();
  const since = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const permissions = [{ path: '.*', methods: ['get', 'post', 'patch', 'delete', 'bulk'] }];
  const body = { data: { type: 'core.api-key', attributes: { name: `dashboard, ${since}`, permissions } } };
  const made = documentIn(await ask('POST', pathOf(APPLICATION, id, 'api-keys'), { body }));
  const key = stringIn(made?.attributes?.['secure-id']);
  const application = { id, name: calledOf(row), key, ...(made !== null && { madeKey: made.id }) };
  enter({ ...credentials.value, application });
  go(wayTo(['overview']));
}

function Actions({ row, onDone }: { readonly row: Resource; readonly onDone: () => void }) {
  const name = calledOf(row);
  const isGone = endOf(row) !== undefined;
  const words = isGone ? 'Restore' : 'Delete';
  return (
    <>
      {!isGone && (
        <a class="link" aria-label={`Settings of ${name}`} href={wayTo([...APPLICATIONS.steps, row.id])}>
          Settings
        </a>
      )}
      <FormButton
        {...{ words, label: `${words} ${name}`, title: `${words} ${name}` }}
        look="link"
        action={isGone ? 'Restore' : 'Delete the application'}
        isDanger
        typed={isGone ? undefined : name}
        onSubmit={async () => {
          await ask(isGone ? 'DELETE' : 'POST', pathOf(APPLICATION, row.id, 'deletion'));
          notify(`${name} was ${isGone ? 'restored' : 'deleted'}.`);
          onDone();
        }}
      >
        <p>
          {isGone
            ? 'All its data and keys are restored.'
            : 'Its keys stop working now. Its data is kept for some days; until then you can restore it.'}
        </p>
      </FormButton>
    </>
  );
}
