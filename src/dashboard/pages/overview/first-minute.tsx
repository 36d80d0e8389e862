/** The first minute of an application: a first document by a form, the request that made it, and where to go next. */
import { useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { asCurl } from '../../frame/code.ts';
import { openPages } from '../../frame/current.tsx';
import { Button, CodeBlock } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields/form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSubmit } from '../../parts/run.ts';
import { Table } from '../../parts/table.tsx';
import { wayTo } from '../../route.ts';
import { create } from '../../session/documents.ts';
import { BASE, exchanges } from '../../session/service.ts';
import { textOfValue } from '../documents/filter/condition.ts';
import { Cell } from '../documents/cell.tsx';

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
