/** A table of people or groups: searched by name, page by page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { Loading } from '../../parts/page.tsx';
import { Problems } from '../../parts/problems.tsx';
import { wayTo } from '../../route.ts';
import { useLoad } from '../../session/load.ts';
import { nameOf } from '../document/related/names.ts';
import { readPage } from './people.ts';

interface ListingProps {
  readonly type: string;
  /** As in "Search users". */
  readonly what: string;
  readonly columns: readonly string[];
  /** What stands in the columns after the name. */
  readonly cells: (document: Resource) => readonly ComponentChildren[];
  readonly to: (document: Resource) => readonly string[];
  /** What is searched for, and the cursor of the page: both stand in the route. */
  readonly text: string;
  readonly after: string;
  readonly onSeek: (query: Readonly<Record<string, string>>) => void;
  readonly empty: ComponentChildren;
}

/** Milliseconds without a key before the service is asked. */
const QUIET = 250;

export function Listing({ type, what, columns, cells, to, text, after, onSeek, empty }: ListingProps) {
  const { value, error } = useLoad((signal) => readPage(type, text, after, signal), [type, text, after]);
  const [typed, setTyped] = useState(text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (typed.trim() === text) return undefined;
    const timer = setTimeout(() => {
      onSeek(typed.trim() === '' ? {} : { q: typed.trim() });
    }, QUIET);
    return () => {
      clearTimeout(timer);
    };
  }, [typed]);
  useEffect(() => focusOnSlash(() => input.current?.focus()), []);
  const isEmpty = value?.documents.length === 0;
  return (
    <>
      <div class="seek">
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
        {value?.count !== undefined && (
          <span class="soft number" role="status">
            {value.count.toLocaleString('en')} {text === '' ? what : 'found'}
          </span>
        )}
      </div>
      <Problems error={error} />
      {value === undefined && error === undefined && <Loading what={what} />}
      {isEmpty && (text === '' ? empty : <p class="soft">Nobody is called “{text}”.</p>)}
      {value !== undefined && !isEmpty && (
        <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
          <table class="table">
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
                <th scope="col">Id</th>
              </tr>
            </thead>
            <tbody>
              {value.documents.map((document) => (
                <tr key={document.id}>
                  <td class="name-cell">
                    <a href={wayTo(to(document))}>{nameOf(document) ?? 'Without a name'}</a>
                  </td>
                  {cells(document).map((cell, index) => (
                    <td key={index}>{cell}</td>
                  ))}
                  <td>
                    <code>{document.id}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(after !== '' || value?.next !== undefined) && (
        <p class="pager">
          {after !== '' && (
            <button
              class="button"
              type="button"
              onClick={() => {
                onSeek(text === '' ? {} : { q: text });
              }}
            >
              First page
            </button>
          )}
          {value?.next !== undefined && (
            <button
              class="button"
              type="button"
              onClick={() => {
                onSeek({ ...(text !== '' && { q: text }), after: value.next ?? '' });
              }}
            >
              Next page
            </button>
          )}
        </p>
      )}
    </>
  );
}

/** `/` outside of a field leads to the search. */
function focusOnSlash(focus: () => void): () => void {
  const listen = (event: KeyboardEvent) => {
    const { target } = event;
    const isTyping = target instanceof HTMLElement && target.matches('input, textarea, select, .editor');
    if (event.key !== '/' || isTyping) return;
    event.preventDefault();
    focus();
  };
  addEventListener('keydown', listen);
  return () => {
    removeEventListener('keydown', listen);
  };
}
