/** A table of people or groups: searched by name, page by page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { useQuiet } from '../../parts/choose.tsx';
import { filterOfName } from '../../parts/names.tsx';
import { More } from '../../parts/more.tsx';
import { Content } from '../../parts/page.tsx';
import { useSlashFor } from '../../parts/slash.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { countText } from '../../parts/words.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { usePages } from '../../session/pages.ts';
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

/** How many a page has. */
const SIZE = 50;

export function Listing({ type, what, name, columns = [], steps, empty }: ListingProps) {
  // What is searched for stands in the route.
  const text = route.value.query.get('q') ?? '';
  const found = usePages(pathOf(type), {
    'page[size]': String(SIZE),
    ...(text !== '' && { 'filter[*]': filterOfName(text) }),
    // The members of a group may be thousands.
    ...(type === GROUP && { [`fields[${type}]`]: 'name' }),
  });
  const [typed, setTyped] = useState(text);
  const wanted = useQuiet(typed.trim());
  const input = useRef<HTMLInputElement>(null);
  useSlashFor(input);
  useEffect(() => {
    if (wanted !== text) replaceWith(wayTo(steps, wanted === '' ? {} : { q: wanted }));
  }, [wanted]);
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
        {found.value?.count !== undefined && (
          <span class="soft number" role="status">
            {countText(found.value.count)} {text === '' ? what : 'found'}
          </span>
        )}
      </div>
      <Content of={found} what={what}>
        {() => {
          if (found.rows.length > 0)
            return <Table label={what} columns={all} rows={found.rows} keyOf={({ id }) => id} />;
          return text === '' ? empty : <p class="soft">Nobody is called “{text}”.</p>;
        }}
      </Content>
      <More of={found}>Show more</More>
    </>
  );
}
