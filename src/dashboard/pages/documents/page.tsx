/** Documents: all types, the table of one, or one document of it. */
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { LineInput } from '../../parts/fields/form.tsx';
import { Content, counted, Empty, Page, Table, type Column } from '../../parts/page.tsx';
import { bytesText, countText } from '../../parts/words.tsx';
import { go, wayTo, type PageProps } from '../../route.ts';
import { application, isOperator } from '../../session/credentials.ts';
import { useLoad } from '../../session/service.ts';
import { readTypes, type StoredType } from '../../session/types.ts';
import { Document } from '../document/document.tsx';
import { Deleted } from '../document/history.tsx';
import { sortOf } from '../document/stored.ts';
import { mayHaveHistory } from '../document/versions.ts';
import { Collection } from './collection.tsx';
import { ImportButton } from './import/file.tsx';

export default function Documents({ steps: [type, id] }: PageProps) {
  if (type === undefined) return <Types />;
  if (id === undefined) return <Collection key={type} type={type} />;
  if (id === 'deleted' && mayHaveHistory(type)) return <Deleted key={type} type={type} />;
  if (id === 'import' && mayHaveHistory(type)) return <LaterImport key={type} type={type} />;
  return <Document key={`${type}/${id}`} sort={sortOf(type)} id={id} />;
}

/** Only who imports loads what that takes. */
function LaterImport({ type }: { readonly type: string }) {
  const loaded = useLoad(() => import('./import/page.tsx'), []);
  return (
    <Content of={loaded} what="the import">
      {({ Import }) => <Import type={type} />}
    </Content>
  );
}

/** Rows that the table of types has at most: whoever looks for one of more types it by its name. */
const SHOWN = 500;

/** The types of an application: how many documents each has, and for the operator how large it is. */
function Types() {
  const types = useLoad(readTypes, [application.value?.id]);
  const [name, setName] = useState('');
  const wanted = name.trim();
  return (
    <Page
      title="Documents"
      lead="A type is created with its first document."
      actions={
        // A line that finds types as one writes. Enter opens a type by its name: one that nobody has used is empty.
        <form
          class="row together"
          onSubmit={(event) => {
            event.preventDefault();
            if (wanted !== '') go(wayTo(['documents', wanted]));
          }}
        >
          <LineInput aria-label="Type" placeholder="Find or open a type" value={name} onText={setName} />
          <Button icon="documents">Open</Button>
          <ImportButton />
        </form>
      }
    >
      <Content of={types} what="types">
        {(all) => <Found all={all} wanted={wanted} />}
      </Content>
    </Page>
  );
}

const COLUMNS: readonly Column<StoredType>[] = [
  { head: 'Type', class: 'wrap', cell: ({ name }) => <a href={wayTo(['documents', name])}>{name}</a> },
  {
    head: 'Documents',
    class: 'number',
    cell: ({ documents }) =>
      documents === undefined ? <span class="soft">by rights</span> : countText(documents),
  },
];
const SIZES: readonly Column<StoredType>[] = [
  counted('Size', ({ bytes }) => bytes, bytesText),
  counted('Learned indexes', ({ indexes }) => indexes),
];

function Found({ all, wanted }: { readonly all: readonly StoredType[]; readonly wanted: string }) {
  if (all.length === 0)
    return (
      <Empty title="No documents yet.">
        <p>Types are listed here, with their number of documents.</p>
        <a class="button primary" href={wayTo(['overview'])}>
          Create the first one
        </a>
      </Empty>
    );
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  if (found.length === 0)
    return (
      <Empty title={`No type has “${wanted}” in its name.`}>
        <p>Press Enter to open it: a type is created with its first document.</p>
      </Empty>
    );
  return (
    <>
      <Table
        label="Types"
        columns={isOperator.value ? [...COLUMNS, ...SIZES] : COLUMNS}
        rows={found.slice(0, SHOWN)}
        keyOf={({ name }) => name}
      />
      {found.length > SHOWN && (
        <p class="hint">
          {countText(SHOWN)} of {countText(found.length)} types. Search to see others.
        </p>
      )}
    </>
  );
}
