/**
 * The history of a document (docs/history.md): who has changed it and when, what each change was, and making it what it
 * was. And the deleted documents of a type.
 */
import type { ComponentChildren } from 'preact';
import { pathOf } from '../../../client/paths.ts';
import type { Link, Resource } from '../../../client/transport.ts';
import { Button, notify, Opener, Problems, useRun } from '../../parts/button.tsx';
import { FormDialog } from '../../parts/fields/dialog.tsx';
import { isMembers, linkIn, stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { Linked, nameOf } from '../../parts/fields/names.tsx';
import { Content, Empty, LoadedTable, More, Page, type Column } from '../../parts/page.tsx';
import { documentsIn, Time } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { usePages } from '../../session/pages.ts';
import { useLoad } from '../../session/service.ts';
import { columnOf, Differences, Who } from './conflict.tsx';
import { BLANK, differencesOf, type Draft } from './draft.ts';
import { hasHistory, pathOfVersions, readVersion, restore } from './versions.ts';

interface HistoryProps {
  readonly link: Link;
  /** What the document is; undefined where it was deleted. */
  readonly now: Draft | undefined;
  readonly isDirty?: boolean;
  readonly onRestored: () => void;
}

export function History(props: HistoryProps) {
  return <WithHistory type={props.link.type}>{() => <Versions {...props} />}</WithHistory>;
}

interface WithHistoryProps {
  readonly type: string;
  readonly children: () => ComponentChildren;
}

/** What is there only where a type has a history. */
function WithHistory({ type, children }: WithHistoryProps) {
  const has = useLoad((signal) => hasHistory(type, signal), [type]);
  return (
    <Content of={has} what="the history">
      {(isThere) =>
        isThere ? (
          children()
        ) : (
          <Empty title={`Documents of type ${type} have no history.`}>
            <p>
              The setting <code>history</code> of the type keeps former versions, also of deleted documents.
            </p>
            <a class="button" href={wayTo(['schemas'])}>
              Types and schemas
            </a>
          </Empty>
        )
      }
    </Content>
  );
}

function Versions(props: HistoryProps) {
  const page = usePages(pathOfVersions(props.link), {}, { size: 20 });
  const columns: readonly Column<Resource>[] = [
    { head: 'Version', isHead: true, cell: numberOf },
    { head: 'Change', cell: ({ attributes }) => stringIn(attributes?.['change']) },
    { head: 'When', class: 'nowrap', cell: ({ attributes }) => <Time iso={isoOf(attributes?.['at'])} /> },
    { head: 'Who', cell: ({ attributes = {} }) => <Who of={attributes} /> },
    {
      head: 'What changed',
      isUnseen: true,
      cell: (version) => (
        <Opener
          look="link"
          label={`What changed in version ${numberOf(version)}`}
          dialog={(close) => <Compared {...props} version={version} onClose={close} />}
        >
          What changed
        </Opener>
      ),
    },
  ];
  return (
    <>
      <LoadedTable {...{ of: page, what: 'the history', label: 'Versions', columns, empty: null }} />
      <More of={page}>Show older versions</More>
    </>
  );
}

function numberOf({ attributes }: Resource): number {
  return Number(attributes?.['number']);
}

interface ComparedProps extends HistoryProps {
  readonly version: Resource;
  readonly onClose: () => void;
}

/** A version beside the one before it and what the document is now. */
function Compared({ link, version, now, isDirty = false, onClose, onRestored }: ComparedProps) {
  const number = numberOf(version);
  const drafts = useLoad(
    async (signal) => {
      const [before, was] = await Promise.all([number - 1, number].map((n) => readVersion(link, n, signal)));
      return { before, was };
    },
    [number],
  );
  const was = drafts.value?.was ?? undefined;
  const isNow = now !== undefined && was !== undefined && differencesOf(was, now).length === 0;
  return (
    <FormDialog
      title={`Version ${number}`}
      wide
      action={`Restore version ${number}`}
      cancel="Close"
      note={isDirty && 'Save or discard your changes first.'}
      isReady={was !== undefined && !isNow && !isDirty}
      onClose={onClose}
      onSubmit={async () => {
        await restore(link, number);
        notify(`The document is what version ${number} was.`);
        onRestored();
      }}
    >
      <Content of={drafts} what="the version">
        {({ before }) => (
          <>
            <Differences
              label={`Fields of version ${number}`}
              of={differencesOf((before === undefined ? was : before) ?? BLANK, was ?? BLANK, now ?? BLANK)}
              columns={['Before', `Version ${number}`, 'Now'].flatMap((head, at) =>
                at === 0 && before === undefined ? [] : columnOf(head, at),
              )}
            />
            {before === undefined && <p class="hint">Version {number - 1} is not kept any more.</p>}
          </>
        )}
      </Content>
    </FormDialog>
  );
}

/** The trash of a type: its deleted documents that can be restored. */
export function Deleted({ type }: { readonly type: string }) {
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

function Trash({ type }: { readonly type: string }) {
  const page = usePages(pathOf(type), { deleted: 'true' });
  const restoring = useRun(async (rows: readonly Resource[]) => {
    try {
      for (const row of rows) await restore(row, Number(endOf(row)['number']));
      notify(`${documentsIn(rows.length)} restored.`);
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
    { head: 'By', cell: (row) => <Linked link={linkIn(endOf(row)['user'])} /> },
    {
      head: 'Restore',
      isUnseen: true,
      cell: (row) => (
        <Button
          look="link"
          label={`Restore ${nameOf(row) ?? row.id}`}
          disabled={restoring.isBusy}
          onClick={() => restoring.run([row])}
        >
          Restore
        </Button>
      ),
    },
  ];
  return (
    <>
      <Problems error={restoring.error} />
      <LoadedTable
        {...{ of: page, what: 'deleted documents', label: 'Deleted documents', columns }}
        empty={<Empty title="Nothing to restore." />}
      />
      <p class="row">
        {page.documents.length > 1 && (
          <Button disabled={restoring.isBusy} onClick={() => restoring.run(page.documents)}>
            Restore {documentsIn(page.documents.length)}
          </Button>
        )}
        <More of={page}>Show more</More>
      </p>
    </>
  );
}

function endOf({ meta }: Resource) {
  const deleted = meta?.['deleted'];
  return isMembers(deleted) ? deleted : {};
}
