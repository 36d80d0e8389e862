/** What a person has created, and what they have changed last. */
import { pathOf } from '../../../client/paths.ts';
import type { Link } from '../../../client/transport.ts';
import { Card } from '../../parts/page.tsx';
import { counted, LoadedTable, type Column } from '../../parts/table.tsx';
import { wayTo } from '../../route.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { largestOf, readTypes } from '../../session/types.ts';
import { ENTRY, ENTRY_COLUMNS } from '../audit/entries.tsx';

/** Of one type. */
interface Created {
  readonly type: string;
  readonly count: number;
  readonly way: string;
}

async function readCreated(id: string, signal: AbortSignal): Promise<readonly Created[]> {
  const filter = { 'filter[$creator.id]': JSON.stringify({ $oid: id }) };
  const types = largestOf(await readTypes(signal));
  const lists = types.map(async ({ name }) => {
    const few = { 'page[limit]': '1', [`fields[${name}]`]: '$created' };
    const { count = 0 } = await list(pathOf(name), { ...filter, ...few }, signal);
    return { type: name, count, way: wayTo(['documents', name], filter) };
  });
  const found = await Promise.all(lists);
  return found.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
}

const COLUMNS: readonly Column<Created>[] = [
  { head: 'Type', cell: ({ type, way }) => <a href={way}>{type}</a> },
  counted('Documents', ({ count }) => count),
];

export function Theirs({ person: { id } }: { readonly person: Link }) {
  const created = useLoad((signal) => readCreated(id, signal), [id]);
  const empty = <p class="soft">No documents.</p>;
  return (
    <Card title="Created">
      <LoadedTable of={created} what="documents by creator" columns={COLUMNS} empty={empty} />
    </Card>
  );
}

/** Entries that are shown. */
const LAST = 10;

export function Done({ person: { id } }: { readonly person: Link }) {
  const query = { 'filter[user.id]': JSON.stringify(id), sort: '-at', 'page[size]': String(LAST) };
  const entries = useLoad(async (signal) => (await list(pathOf(ENTRY), query, signal)).documents, [id]);
  return (
    <Card title="Last changes" actions={<a href={wayTo(['audit'], { 'user.id': id })}>Audit trail</a>}>
      <LoadedTable
        of={entries}
        what="changes"
        columns={ENTRY_COLUMNS.filter(({ head }) => head !== 'User')}
        empty={<p class="soft">None while the audit trail was on.</p>}
      />
    </Card>
  );
}
