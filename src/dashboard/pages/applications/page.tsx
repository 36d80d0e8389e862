/** All applications of the service, for the operator: open one, make one, rename, delete, have back. */
import { useState } from 'preact/hooks';
import { Button, Opener } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/copy.tsx';
import { Dialog, FormButton, FormDialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/form.tsx';
import { Content, Empty, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { Table } from '../../parts/table.tsx';
import { tell } from '../../parts/toasts.tsx';
import { go, wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { askAsOperator, pathOfApplications } from '../../session/service.ts';
import {
  changeApplication,
  createApplication,
  openApplication,
  PAGE_SIZE,
  readApplications,
  type ApplicationRow,
} from './applications.ts';

export default function Applications() {
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const found = useLoad((signal) => readApplications(search, offset, signal), [search, offset]);
  const opening = useRun(async (row: ApplicationRow) => {
    await openApplication(row);
    go(wayTo(['overview']));
  });
  const { count = 0 } = found.value ?? {};
  return (
    <Page
      title="Applications"
      lead="Each application has its own documents, users and keys."
      wide
      actions={
        <Opener
          look="primary"
          icon="add"
          dialog={(close) => <Create onClose={close} onDone={found.reload} />}
        >
          New application
        </Opener>
      }
    >
      <Problems error={opening.error} />
      <div class="toolbar">
        <TextField
          label="Search by name"
          value={search}
          onText={(text) => {
            setSearch(text);
            setOffset(0);
          }}
        />
      </div>
      <Content of={found} what="applications">
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty title={search === '' ? 'No applications yet.' : 'No application matches.'} />
          ) : (
            <Rows rows={rows} onOpen={opening.run} onDone={found.reload} />
          )
        }
      </Content>
      {count > PAGE_SIZE && <Pager offset={offset} count={count} onOffset={setOffset} />}
    </Page>
  );
}

interface RowsProps {
  readonly rows: readonly ApplicationRow[];
  readonly onOpen: (row: ApplicationRow) => void;
  readonly onDone: () => void;
}

function Rows({ rows, onOpen, onDone }: RowsProps) {
  return (
    <Table
      label="Applications"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          head: 'Name',
          class: 'name-cell',
          cell: (row) =>
            row.ends === undefined ? (
              <Button
                look="link"
                onClick={() => {
                  onOpen(row);
                }}
              >
                {row.name}
              </Button>
            ) : (
              row.name
            ),
        },
        { head: 'Id', class: 'mono', cell: ({ id }) => id },
        {
          head: 'Placement',
          cell: ({ placement }) => placement ?? <span class="soft">near its clients</span>,
        },
        {
          head: 'State',
          cell: ({ ends }) =>
            ends === undefined ? (
              'in use'
            ) : (
              <span class="bad">deleted; erased on {new Date(ends).toLocaleDateString()}</span>
            ),
        },
        {
          head: 'Actions',
          isUnseen: true,
          class: 'number',
          cell: (row) => <Actions row={row} onDone={onDone} />,
        },
      ]}
    />
  );
}

function Actions({ row, onDone }: { readonly row: ApplicationRow; readonly onDone: () => void }) {
  const { id, name } = row;
  const path = pathOfApplications(id, 'deletion');
  if (row.ends !== undefined)
    return (
      <FormButton
        words="Restore"
        look="link"
        label={`Restore ${name}`}
        title={`Restore ${name}`}
        action="Restore"
        isDanger
        onSubmit={async () => {
          await askAsOperator('DELETE', path);
          tell(`${name} was restored.`);
          onDone();
        }}
      >
        <p>All its data and keys are restored.</p>
      </FormButton>
    );
  return (
    <>
      <FormButton
        words="Rename"
        look="link"
        label={`Rename ${name}`}
        title={`Rename ${name}`}
        action="Rename"
        fields={[{ name: 'name', label: 'Name', required: true, first: name }]}
        onSubmit={async (attributes) => {
          await changeApplication(id, attributes);
          onDone();
        }}
      />
      <FormButton
        words="Delete"
        look="link"
        label={`Delete ${name}`}
        title={`Delete ${name}`}
        action="Delete the application"
        isDanger
        typed={name}
        onSubmit={async () => {
          await askAsOperator('POST', path);
          tell(`${name} was deleted.`);
          onDone();
        }}
      >
        <p>Its keys stop working now. Its data is kept for some days; until then you can restore it.</p>
      </FormButton>
    </>
  );
}

function Create({ onClose, onDone }: { readonly onClose: () => void; readonly onDone: () => void }) {
  const [made, setMade] = useState<ApplicationRow>();
  if (made !== undefined) {
    return (
      <Dialog
        title={`${made.name} is made`}
        onClose={onClose}
        footer={
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <p>Every request names this id. Open the application to create its first API key.</p>
        <CodeBlock text={made.id} label="Id of the application" />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="New application"
      action="Create"
      fields={[
        { name: 'name', label: 'Name', required: true },
        {
          name: 'placement',
          label: 'Placement',
          hint: 'A jurisdiction such as eu, or a region such as weur. Empty: near its clients. It cannot be changed later.',
        },
      ]}
      stays
      onClose={onClose}
      onSubmit={async ({ name, placement }) => {
        setMade(await createApplication(name, placement));
        onDone();
      }}
    />
  );
}

interface PagerProps {
  readonly offset: number;
  readonly count: number;
  readonly onOffset: (offset: number) => void;
}

function Pager({ offset, count, onOffset }: PagerProps) {
  const move = (by: number) => () => {
    onOffset(offset + by);
  };
  return (
    <div class="row">
      <Button disabled={offset === 0} onClick={move(-PAGE_SIZE)}>
        Previous
      </Button>
      <span class="soft">
        {offset + 1}–{Math.min(count, offset + PAGE_SIZE)} of {count.toLocaleString()}
      </span>
      <Button disabled={offset + PAGE_SIZE >= count} onClick={move(PAGE_SIZE)}>
        Next
      </Button>
    </div>
  );
}
