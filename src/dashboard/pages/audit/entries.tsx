/** Entries of the audit trail as a table: who has changed what, and when. */
import type { Resource } from '../../../client/transport.ts';
import { isItems, linkIn, stringIn } from '../../parts/fields/json.ts';
import { isoOf } from '../../parts/fields/kinds.ts';
import { Linked, wayToLink } from '../../parts/fields/names.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/words.tsx';

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

export const USER_COLUMN: Column<Resource> = {
  head: 'User',
  cell: ({ attributes }) => <Linked link={linkIn(attributes?.['user'])} />,
};
