/** The audit trail: who has changed which document, and when. */
import { Button } from '../../parts/button.tsx';
import { Collection } from '../../parts/collection.tsx';
import { TextField } from '../../parts/fields/form.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { application, isOperator } from '../../session/credentials.ts';
import { ENTRY, ENTRY_COLUMNS, USER_COLUMN } from './entries.tsx';

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
        children: () => (
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
