/** The first page of an application: what there is of each type, and figures; where there is nothing, how to begin. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { idOfSecond } from '../../../domain/ids.ts';
import { asCurl } from '../../frame/code.ts';
import { openPages } from '../../frame/current.tsx';
import { Button, CodeBlock, Problems, useSubmit } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields/form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Content, Page, Table } from '../../parts/page.tsx';
import { bytesText, countText, documentsIn } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { application, APPLICATION, isOperator, mayList } from '../../session/credentials.ts';
import { askMeta, BASE, create, exchanges, list, listNone, useLoad } from '../../session/service.ts';
import { largestOf, readTypes, type StoredType } from '../../session/types.ts';
import { Cell } from '../documents/cell.tsx';
import { textOfValue } from '../documents/filter/condition.ts';
import { readRecent } from '../requests/recent.tsx';

/** Tiles that there are at most. */
const SHOWN = 60;

export default function Overview() {
  const open = application.value;
  const [made, setMade] = useState<FirstDocument>();
  const types = useLoad(readTypes, [open?.id]);
  return (
    <Page title={open?.name ?? 'Overview'} lead={open && <code>{open.id}</code>}>
      <Content of={types} what="types">
        {(all) =>
          all.length > 0 ? (
            <>
              <Figures types={all} />
              <ul class="across">
                {all.slice(0, SHOWN).map(({ name, documents, bytes }) => (
                  <li key={name}>
                    <a class="card tile" href={wayTo(['documents', name])} title={name}>
                      <strong>{name}</strong>
                      <span class="row spread soft fine">
                        <span>{documents === undefined ? 'counted by rights' : documentsIn(documents)}</span>
                        {bytes !== undefined && <span>{bytesText(bytes)}</span>}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
              {all.length > SHOWN && (
                <p>
                  <a href={wayTo(['documents'])}>All {countText(all.length)} types</a>
                </p>
              )}
              <h2>Go on</h2>
              <Onward />
            </>
          ) : (
            <>
              <p class="lead">
                {made === undefined
                  ? 'This application has no documents yet. The first minute:'
                  : 'This application has its first document.'}
              </p>
              <FirstMinute made={made} onMade={setMade} />
            </>
          )
        }
      </Content>
    </Page>
  );
}

type Figure = readonly [name: string, value: string | undefined, page?: string];

/** What an application holds, what came lately, what is asked of it, and what waits. Each leads on. */
export function Figures({ types }: { readonly types: readonly StoredType[] }) {
  const { value: lately = [] } = useLoad((signal) => readLately(types, signal), [types]);
  const held: readonly Figure[] = [
    [types.length === 1 ? 'type' : 'types', countText(types.length)],
    ['documents', sumOf(types, 'documents', countText)],
    ['stored', sumOf(types, 'bytes', bytesText)],
  ];
  return (
    <dl class="across figures">
      {[...held, ...lately].map(
        ([name, value, page]) =>
          value !== undefined && (
            <div key={name}>
              <dt class="soft fine">{name}</dt>
              <dd>{page === undefined ? value : <a href={wayTo([page])}>{value}</a>}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** The sum over all types, in words; undefined where one does not tell. */
function sumOf(types: readonly StoredType[], of: 'documents' | 'bytes', text: (sum: number) => string) {
  const known = types.map((type) => type[of]).filter((amount) => amount !== undefined);
  return known.length < types.length ? undefined : text(known.reduce((sum, amount) => sum + amount, 0));
}

/** What cannot be read is left out. */
async function readLately(types: readonly StoredType[], signal: AbortSignal): Promise<readonly Figure[]> {
  const read = [readGrowth(types, signal), readTraffic(signal), readWaiting(signal)];
  return (await Promise.all(read.map((each) => each.catch(() => [])))).flat();
}

const DAYS = 7;

/** Ids begin with the time at which they were made. Where rights decide what is seen, counting takes too long. */
async function readGrowth(types: readonly StoredType[], signal: AbortSignal): Promise<readonly Figure[]> {
  if (types.some(({ documents }) => documents === undefined)) return [];
  const $oid = idOfSecond(Math.floor(Date.now() / 1_000) - DAYS * 86_400);
  const query = { 'filter[id]': JSON.stringify({ $gte: { $oid } }) };
  const counts = largestOf(types).map(async ({ name }) => (await listNone(name, query, signal)).count ?? 0);
  return [
    [`new in ${DAYS} days`, countText((await Promise.all(counts)).reduce((sum, each) => sum + each, 0))],
  ];
}

async function readTraffic(signal: AbortSignal): Promise<readonly Figure[]> {
  const { value: { id } = {} } = application;
  if (!isOperator.value || id === undefined) return [];
  const [{ requests }, { errors }] = await Promise.all([
    askMeta<{ requests: number }>('GET', pathOf(APPLICATION, id, 'usage'), { signal }),
    readRecent(id, signal),
  ]);
  const refused = errors.reduce((sum, { count = 0 }) => sum + count, 0);
  return [
    ['requests', countText(requests), 'usage'],
    ['errors today', countText(refused), 'requests'],
  ];
}

/** Webhooks whose calls are asked for, one by one. */
const HOOKS = 20;

/** Mails and calls that are to be sent, or were given up: only where there are some. */
async function readWaiting(signal: AbortSignal): Promise<readonly Figure[]> {
  const [mails, hooks] = [pathOf('core.mail'), pathOf('core.webhook')];
  const { documents } = mayList(hooks)
    ? await list(hooks, { 'page[limit]': String(HOOKS), 'fields[core.webhook]': '' }, signal)
    : { documents: [] };
  const queues = [
    ...(mayList(mails) ? [['mails', mails] as const] : []),
    ...documents.map(({ id }) => ['calls', `${hooks}/${id}`] as const),
  ];
  const told = queues.map(async ([what, path]) => {
    const queue = await askMeta<Record<'waiting' | 'dead', number>>('GET', `${path}/deliveries`, { signal });
    const { waiting, dead } = queue;
    return [[`${what} waiting`, waiting] as const, [`${what} given up`, dead] as const];
  });
  const byName = Map.groupBy((await Promise.all(told)).flat(), ([name]) => name);
  return [...byName].flatMap(([name, all]) => {
    const sum = all.reduce((before, [, count]) => before + count, 0);
    const page = name.startsWith('mails') ? 'mailbox' : 'webhooks';
    return sum === 0 ? [] : [[name, countText(sum), page] as const];
  });
}

/** A field of the form; the value is text as it is typed. */
interface Entry {
  readonly name: string;
  readonly value: string;
}

const EXAMPLE: readonly Entry[] = [
  { name: 'title', value: 'On edges' },
  { name: 'words', value: '1200' },
];

export interface FirstDocument {
  readonly document: Resource;
  /** The request that made it, for a shell. */
  readonly curl: string;
}

interface FirstMinuteProps {
  /** The document, once it is made. */
  readonly made: FirstDocument | undefined;
  readonly onMade: (made: FirstDocument) => void;
}

/** A first document by a form, the request that made it, and where to go next. */
export function FirstMinute({ made, onMade }: FirstMinuteProps) {
  const next = made === undefined ? 'step later' : 'step now';
  return (
    <ol class="steps">
      <li class={made === undefined ? 'step now' : 'step done'}>
        <h2>Create a document</h2>
        {made === undefined ? (
          <FirstForm onMade={onMade} />
        ) : (
          <p>
            <Icon name="check" /> Done: the type <code>{made.document.type}</code> began with it.
          </p>
        )}
      </li>
      <li class={next}>
        <h2>See it, and the request that made it</h2>
        {made === undefined ? (
          <p class="soft">You get a row in a table, and a command for your shell.</p>
        ) : (
          <>
            <Made document={made.document} />
            <CodeBlock text={made.curl} label="The same as curl" />
          </>
        )}
      </li>
      <li class={next}>
        <h2>Go on</h2>
        <Onward />
      </li>
    </ol>
  );
}

function FirstForm({ onMade }: { readonly onMade: (made: FirstDocument) => void }) {
  const [type, setType] = useState('articles');
  const [entries, setEntries] = useState(EXAMPLE);
  const { error, isBusy, submit } = useSubmit(async () => {
    const named = entries.filter(({ name }) => name !== '');
    // A number where it is one, else text: as JSON would have it.
    const valueOf = (text: string): unknown => JSON.parse(textOfValue(text, 'null'));
    const attributes = Object.fromEntries(named.map(({ name, value }) => [name, valueOf(value)]));
    const document = await create(type, { attributes });
    const [exchange] = exchanges.value;
    if (document !== null && exchange !== undefined) onMade({ document, curl: asCurl(exchange) });
  });
  const change = (at: number, member: keyof Entry) => (text: string) =>
    setEntries(entries.map((entry, index) => (index === at ? { ...entry, [member]: text } : entry)));
  return (
    <form class="stack" onSubmit={submit} aria-label="A first document">
      <p class="soft">A document has a type and fields. Nothing must be declared first.</p>
      <TextField label="Type" required value={type} onText={setType} />
      {entries.map(({ name, value }, at) => (
        <div class="across" key={at}>
          <TextField label={`Field ${at + 1}`} value={name} onText={change(at, 'name')} />
          <TextField label={`Value ${at + 1}`} value={value} onText={change(at, 'value')} />
        </div>
      ))}
      <Problems error={error} />
      <div class="row">
        <Button look="primary" disabled={isBusy}>
          Create
        </Button>
        <Button icon="add" onClick={() => setEntries([...entries, { name: '', value: '' }])}>
          Another field
        </Button>
      </div>
    </form>
  );
}

/** The document as a row, as the table of its type will show it. */
function Made({ document }: { readonly document: Resource }) {
  const { type, id, attributes = {} } = document;
  const columns = Object.keys(attributes).map((name) => ({
    head: name,
    cell: () => <Cell document={document} name={name} />,
  }));
  const link = <a href={wayTo(['documents', type, id])}>{id}</a>;
  return (
    <>
      <Table
        label="The first document"
        rows={[document]}
        columns={[{ head: 'id', class: 'mono', cell: () => link }, ...columns]}
      />
      <p>
        <a href={wayTo(['documents', type])}>Open the table of {type}</a>
      </p>
    </>
  );
}

/** Pages, and guides. */
const ONWARD = [
  [wayTo(['users']), 'Users', 'Create users and groups, and say who may see what.'],
  [wayTo(['schemas']), 'Schemas', 'A schema checks every write of a type.'],
  [wayTo(['keys']), 'API keys', 'Create a key that may do only what your page needs.'],
  [`${BASE}/docs/client`, 'The client', 'Documents as objects in JavaScript and TypeScript.'],
  [`${BASE}/docs/search`, 'Search', 'Filters, text, places and pages.'],
  [`${BASE}/docs/guides/todo`, 'A to-do app in one file', 'People, lists that they share, and live changes.'],
] as const;

/** Where to go from here: what these credentials may open. */
export function Onward() {
  const open = new Set(openPages().map(({ name }) => wayTo([name])));
  return (
    <ul class="onward">
      {ONWARD.filter(([way]) => !way.startsWith('#') || open.has(way)).map(([way, title, words]) => (
        <li key={way}>
          <a href={way} {...(!way.startsWith('#') && { target: '_blank', rel: 'noreferrer' })}>
            {title}
          </a>
          <span class="soft">{words}</span>
        </li>
      ))}
    </ul>
  );
}
