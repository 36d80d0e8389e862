/** The trash of a type: its deleted documents that can be restored (docs/history.md). */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { isMembers, linkIn } from '../../parts/json.ts';
import { isoOf } from '../../parts/kinds.ts';
import { Linked, nameOf, useNames } from '../../parts/names.tsx';
import { More } from '../../parts/more.tsx';
import { Content, Empty, Page } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useRun } from '../../parts/run.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { tell } from '../../parts/toasts.tsx';
import { documentsIn, Time } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { usePages } from '../../session/pages.ts';
import { WithHistory } from '../document/history.tsx';
import { restore } from '../document/versions.ts';

interface DeletedProps {
  readonly type: string;
}

export function Deleted({ type }: DeletedProps) {
  return (
    <Page
      title={`Deleted ${type}`}
      wide
      above={<a href={wayTo(['documents', type])}>{type}</a>}
      lead="Deleted documents that can be restored, newest first."
    >
      <WithHistory type={type}>{() => <Trash type={type} />}</WithHistory>
    </Page>
  );
}

function Trash({ type }: DeletedProps) {
  const page = usePages(pathOf(type), { deleted: 'true', 'page[size]': '50' });
  const names = useNames(page.rows.flatMap((row) => linkIn(endOf(row)['user']) ?? []));
  const restoring = useRun(async (rows: readonly Resource[]) => {
    try {
      for (const row of rows) await restore(row, Number(endOf(row)['number']));
      tell(`${documentsIn(rows.length)} restored.`);
    } finally {
      page.reload();
    }
  });
  const columns: readonly Column<Resource>[] = [
    {
      head: 'Document',
      isHead: true,
      cell: (row) => <a href={wayTo(['documents', type, row.id])}>{nameOf(row) ?? <code>{row.id}</code>}</a>,
    },
    { head: 'Deleted', class: 'nowrap', cell: (row) => <Time iso={isoOf(endOf(row)['at'])} /> },
    { head: 'Kept until', class: 'nowrap', cell: (row) => <Time iso={isoOf(endOf(row)['until'])} /> },
    {
      head: 'By',
      cell: (row) => {
        const user = linkIn(endOf(row)['user']);
        return user && <Linked link={user} {...names} />;
      },
    },
    {
      head: 'Restore',
      isUnseen: true,
      cell: (row) => (
        <Button
          look="link"
          label={`Restore ${nameOf(row) ?? row.id}`}
          disabled={restoring.isBusy}
          onClick={() => {
            restoring.run([row]);
          }}
        >
          Restore
        </Button>
      ),
    },
  ];
  return (
    <Content of={page} what="deleted documents">
      {() => (
        <>
          <Problems error={restoring.error} />
          {page.rows.length === 0 ? (
            <Empty title="Nothing to restore." />
          ) : (
            <Table label="Deleted documents" columns={columns} rows={page.rows} keyOf={({ id }) => id} />
          )}
          <p class="row">
            {page.rows.length > 1 && (
              <Button
                disabled={restoring.isBusy}
                onClick={() => {
                  restoring.run(page.rows);
                }}
              >
                Restore {documentsIn(page.rows.length)}
              </Button>
            )}
            <More of={page}>Show more</More>
          </p>
        </>
      )}
    </Content>
  );
}

/** What is known of a deletion. */
function endOf({ meta }: Resource) {
  const deleted = meta?.['deleted'];
  return isMembers(deleted) ? deleted : {};
}
