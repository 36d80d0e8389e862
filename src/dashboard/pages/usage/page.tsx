/** What the application uses, as the operator is told it, against its quotas: in all, by type, by key. */
import { pathOf } from '../../../client/paths.ts';
import { Button, Opener } from '../../parts/button.tsx';
import { Dialog } from '../../parts/fields/dialog.tsx';
import { isMembers, stringIn, type Members } from '../../parts/fields/json.ts';
import { Content, counted, Empty, LoadedTable, Page, Table, type Column } from '../../parts/page.tsx';
import { bytesText, countText } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { APPLICATION, application } from '../../session/credentials.ts';
import { askMeta, read, useLoad } from '../../session/service.ts';

interface Sum {
  readonly requests: number;
  readonly errors: number;
  readonly documents: number;
  readonly bytes: number;
}

interface TypeUsage extends Sum {
  readonly name: string;
  readonly indexed: readonly { readonly path: string; readonly built: number }[];
  readonly calls: number;
  readonly 'rows-read': number;
  readonly 'rows-written': number;
}

interface KeyUsage {
  readonly id: string;
  readonly name?: string;
  readonly requests: number;
  readonly errors: number;
}

interface Usage extends Sum {
  readonly types: readonly TypeUsage[];
  readonly 'api-keys': readonly KeyUsage[];
}

const OWN = /^(core|agt)\./;

export default function UsagePage() {
  const id = application.value?.id ?? '';
  const used = useLoad(
    async (signal) => {
      const usage = await askMeta<Usage>('GET', pathOf(APPLICATION, id, 'usage'), { signal });
      const { quotas } = (await read({ type: APPLICATION, id }, '', signal))?.document.attributes ?? {};
      return { usage, quotas: isMembers(quotas) ? quotas : {} };
    },
    [id],
  );
  return (
    <Page
      title="Usage"
      lead="Documents and bytes are exact. Requests, calls and rows are up to 20 seconds late."
      wide
      actions={
        <>
          <Button onClick={used.reload}>Refresh</Button>
          <Opener dialog={(close) => <Findings id={id} onClose={close} />}>Check what is stored</Opener>
          <a class="button" href={wayTo(['applications', id])}>
            Change quotas
          </a>
        </>
      }
    >
      <Content of={used} what="usage">
        {({ usage, quotas }) => (
          <>
            <Sums usage={usage} quotas={quotas} />
            <h2>By type</h2>
            <Table label="By type" columns={TYPE_COLUMNS} rows={usage.types} keyOf={({ name }) => name} />
            <h2>By API key</h2>
            <Table
              label="By API key"
              columns={KEY_COLUMNS}
              rows={usage['api-keys']}
              keyOf={({ id: key }) => key}
            />
          </>
        )}
      </Content>
    </Page>
  );
}

function Sums({ usage, quotas }: { readonly usage: Usage; readonly quotas: Members }) {
  const types = usage.types.filter(({ name, documents }) => !OWN.test(name) && documents > 0).length;
  const figures = [
    { name: 'documents', title: 'Documents', used: usage.documents, text: countText },
    { name: 'bytes', title: 'Storage', used: usage.bytes, text: bytesText },
    { name: 'types', title: 'Types', used: types, text: countText },
    { name: 'requests', title: 'Requests', used: usage.requests, text: countText },
    { name: 'errors', title: 'Errors', used: usage.errors, text: countText },
  ];
  return (
    <dl class="across figures">
      {figures.map(({ name, title, used, text }) => {
        const limit = quotas[name];
        return (
          <div class="card" key={name}>
            <dt class="soft fine">{title}</dt>
            <dd class="big">{text(used)}</dd>
            {typeof limit === 'number' && (
              <dd class="soft">
                {name === 'requests' ? (
                  `at most ${text(limit)} a second`
                ) : (
                  <>
                    of {text(limit)}
                    <progress
                      class={used > limit * 0.9 ? 'share full' : 'share'}
                      aria-label={`${title}: share of the quota`}
                      max={limit}
                      value={Math.min(used, limit)}
                    />
                  </>
                )}
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

const TYPE_COLUMNS: readonly Column<TypeUsage>[] = [
  {
    head: 'Type',
    class: 'name-cell',
    cell: ({ name }) => (OWN.test(name) ? name : <a href={wayTo(['documents', name])}>{name}</a>),
  },
  {
    head: 'Indexes',
    cell: ({ indexed }) =>
      indexed.map(({ path, built }) => (
        <span class="tag" key={path}>
          {path}
          {built < 1 && ` ${Math.floor(built * 100)} % built`}
        </span>
      )),
  },
  counted('Documents', ({ documents }) => documents),
  counted('Storage', ({ bytes }) => bytes, bytesText),
  counted('Requests', ({ requests }) => requests),
  counted('Errors', ({ errors }) => errors),
  counted('Calls', ({ calls }) => calls),
  counted('Rows read', (type) => type['rows-read']),
  counted('Rows written', (type) => type['rows-written']),
];

const KEY_COLUMNS: readonly Column<KeyUsage>[] = [
  {
    head: 'Key',
    class: 'name-cell',
    cell: ({ id, name }) => (
      <>
        {name ?? 'a deleted key'} <span class="soft mono">{id}</span>
      </>
    ),
  },
  counted('Requests', ({ requests }) => requests),
  counted('Errors', ({ errors }) => errors),
];

/** What needs attention: rules that would be refused or warned of now, and lists that writes wait for. */
function Findings({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const path = pathOf(APPLICATION, id, 'findings');
  const findings = useLoad(
    async (signal) => (await askMeta<{ findings: readonly Members[] }>('GET', path, { signal })).findings,
    [],
  );
  return (
    <Dialog title="What needs attention" wide onClose={onClose}>
      <LoadedTable
        of={findings}
        what="findings"
        empty={<Empty title="Nothing needs attention." />}
        columns={[
          {
            head: 'Where',
            isHead: true,
            cell: ({ document, pointer }) => (
              <code>
                {stringIn(document)}
                {stringIn(pointer)}
              </code>
            ),
          },
          { head: 'What', class: 'wrap', cell: ({ detail }) => stringIn(detail) },
        ]}
      />
    </Dialog>
  );
}
