/** Files: chosen, dropped on the page, seen as a picture, saved, and a list as one of CSV. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { pathOf } from '../../client/paths.ts';
import type { Link, Resource } from '../../client/transport.ts';
import type { Json } from '../../client/values.ts';
import { pagesOfLines } from '../session/service.ts';
import { RunButton } from './button.tsx';
import { stringIn } from './fields/json.ts';
import { Icon, type IconName } from './icons.tsx';
import { useWindow } from './window.ts';
import { bytesText } from './words.tsx';

interface ChooserProps {
  readonly onFiles: (chosen: readonly File[]) => void;
  readonly icon?: IconName;
  readonly look?: 'primary';
  /** Names of the files that are offered. Without it, all are, and several at once. */
  readonly accept?: string;
  readonly children: ComponentChildren;
}

/** A button that asks for files. */
export function Chooser({ onFiles, icon = 'add', look, accept, children }: ChooserProps) {
  return (
    <label class={`button chooser ${look ?? ''}`}>
      <Icon name={icon} /> {children}
      <input
        class="visually-hidden"
        type="file"
        multiple={accept === undefined}
        accept={accept}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}

/** Takes files that are dropped on the page, and says whether some are held over it. */
export function useDrops(onFiles: ChooserProps['onFiles']): boolean {
  const [isOver, setOver] = useState(false);
  const take = (event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return;
    // Else the browser would open the file in the place of the page.
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') onFiles([...event.dataTransfer.files]);
  };
  useWindow('dragover', take);
  useWindow('drop', take);
  useWindow('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) setOver(false);
  });
  return isOver;
}

/** Those that every browser shows. */
const SHOWN = /^image\/(avif|gif|jpeg|png|webp)$/;

/** A file, as far as it is shown. */
export type Seen = Link & Pick<Resource, 'attributes'>;

interface PictureProps {
  readonly file: Seen;
  /** The link to its content; undefined where there is none, or not yet. */
  readonly href: Json | undefined;
  /** What is said in the place of the picture; nothing where its name stands beside it. */
  readonly alt?: string;
}

/** A file as it can be seen: as a picture, if it is one, which is loaded by a link once it comes into view. */
export function Picture({ file, href, alt = '' }: PictureProps) {
  const [isBroken, setBroken] = useState(false);
  const isPicture = SHOWN.test(stringIn(file.attributes?.['media-type']));
  return (
    <span class="picture">
      {!isPicture || typeof href !== 'string' || isBroken ? (
        <Icon name={isPicture ? 'file' : 'documents'} />
      ) : (
        <img src={href} alt={alt} loading="lazy" onError={() => setBroken(true)} />
      )}
    </span>
  );
}

/** What a file is, in words: `image/png, 1.6 MB, 800 × 600`. */
export function wordsOfFile({ attributes = {} }: Seen): string {
  const { 'media-type': type, size, width, height } = attributes;
  const words = [
    ...(typeof type === 'string' ? [type] : []),
    ...(typeof size === 'number' ? [bytesText(size)] : []),
    ...(typeof width === 'number' && typeof height === 'number' ? [`${width} × ${height}`] : []),
  ];
  return words.join(', ');
}

interface CsvProps {
  readonly type: string;
  /** What the list is asked for, but its pages and fields. */
  readonly query: string;
  readonly columns: readonly string[];
}

/** A button that saves a list as CSV: all of its pages, with the columns that are shown. */
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
  for await (const text of pagesOfLines(pathOf(type), parameters))
    parts.push(parts.length === 0 ? text : text.replace(HEADER, ''));
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
