/** Files for whoever looks; a button that saves a list as CSV: all of its pages, with the columns that are shown. */
import { pathOf } from '../../client/paths.ts';
import { fitting } from '../session/documents.ts';
import { sendLines } from '../session/service.ts';
import { RunButton } from './button.tsx';

interface CsvProps {
  readonly type: string;
  /** What the list is asked for, but its pages and fields. */
  readonly query: string;
  readonly columns: readonly string[];
}

export function Csv({ type, query, columns }: CsvProps) {
  const work = async () => save(await rowsOf(type, query, columns), `${type}.csv`);
  return (
    <RunButton icon="down" work={work}>
      CSV
    </RunButton>
  );
}

/** The first row, in which names may be quoted. */
const HEADER = /^(?:"(?:[^"]|"")*"|[^"\r])*\r\n/;

/** Every page begins with the same header, as it names its columns. */
async function rowsOf(type: string, query: string, columns: readonly string[]): Promise<Blob> {
  const parts: string[] = [];
  const parameters = new URLSearchParams(query);
  parameters.set(`fields[${type}]`, columns.join(','));
  parameters.set('page[count]', 'false');
  const size = { most: 1_000 };
  for (let after: string | null = ''; after !== null;) {
    parameters.set('page[after]', after);
    const { text, next } = await fitting(size, (count) => {
      parameters.set('page[size]', String(count));
      return sendLines('GET', `${pathOf(type)}?${parameters.toString()}`);
    });
    parts.push(parts.length === 0 ? text : text.replace(HEADER, ''));
    after = next === null ? null : new URLSearchParams(next).get('page[after]');
  }
  return new Blob(parts, { type: 'text/csv' });
}

/** Gives a file to whoever looks, as a download of the browser. */
export function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  download(href, name);
  // The browser has taken it by the next turn.
  setTimeout(() => URL.revokeObjectURL(href));
}

export function download(href: string, name: string): void {
  Object.assign(document.createElement('a'), { href, download: name }).click();
}
