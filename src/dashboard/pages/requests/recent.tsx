/** Requests of the open application now: the last, the errors of the day and the slowest. Each name leads on. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { keyOfLink, Linked, wayToLink } from '../../parts/fields/names.tsx';
import { Table, type Column } from '../../parts/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { countText, cut, durationText, Time } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { APPLICATION } from '../../session/credentials.ts';
import { askMeta, BASE } from '../../session/service.ts';

interface Noted {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string | null;
  readonly type: string | null;
  readonly key: string;
  readonly 'key-name': string | null;
  readonly user: Link | null;
  readonly status: number;
  readonly code: string | null;
  readonly milliseconds: number;
  /** Of requests that were refused alike. */
  readonly count?: number;
  readonly search: {
    readonly way: string;
    readonly scan: boolean;
    readonly 'documents-visited': number;
    readonly parameters: readonly string[];
  } | null;
}

export type Recent = Readonly<Record<keyof typeof TABS, readonly Noted[]>>;

export async function readRecent(application: string, signal: AbortSignal): Promise<Recent> {
  const path = pathOf(APPLICATION, application, 'requests');
  const recent = await askMeta<Omit<Recent, 'errors'> & { errors: readonly Refused[] }>('GET', path, {
    signal,
  });
  return { ...recent, errors: recent.errors.map(({ count, last }) => ({ ...last, count })) };
}

/** The last request that was refused so, and how many were. */
interface Refused {
  readonly count: number;
  readonly last: Noted;
}

const TABS = { requests: 'Now', errors: 'Errors today', slowest: 'Slowest today' } as const;

export function RecentRequests({ recent }: { readonly recent: Recent }) {
  const [open, setOpen] = useState<keyof typeof TABS>('requests');
  const rows = recent[open];
  return (
    <Tabs label="Requests of the application" tabs={TABS} open={open} onOpen={setOpen}>
      {(tab) =>
        rows.length === 0 ? (
          <p class="soft">Nothing here yet.</p>
        ) : (
          <Table label={TABS[tab]} columns={tab === 'errors' ? [COUNT, ...COLUMNS] : COLUMNS} rows={rows} />
        )
      }
    </Tabs>
  );
}

const COUNT: Column<Noted> = { head: 'Times', class: 'number', cell: ({ count = 0 }) => countText(count) };

const COLUMNS: readonly Column<Noted>[] = [
  { head: 'When', class: 'nowrap', cell: ({ at }) => <Time iso={at} style="clock" /> },
  { head: 'Request', class: 'mono wrap', cell: (noted) => <RequestLine {...noted} /> },
  {
    head: 'Key',
    class: 'nowrap',
    cell: ({ key, 'key-name': name }) => (
      <a href={wayToLink({ type: 'core.api-key', id: key })}>{name ?? <code>{key}</code>}</a>
    ),
  },
  { head: 'User', cell: ({ user }) => user && <Linked key={keyOfLink(user)} link={user} /> },
  {
    head: 'Status',
    cell: ({ status, code }) => (
      <>
        <span class={status < 400 ? 'good' : 'bad'}>{status}</span>{' '}
        {code !== null && (
          <a href={`${BASE}/docs/errors#${code}`} target="_blank" rel="noreferrer">
            {code}
          </a>
        )}
      </>
    ),
  },
  { head: 'Time', class: 'number nowrap', cell: ({ milliseconds }) => durationText(milliseconds) },
  { head: 'Search', class: 'nowrap', cell: (noted) => <Plan {...noted} /> },
];

/** Characters of a path and of parameters. */
const SHOWN = 60;

/** Its path leads to its document, or to the table of its type. */
function RequestLine({ method, path, type, search }: Noted) {
  const [, , , id] = path?.split('/') ?? [];
  const way =
    type === null
      ? undefined
      : id !== undefined && /^[0-9a-f]{24}$/.test(id)
        ? wayToLink({ type, id })
        : wayTo(['documents', type]);
  const shown = cut(path ?? '', SHOWN);
  const parameters = search?.parameters ?? [];
  return (
    <>
      {method} {way === undefined ? shown : <a href={way}>{shown}</a>}
      {parameters.length > 0 && <span class="soft">?{cut(parameters.join('&'), SHOWN)}</span>}
    </>
  );
}

/** So many documents are soon looked at. */
const FEW = 1000;

/** How a search was run; it leads to what says more. */
function Plan({ type, search }: Noted) {
  if (search === null || type === null) return null;
  const isSlow = search.scan && search['documents-visited'] > FEW;
  return (
    <a href={wayTo(['plan'], { type })} class={isSlow ? 'bad' : undefined}>
      {search.scan
        ? `all ${countText(search['documents-visited'])} looked at`
        : search.way.replaceAll('-', ' ')}
    </a>
  );
}
