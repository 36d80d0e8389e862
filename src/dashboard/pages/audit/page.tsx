/** The audit trail: who has changed which document, and when. */
import type { Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { Collection } from '../../parts/collection.tsx';
import { TextField } from '../../parts/fields/form.tsx';
import { isItems, linkIn, stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { Linked, wayToLink } from '../../parts/fields/names.tsx';
import type { Column } from '../../parts/page.tsx';
import { Time } from '../../parts/words.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { application, isOperator } from '../../session/credentials.ts';

export const ENTRY = 'core.audit-entry';

const textIn =
  (name: string) =>
  ({ attributes }: Resource) =>
    stringIn(attributes?.[name]);

/** Each name leads on. */
export const ENTRY_COLUMNS: readonly Column<Resource>[] = [
  { head: 'When', class: 'nowrap', cell: ({ attributes }) => <Time iso={isoOf(attributes?.['at'])} /> },
  { head: 'Change', cell: textIn('change') },
  {
    head: 'Document',
    cell: ({ attributes }) => {
      const type = stringIn(attributes?.['target-type']);
      const id = stringIn(attributes?.['target-id']);
      return (
        <>
          {type}{' '}
          <a class="mono" href={wayToLink({ type, id })}>
            {id}
          </a>
        </>
      );
    },
  },
  {
    head: 'Fields',
    class: 'wrap',
    cell: ({ attributes }) => {
      const fields = attributes?.['fields'];
      return isItems(fields) ? fields.map(stringIn).join(', ') : stringIn(fields);
    },
  },
  {
    head: 'Key',
    class: 'nowrap',
    cell: (entry) => (
      <a href={wayToLink({ type: 'core.api-key', id: textIn('key')(entry) })}>{textIn('key-name')(entry)}</a>
    ),
  },
  { head: 'Request', class: 'mono', cell: textIn('method') },
];

const USER_COLUMN: Column<Resource> = {
  head: 'User',
  cell: ({ attributes }) => <Linked link={linkIn(attributes?.['user'])} />,
};

const FILTERS = [
  ['target-type', 'Type'],
  ['target-id', 'Id of the document'],
  ['key-name', 'Name of the key'],
  ['user.id', 'Id of the user'],
] as const;

export default function Audit() {
  const query = Object.fromEntries(route.value.query);
  const filters = FILTERS.flatMap(([name]) =>
    query[name] === undefined ? [] : [[`filter[${name}]`, JSON.stringify(query[name])] as const],
  );
  return (
    <Collection
      title="Audit trail"
      lead="Who changed which document, and when. It holds no values."
      wide
      type={ENTRY}
      what="entries"
      query={{ sort: '-at', ...Object.fromEntries(filters) }}
      actions={(reload) => (
        <>
          <Button onClick={reload}>Refresh</Button>
          {isOperator.value && (
            <a class="button" href={wayTo(['applications', application.value?.id ?? ''])}>
              Days to keep entries
            </a>
          )}
        </>
      )}
      above={
        <div class="toolbar">
          {FILTERS.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              value={query[name] ?? ''}
              onText={(text) => {
                const { [name]: _, ...rest } = query;
                replaceWith(wayTo(['audit'], text === '' ? rest : { ...rest, [name]: text }));
              }}
            />
          ))}
        </div>
      }
      empty={{
        title: 'Nothing here yet.',
        children: (
          <p>
            It is kept from the moment on that the operator turns it on: <code>npm run app -- audit</code> or
            on the page of the application.
          </p>
        ),
      }}
      more="Show older entries"
      show={[...ENTRY_COLUMNS, USER_COLUMN]}
    />
  );
}
