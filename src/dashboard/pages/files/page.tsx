/** Files: a gallery of all, which takes files that are dropped on it. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Resource } from '../../../client/transport.ts';
import { useQuiet } from '../../parts/choose.tsx';
import { Chooser, useDrops } from '../../parts/drop.tsx';
import { More } from '../../parts/more.tsx';
import { filterOfName, nameOf } from '../../parts/names.tsx';
import { Empty, Loading, Page } from '../../parts/page.tsx';
import { Picture, wordsOfFile } from '../../parts/picture.tsx';
import { Problems } from '../../parts/problems.tsx';
import { useSlashFor } from '../../parts/slash.ts';
import { countText } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { FILE, stored, upload } from '../../session/files.ts';
import { useRows } from '../documents/rows.ts';
import { rememberView } from '../documents/view.ts';
import { Uploads } from './uploads.tsx';

export default function Files() {
  const [text, setText] = useState('');
  const wanted = useQuiet(text.trim());
  const rows = useRows(FILE, queryOf(wanted), false);
  const input = useRef<HTMLInputElement>(null);
  useSlashFor(input);
  // The way back from a file leads here.
  rememberView(FILE, wayTo(['files']));
  const isDropping = useDrops(upload);
  const shown = useRef(stored.value);
  useEffect(() => {
    if (shown.current === stored.value) return;
    shown.current = stored.value;
    rows.reload();
  }, [stored.value]);
  const { count, documents, error, isLoading, next } = rows;
  return (
    <Page
      title="Files"
      wide
      lead="Pictures and attachments. Drop files anywhere on the page to upload them."
      actions={
        <>
          <a class="button" href={wayTo(['documents', FILE])}>
            As a table
          </a>
          <Chooser look="primary" onFiles={upload}>
            Upload files
          </Chooser>
        </>
      }
    >
      <div class="toolbar">
        <input
          ref={input}
          type="search"
          aria-label="Search files"
          placeholder="A part of a name"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
          }}
        />
        {count !== undefined && (
          <span class="soft number" role="status">
            {countText(count)} {wanted !== '' ? 'found' : count === 1 ? 'file' : 'files'}
          </span>
        )}
      </div>
      <Uploads />
      <Problems error={error} />
      {documents.length > 0 && (
        <ul class="gallery" aria-label="All files">
          {documents.map((file) => (
            <li key={file.id}>
              <Tile file={file} />
            </li>
          ))}
        </ul>
      )}
      {documents.length === 0 && error === undefined && <Nothing isLoading={isLoading} wanted={wanted} />}
      <More of={{ isLoading, more: next === null ? null : rows.loadMore }}>Load more</More>
      {isDropping && <p class="drop">Drop the files to upload them</p>}
    </Page>
  );
}

/** The newest first. */
function queryOf(wanted: string): string {
  const filter = wanted !== '' && { 'filter[*]': filterOfName(wanted) };
  return new URLSearchParams({ sort: '-created', ...filter }).toString();
}

function Tile({ file }: { readonly file: Resource }) {
  return (
    <a class="card tile" href={wayTo(['documents', FILE, file.id])}>
      <Picture file={file} width={256} />
      <strong>{nameOf(file) ?? file.id}</strong>
      <span class="fine soft">{wordsOfFile(file)}</span>
    </a>
  );
}

function Nothing({ isLoading, wanted }: { readonly isLoading: boolean; readonly wanted: string }) {
  if (isLoading) return <Loading what="files" />;
  if (wanted !== '') return <p class="soft">No file has “{wanted}” in its name.</p>;
  return (
    <Empty title="No files yet.">
      <p>Pictures are shown here. Documents use files through relationships.</p>
      <Chooser look="primary" onFiles={upload}>
        Upload files
      </Chooser>
    </Empty>
  );
}
