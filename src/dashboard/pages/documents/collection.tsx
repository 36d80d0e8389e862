/** The documents of one type: a filter bar, a table that loads as one scrolls, and what can be done to many. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Button, Copy, placeOf, Problems } from '../../parts/button.tsx';
import { Check } from '../../parts/fields/form.tsx';
import { useNames } from '../../parts/fields/names.tsx';
import { Csv } from '../../parts/files.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { countText, documentsIn } from '../../parts/words.tsx';
import { replaceWith, route, wayTo } from '../../route.ts';
import { application, isOperator, user } from '../../session/credentials.ts';
import { FILE } from '../../session/files.ts';
import { usePages, type Pages } from '../../session/pages.ts';
import { BASE } from '../../session/service.ts';
import { mayHaveHistory } from '../document/versions.ts';
import { BulkBar, useSelection } from './bulk.tsx';
import { linksIn } from './cell.tsx';
import { namedFields, NO_FIELDS, withDocuments, withNames } from './fields.ts';
import { FilterBar } from './filter/bar.tsx';
import { OtherKinds } from './filter/other-kinds.tsx';
import { Grid } from './grid.tsx';
import { ImportButton } from './import/file.tsx';
import { filterOf, parametersOf, rememberView, sortFor, viewOf, wayToView, type View } from './view.ts';
import { Columns, columnsOf, useStoredText, Views } from './views.tsx';

export function Collection({ type }: { readonly type: string }) {
  const view = viewOf(route.value.query);
  const [follows, setFollows] = useState(false);
  const [stored, store] = useStoredText('columns', type);
  const [fields, setFields] = useState(NO_FIELDS);
  const [isNamed, setNamed] = useState(false);
  const names = columnsOf(view, stored, fields);
  // The same array while it holds the same: then no row is made again.
  const columns = useMemo(() => names, [names.join(',')]);
  const query = queryOf(type, view, columns);
  const rows = usePages(pathOf(type), query, { size: 100, from: view.from, follows });
  const selection = useSelection(`${type}?${query} ${view.from}`);
  const linked = useLinked(rows, columns);
  useEffect(() => setFields((last) => withDocuments(last, rows.fresh)), [rows.fresh]);
  /** Documents are learnt from as they come; all names are asked for when they are needed. */
  const name = () => {
    if (isNamed) return;
    setNamed(true);
    void namedFields(type).then((named) => setFields((last) => withNames(last, named)));
  };
  useEffect(() => rememberView(type, wayToView(type, view)));
  /** Another list begins at its first document. */
  const show = (next: Partial<View>) => replaceWith(wayToView(type, { ...view, from: 0, ...next }));
  const filter = (conditions: View['conditions']) =>
    show({ conditions, sort: sortFor(conditions, view.sort) });
  const warnings = rows.warnings.filter(({ code }) => code !== 'no-documents');
  const { count = 0 } = rows;
  return (
    <Page
      title={type}
      wide
      above={<a href={wayTo(['documents'])}>Documents</a>}
      lead={countOf(rows, view.conditions.length > 0)}
      actions={
        <>
          <Csv type={type} query={parametersOf(view).toString()} columns={columns} />
          <Columns
            fields={fields}
            columns={columns}
            onOpen={name}
            onColumns={(next) => {
              store(next?.join(',') ?? null);
              show({ columns: next, from: view.from });
            }}
          />
          <Views
            key={type}
            type={type}
            query={wayToView(type, { ...view, columns, from: 0 }).split('?')[1] ?? ''}
          />
          {mayHaveHistory(type) && (
            <>
              <ImportButton type={type} />
              <a class="button" href={wayTo(['documents', type, 'deleted'])}>
                <Icon name="trash" /> Deleted
              </a>
            </>
          )}
          <a class="button primary" href={wayToNew(type)}>
            <Icon name="add" /> {type === FILE ? 'Upload' : 'New document'}
          </a>
        </>
      }
    >
      <FilterBar
        fields={fields}
        conditions={view.conditions}
        error={rows.error}
        onFocus={name}
        onConditions={filter}
      />
      <Problems error={rows.error} />
      {/* A condition that finds nothing because of its name, or what the key leaves out. */}
      {warnings.length > 0 && (
        <div class="notice" role="status">
          <Icon name="alert" />
          <ul>
            {warnings.map((warning, index) => (
              <li key={index}>
                {warning.detail ?? warning.title} <code class="soft">{placeOf(warning)}</code>
                {warning.code === 'other-kind' && (
                  <OtherKinds
                    type={type}
                    conditions={view.conditions}
                    warning={warning}
                    onConditions={filter}
                  />
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {rows.hasChanged && (
        <p class="notice" role="status">
          Documents have changed.{' '}
          <Button look="link" onClick={rows.reload}>
            Show changes
          </Button>
        </p>
      )}
      <BulkBar
        type={type}
        query={parametersOf(view).toString()}
        rows={rows}
        fields={fields}
        selection={selection}
      />
      {rows.documents.length > 0 ? (
        <>
          <Grid
            type={type}
            rows={rows}
            from={view.from}
            fields={fields}
            columns={columns}
            linked={linked}
            sort={view.sort}
            selection={selection}
            onSort={(sort) => show({ sort })}
          />
          <div key={view.from} class="row fine soft">
            <span role="status">
              {view.from > 0 && `Rows from ${countText(view.from + 1)}: `}
              {countText(rows.documents.length)} of {countText(count)} loaded
            </span>
            {rows.more !== null && (
              <Button look="link" disabled={rows.isLoading} onClick={rows.more}>
                Load more
              </Button>
            )}
            {(rows.more !== null || view.from > 0) && (
              <span class="row together">
                Row
                <input
                  type="number"
                  class="fine"
                  aria-label="Go to row"
                  min={1}
                  max={count}
                  defaultValue={String(view.from + 1)}
                  onChange={({ currentTarget: { valueAsNumber: row, validity } }) => {
                    if (validity.valid) show({ from: row - 1 });
                  }}
                />
              </span>
            )}
            <span class="keys">
              <kbd>Up</kbd> and <kbd>Down</kbd> go, <kbd>Enter</kbd> opens, <kbd>Space</kbd> selects,{' '}
              <kbd>F2</kbd> edits
            </span>
          </div>
        </>
      ) : (
        rows.error === undefined && <Nothing type={type} view={view} isLoading={rows.isLoading} />
      )}
      <div class="row spread">
        <Address type={type} view={view} />
        <span class="row">
          <Check checked={follows} onChecked={setFollows}>
            Follow changes
          </Check>
          {LATEST.map(([order, words]) => (
            <Check
              key={order}
              checked={view.sort[0] === order}
              onChecked={(isOn) => show({ sort: isOn ? [order] : [] })}
            >
              {words}
            </Check>
          ))}
          <Button icon="reload" onClick={rows.reload}>
            Refresh
          </Button>
        </span>
      </div>
    </Page>
  );
}

/** The parameters of the list. What the service knows of documents is shown only where `fields` names it. */
function queryOf(type: string, view: View, columns: readonly string[]): string {
  const query = parametersOf(view);
  if (columns.some((name) => name.startsWith('$'))) query.append(`fields[${type}]`, columns.join(','));
  return query.toString();
}

/** What the links of all rows lead to: each page of documents asks for its own. */
function useLinked({ fresh }: Pages, columns: readonly string[]): ReadonlyMap<string, Resource> {
  const links = useMemo(() => linksIn(fresh, columns), [fresh, columns]);
  const found = useNames(links);
  const all = useRef(found);
  return useMemo(() => (all.current = new Map([...all.current, ...found])), [found]);
}

/** The address that a view makes, as a program would ask for it. */
function Address({ type, view }: { readonly type: string; readonly view: View }) {
  const query = parametersOf(view);
  const start = `${BASE}${pathOf(type)}${query.size === 0 ? '' : '?'}`;
  const encoded = `${start}${query.toString()}`;
  return (
    <p class="address row together fine">
      <span class="soft">GET</span>
      <code tabIndex={0} aria-label="Address of this list" title={encoded}>
        {start}
        {[...query].map(([name, value]) => `${name}=${value}`).join('&')}
      </code>
      <Copy text={encoded} label="Copy the address" />
      {isOperator.value && (
        <a href={wayTo(['plan'], { type, filter: filterOf(view.conditions), sort: view.sort.join() })}>
          How it is found
        </a>
      )}
    </p>
  );
}

/** How many documents there are, in words. */
function countOf({ count, error }: Pages, isFiltered: boolean): string {
  if (count === undefined) return error === undefined ? 'Counting…' : '';
  const who = user.value === undefined ? '' : ` that ${user.value.name} may see`;
  const match = isFiltered ? (count === 1 ? ' matches' : ' match') : '';
  return documentsIn(count) + match + who;
}

/** Orders that begin with what came last. */
const LATEST = [
  ['-id', 'Newest first'],
  ['-$updated', 'Last changed first'],
] as const;

/** A file begins with its content. */
const wayToNew = (type: string) => wayTo(type === FILE ? ['files'] : ['documents', type, 'new']);

interface NothingProps {
  readonly type: string;
  readonly view: View;
  readonly isLoading: boolean;
}

function Nothing({ type, view, isLoading }: NothingProps) {
  if (isLoading) return <Loading what="documents" />;
  if (view.from > 0) {
    return (
      <Empty title={`The list ends before row ${countText(view.from + 1)}.`}>
        <a class="button" href={wayToView(type, { ...view, from: 0 })}>
          Show the first row
        </a>
      </Empty>
    );
  }
  if (view.conditions.length > 0) {
    return (
      <Empty title="No documents match.">
        <p>Change or remove a condition above.</p>
      </Empty>
    );
  }
  return (
    <Empty title={`There are no documents of type ${type}${application.value === undefined ? '' : ' yet'}.`}>
      <p>Each document is a row, each field a column.</p>
      <a class="button primary" href={wayToNew(type)}>
        Create the first one
      </a>
    </Empty>
  );
}
