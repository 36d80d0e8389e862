/** A page of the documents of a type, page by page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../client/paths.ts';
import type { Resource } from '../../client/transport.ts';
import { replaceWith, route, wayTo } from '../route.ts';
import { usePages } from '../session/pages.ts';
import { calledOf, filterOfName, useQuiet, wayToLink } from './fields/names.tsx';
import { Icon } from './icons.tsx';
import { Content, Empty, More, Page, Table, type Column } from './page.tsx';
import { useSlashFor } from './window.ts';
import { countText } from './words.tsx';

export interface CollectionProps {
  readonly title: string;
  readonly lead: ComponentChildren;
  readonly wide?: boolean;
  readonly type: string;
  /** As in "Loading keys…", "Search keys". */
  readonly what: string;
  /** What the list is asked for, but its pages. */
  readonly query?: Readonly<Record<string, string>>;
  /** Another value lists anew. */
  readonly turn?: unknown;
  /** The route, where the list is searched by name: what is sought stands there. */
  readonly searchAt?: readonly string[];
  readonly actions?: (reload: () => void) => ComponentChildren;
  readonly above?: ComponentChildren;
  readonly below?: ComponentChildren;
  /** What is said where there are none. */
  readonly empty: { readonly title: string; readonly children?: ComponentChildren };
  readonly more?: string;
  /** The columns of a table, or something else that shows the documents. */
  readonly show:
    | readonly Column<Resource>[]
    | ((rows: readonly Resource[], reload: () => void) => ComponentChildren);
}

export function Collection(props: CollectionProps) {
  const { title, lead, wide = false, type, what, query, turn, searchAt, actions, empty, show } = props;
  const text = searchAt === undefined ? '' : (route.value.query.get('q') ?? '');
  const filter = text !== '' && { 'filter[*]': filterOfName(text) };
  const found = usePages(pathOf(type), { ...query, ...filter }, { turn });
  const { documents: rows, reload } = found;
  const shown = () => {
    if (rows.length === 0 && text !== '')
      return (
        <p class="soft">
          No {what} match “{text}”.
        </p>
      );
    if (rows.length === 0) return <Empty {...empty} />;
    if (typeof show === 'function') return show(rows, reload);
    return <Table label={what} columns={show} rows={rows} />;
  };
  return (
    <Page title={title} lead={lead} wide={wide} actions={actions?.(reload)}>
      {props.above}
      {searchAt && <Search what={what} steps={searchAt} text={text} count={found.count} />}
      <Content of={found} what={what}>
        {shown}
      </Content>
      <More of={found}>{props.more ?? 'Show more'}</More>
      {props.below}
    </Page>
  );
}

interface SearchProps {
  readonly what: string;
  readonly steps: readonly string[];
  readonly text: string;
  readonly count: number | undefined;
}

function Search({ what, steps, text, count }: SearchProps) {
  const [typed, setTyped] = useState(text);
  const wanted = useQuiet(typed.trim());
  const input = useRef<HTMLInputElement>(null);
  useSlashFor(input);
  useEffect(() => {
    if (wanted !== text) replaceWith(wayTo(steps, wanted === '' ? {} : { q: wanted }));
  }, [wanted]);
  return (
    <div class="toolbar">
      <input
        ref={input}
        type="search"
        aria-label={`Search ${what}`}
        placeholder="A part of a name, or an id"
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {count !== undefined && (
        <span class="soft number" role="status">
          {countText(count)} {text !== '' ? 'found' : count === 1 ? what.replace(/s$/, '') : what}
        </span>
      )}
    </div>
  );
}

/** A column of what documents are called, which leads to their pages. */
export function nameColumn(head: string, textOf = calledOf): Column<Resource> {
  return {
    head,
    class: 'name-cell',
    cell: (document) => <a href={wayToLink(document)}>{textOf(document)}</a>,
  };
}

export const ID_COLUMN: Column<Resource> = { head: 'Id', cell: ({ id }) => <code>{id}</code> };

interface NewLinkProps {
  /** The route of the list. */
  readonly steps: readonly string[];
  readonly children: string;
}

/** A way to the page of a new document. */
export function NewLink({ steps, children }: NewLinkProps) {
  return (
    <a class="button primary" href={wayTo([...steps, 'new'])}>
      <Icon name="add" /> {children}
    </a>
  );
}
