/** All applications of the service, for the operator: open one, make one, rename, delete, have back. */
import { useState } from 'preact/hooks';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { go, wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { openApplication, PAGE_SIZE, readApplications, type ApplicationRow } from './applications.ts';
import { ApplicationDialogs, type Asked } from './dialogs.tsx';

export default function Applications() {
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const [asked, setAsked] = useState<Asked>();
  const [failure, setFailure] = useState<unknown>();
  const { value, error, reload } = useLoad(
    (signal) => readApplications(search, offset, signal),
    [search, offset],
  );
  const open = (row: ApplicationRow) => {
    setFailure(undefined);
    openApplication(row).then(() => {
      go(wayTo(['overview']));
    }, setFailure);
  };
  return (
    <Page
      title="Applications"
      lead="Each is a tenant: its documents, users and keys are invisible to every other."
      wide
      actions={
        <button
          class="button primary"
          type="button"
          onClick={() => {
            setAsked({ what: 'create' });
          }}
        >
          <Icon name="add" /> New application
        </button>
      }
    >
      <Problems error={error ?? failure} />
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
      {value === undefined && error === undefined && <Loading what="applications" />}
      {value?.rows.length === 0 && (
        <Empty title={search === '' ? 'There is no application yet.' : 'No application has such a name.'} />
      )}
      {value !== undefined && value.rows.length > 0 && (
        <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Id</th>
                <th scope="col">Placement</th>
                <th scope="col">State</th>
                <th scope="col">
                  <span class="visually-hidden">What can be done</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {value.rows.map((row) => (
                <Row key={row.id} row={row} onOpen={open} onAsk={setAsked} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {value !== undefined && value.count > PAGE_SIZE && (
        <Pager offset={offset} count={value.count} onOffset={setOffset} />
      )}
      {asked && (
        <ApplicationDialogs
          asked={asked}
          onClose={() => {
            setAsked(undefined);
          }}
          onDone={reload}
        />
      )}
    </Page>
  );
}

function Row({
  row,
  onOpen,
  onAsk,
}: {
  readonly row: ApplicationRow;
  readonly onOpen: (row: ApplicationRow) => void;
  readonly onAsk: (asked: Asked) => void;
}) {
  const ask = (what: 'rename' | 'delete' | 'undelete') => () => {
    onAsk({ what, row });
  };
  return (
    <tr>
      <td class="name-cell">
        {row.ends === undefined ? (
          <button
            class="link"
            type="button"
            onClick={() => {
              onOpen(row);
            }}
          >
            {row.name}
          </button>
        ) : (
          row.name
        )}
      </td>
      <td class="mono">{row.id}</td>
      <td>{row.placement ?? <span class="soft">near its clients</span>}</td>
      <td>
        {row.ends === undefined ? (
          'in use'
        ) : (
          <span class="bad">deleted; gone on {row.ends.toLocaleDateString()}</span>
        )}
      </td>
      <td class="row-actions">
        {row.ends === undefined ? (
          <>
            <button class="link" type="button" aria-label={`Rename ${row.name}`} onClick={ask('rename')}>
              Rename
            </button>
            <button class="link" type="button" aria-label={`Delete ${row.name}`} onClick={ask('delete')}>
              Delete
            </button>
          </>
        ) : (
          <button class="link" type="button" aria-label={`Have back ${row.name}`} onClick={ask('undelete')}>
            Have back
          </button>
        )}
      </td>
    </tr>
  );
}

function Pager({
  offset,
  count,
  onOffset,
}: {
  readonly offset: number;
  readonly count: number;
  readonly onOffset: (offset: number) => void;
}) {
  const move = (by: number) => () => {
    onOffset(offset + by);
  };
  return (
    <div class="pager">
      <button class="button" type="button" disabled={offset === 0} onClick={move(-PAGE_SIZE)}>
        Previous
      </button>
      <span class="soft">
        {offset + 1}–{Math.min(count, offset + PAGE_SIZE)} of {count.toLocaleString()}
      </span>
      <button class="button" type="button" disabled={offset + PAGE_SIZE >= count} onClick={move(PAGE_SIZE)}>
        Next
      </button>
    </div>
  );
}
