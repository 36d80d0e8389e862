/** A table of people or groups: searched by name, page by page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Button } from '../../parts/button.tsx';
import { useQuiet } from '../../parts/choose.tsx';
import { filterOfName } from '../../parts/names.tsx';
import { Content } from '../../parts/page.tsx';
import { useSlashFor } from '../../parts/slash.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { countText } from '../../parts/words.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { list } from '../../session/documents.ts';
import { useLoad } from '../../session/load.ts';
import { calledOf, GROUP } from './people.ts';

interface ListingProps {
  readonly type: string;
  /** As in "Search users". */
  readonly what: string;
  /** The head of the first column. */
  readonly name: string;
  /** What stands after the name. */
  readonly columns?: readonly Column<Resource>[];
  /** The route of the list, and of each behind it. */
  readonly steps: readonly string[];
  readonly empty: ComponentChildren;
}

/** Milliseconds without a key before the service is asked. */
const QUIET = 250;
/** How many a page has. */
const SIZE = 50;

export function Listing({ type, what, name, columns = [], steps, empty }: ListingProps) {
  // What is searched for, and the cursor of the page: both stand in the route.
  const { q: text = '', after = '' } = Object.fromEntries(route.value.query);
  const seek = (query: Readonly<Record<string, string>>) => {
    replaceWith(wayTo(steps, query));
  };
  const found = useLoad((signal) => readPage(type, text, after, signal), [type, text, after]);
  const [typed, setTyped] = useState(text);
  const wanted = useQuiet(typed.trim(), QUIET);
  const input = useRef<HTMLInputElement>(null);
  useSlashFor(input);
  useEffect(() => {
    if (wanted !== text) seek(wanted === '' ? {} : { q: wanted });
  }, [wanted]);
  const { count, next = null } = found.value ?? {};
  const searched = text === '' ? {} : { q: text };
  const all: readonly Column<Resource>[] = [
    {
      head: name,
      class: 'name-cell',
      cell: (document) => <a href={wayTo([...steps, document.id])}>{calledOf(document)}</a>,
    },
    ...columns,
    { head: 'Id', cell: ({ id }) => <code>{id}</code> },
  ];
  return (
    <>
      <div class="toolbar">
        <input
          ref={input}
          type="search"
          aria-label={`Search ${what}`}
          placeholder="A part of a name, or an id"
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
          }}
        />
        {count !== undefined && (
          <span class="soft number" role="status">
            {countText(count)} {text === '' ? what : 'found'}
          </span>
        )}
      </div>
      <Content of={found} what={what}>
        {({ documents }) => {
          if (documents.length > 0)
            return <Table label={what} columns={all} rows={documents} keyOf={({ id }) => id} />;
          return text === '' ? empty : <p class="soft">Nobody is called “{text}”.</p>;
        }}
      </Content>
      {(after !== '' || next !== null) && (
        <p class="row">
          {after !== '' && (
            <Button
              onClick={() => {
                seek(searched);
              }}
            >
              First page
            </Button>
          )}
          {next !== null && (
            <Button
              onClick={() => {
                seek({ ...searched, after: next });
              }}
            >
              Next page
            </Button>
          )}
        </p>
      )}
    </>
  );
}

/** A page of a type, by a part of a name or by an id. */
function readPage(type: string, text: string, after: string, signal: AbortSignal) {
  const query = {
    'page[size]': String(SIZE),
    'page[after]': after,
    ...(text !== '' && { 'filter[*]': filterOfName(text) }),
    // The members of a group may be thousands.
    ...(type === GROUP && { [`fields[${type}]`]: 'name' }),
  };
  return list(pathOf(type), query, signal);
}
