/** The history of a document: who has changed it and when, what each change was, and making it what it was. */
import type { ComponentChildren } from 'preact';
import type { Link, Resource } from '../../../client/transport.ts';
import type { Json } from '../../../client/values.ts';
import { Button, Opener } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { linkIn, member, stringIn } from '../../parts/json.ts';
import { isoOf } from '../../parts/kinds.ts';
import { Linked, useNames } from '../../parts/names.tsx';
import { More } from '../../parts/more.tsx';
import { Content, Empty } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/run.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { tell } from '../../parts/toasts.tsx';
import { Time } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { usePages } from '../../session/pages.ts';
import { Shown } from './conflict.tsx';
import { BLANK, changedFields, type Draft, type Linkage } from './draft.ts';
import { hasHistory, pathOfVersions, readVersion, restore } from './versions.ts';

interface HistoryProps {
  readonly link: Link;
  /** What the document is; undefined where it was deleted. */
  readonly now: Draft | undefined;
  /** Something is written here that was not saved. */
  readonly isDirty?: boolean;
  readonly onRestored: () => void;
}

export function History(props: HistoryProps) {
  return <WithHistory type={props.link.type}>{() => <Versions {...props} />}</WithHistory>;
}

/** What is there only where a type has a history. */
export function WithHistory({
  type,
  children,
}: {
  readonly type: string;
  readonly children: () => ComponentChildren;
}) {
  const has = useLoad((signal) => hasHistory(type, signal), [type]);
  return (
    <Content of={has} what="the history">
      {(isThere) => (isThere ? children() : <NoHistory type={type} />)}
    </Content>
  );
}

function Versions({ link, now, isDirty = false, onRestored }: HistoryProps) {
  const page = usePages(pathOfVersions(link), { 'page[size]': '20' });
  const names = useNames(page.rows.flatMap(({ attributes }) => linkIn(attributes?.['user']) ?? []));
  const columns: readonly Column<Resource>[] = [
    { head: 'Version', isHead: true, cell: numberOf },
    { head: 'Change', cell: ({ attributes }) => stringIn(attributes?.['change']) },
    { head: 'When', class: 'nowrap', cell: ({ attributes }) => <Time iso={isoOf(attributes?.['at'])} /> },
    {
      head: 'Who',
      cell: ({ attributes }) => {
        const user = linkIn(attributes?.['user']);
        if (user) return <Linked link={user} {...names} />;
        const key = attributes?.['key'];
        return key === undefined || key === null ? (
          stringIn(attributes?.['user'])
        ) : (
          <span>
            key <code>{stringIn(key)}</code>
          </span>
        );
      },
    },
    {
      head: 'What changed',
      isUnseen: true,
      cell: (version) => (
        <Opener
          look="link"
          label={`What changed in version ${numberOf(version)}`}
          dialog={(close) => (
            <Compared
              link={link}
              version={version}
              now={now}
              isDirty={isDirty}
              onClose={close}
              onRestored={() => {
                close();
                page.reload();
                onRestored();
              }}
            />
          )}
        >
          What changed
        </Opener>
      ),
    },
  ];
  return (
    <Content of={page} what="the history">
      {() => (
        <>
          <Table label="Versions" columns={columns} rows={page.rows} keyOf={({ id }) => id} />
          <More of={page}>Show older versions</More>
        </>
      )}
    </Content>
  );
}

function NoHistory({ type }: { readonly type: string }) {
  return (
    <Empty title={`Documents of type ${type} have no history.`}>
      <p>
        The setting <code>history</code> of the type keeps former versions, also of deleted documents.
      </p>
      <a class="button" href={wayTo(['schemas'])}>
        Types and schemas
      </a>
    </Empty>
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
  const { error, isBusy, submit } = useSubmit(async () => {
    await restore(link, number);
    tell(`The document is what version ${number} was.`);
    onRestored();
  });
  const was = drafts.value?.was;
  const isNow = now !== undefined && was !== undefined && changedFields(was, now).length === 0;
  return (
    <Dialog
      title={`Version ${number}`}
      wide
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          {isDirty && <span class="soft">Save or discard your changes first.</span>}
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" disabled={was === undefined || isNow || isDirty || isBusy}>
            Restore version {number}
          </Button>
        </>
      }
    >
      <Content of={drafts} what="the version">
        {({ before }) => (
          <Table
            label={`Fields of version ${number}`}
            class="conflict"
            rows={rowsOf(before, was, now)}
            keyOf={({ key }) => key}
            columns={[
              { head: 'Field', isHead: true, cell: ({ name }) => name },
              { head: 'Before', cell: (row) => <Shown value={row.before} /> },
              { head: `Version ${number}`, cell: (row) => <Shown value={row.was} /> },
              { head: 'Now', cell: (row) => <Shown value={row.now} /> },
            ]}
          />
        )}
      </Content>
      <Problems error={error} />
    </Dialog>
  );
}

/** The fields in which one of the three differs. */
function rowsOf(before: Draft = BLANK, was: Draft = BLANK, now: Draft = BLANK) {
  const names = new Set([...changedFields(before, was), ...changedFields(was, now)]);
  return (['attributes', 'relationships'] as const).flatMap((part) =>
    [...names]
      .filter((name) => [before, was, now].some((draft) => Object.hasOwn(draft[part], name)))
      .map((name) => {
        const [one, two, three] = [before, was, now].map((draft) =>
          member<Json | Linkage>(draft[part], name),
        );
        return { key: `${part}/${name}`, name, before: one, was: two, now: three };
      }),
  );
}
