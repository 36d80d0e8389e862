/** The API keys of an application: what each may do, and new ones. */
import { useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import { Button, Opener } from '../../parts/button.tsx';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { stringIn } from '../../parts/json.ts';
import { Empty, Page } from '../../parts/page.tsx';
import { LoadedTable, type Column } from '../../parts/table.tsx';
import { go, wayTo, type PageProps } from '../../route.ts';
import { create, list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { FIELDS, KEY, keyOf, KeyPage, SecureId, type Key } from './key.tsx';
import { BEGINNINGS, isActive } from './permissions.ts';

export default function Keys({ steps: [id] }: PageProps) {
  return id === undefined ? <AllKeys /> : <KeyPage key={id} id={id} />;
}

const COLUMNS: readonly Column<Key>[] = [
  {
    head: 'Name',
    class: 'name-cell',
    cell: ({ id, name }) => <a href={wayTo(['keys', id])}>{name || 'Without a name'}</a>,
  },
  { head: 'Permissions', class: 'number', cell: ({ permissions }) => permissions.length },
  { head: 'For', cell: ({ permissions }) => whomFor(permissions.map(isActive)) },
  { head: 'Requests a second', class: 'number', cell: ({ requests }) => requests ?? '—' },
  { head: 'Id', cell: ({ id }) => <code>{id}</code> },
];

function AllKeys() {
  const keys = useLoad(async (signal) => {
    const query = { [`fields[${KEY}]`]: FIELDS, 'page[size]': '1000', sort: 'name' };
    return (await list(pathOf(KEY), query, signal)).documents.map(keyOf);
  }, []);
  return (
    <Page
      title="API keys"
      lead="Every request carries a key, whose permissions say what it may do."
      wide
      actions={
        <Opener look="primary" icon="add" dialog={(close) => <NewKey onClose={close} />}>
          New key
        </Opener>
      }
    >
      <LoadedTable
        of={keys}
        what="keys"
        columns={COLUMNS}
        empty={<Empty title="No keys that you may see." />}
      />
    </Page>
  );
}

/** Whether rights of users count: with all permissions, with some, or with none. */
function whomFor(active: readonly boolean[]): string {
  if (active.length === 0) return 'nobody';
  if (active.every(Boolean)) return 'users, with their rights';
  return active.some(Boolean) ? 'users, and a trusted service' : 'a trusted service';
}

/** Makes a key, and shows once what it is to be sent as. */
function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [made, setMade] = useState<{
    readonly id: string;
    readonly name: string;
    readonly secureId: string;
  }>();
  if (made !== undefined) {
    const open = () => {
      onClose();
      go(wayTo(['keys', made.id]));
    };
    return (
      <Dialog
        title={`The key ${made.name} was created`}
        onClose={open}
        footer={
          <Button look="primary" onClick={open}>
            Edit its permissions
          </Button>
        }
      >
        <SecureId text={made.secureId} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="New API key"
      action="Create"
      fields={[
        {
          name: 'name',
          label: 'Name',
          required: true,
          autofocus: true,
          hint: 'What it is for: website, import, …',
        },
        {
          name: 'beginning',
          label: 'It may',
          kind: 'choice',
          first: 'nothing',
          options: BEGINNINGS.map(([name, words]) => [name, words]),
        },
      ]}
      stays
      onClose={onClose}
      onSubmit={async ({ name: typed, beginning }) => {
        const name = typed.trim();
        const [, , permissions] = BEGINNINGS.find(([each]) => each === beginning) ?? [];
        const document = await create(KEY, { attributes: { name, permissions } });
        const secureId = stringIn(document?.attributes?.['secure-id']);
        setMade({ id: document?.id ?? '', name, secureId });
      }}
    />
  );
}
