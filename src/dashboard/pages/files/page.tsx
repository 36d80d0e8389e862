/** Files: a gallery of all, which takes files that are dropped on it. */
import { pathOf } from '../../../client/paths.ts';
import type { Resource } from '../../../client/transport.ts';
import { Collection } from '../../parts/collection.tsx';
import { Chooser, useDrops } from '../../parts/fields/drop.tsx';
import { nameOf } from '../../parts/fields/names.tsx';
import { Picture, wordsOfFile } from '../../parts/picture.tsx';
import { wayTo } from '../../route.ts';
import { list } from '../../session/documents.ts';
import { FILE, files, stored, upload } from '../../session/files.ts';
import { useLoad } from '../../session/load.ts';
import { rememberView } from '../documents/view.ts';
import { Uploads } from './uploads.tsx';

const STEPS = ['files'];

const DAY = 86_400_000;

export default function Files() {
  // The way back from a file leads here.
  rememberView(FILE, wayTo(STEPS));
  const isDropping = useDrops(upload);
  const { value: links } = useLoad(linksOfPictures, [files.value]);
  if (links === undefined) return null;
  return (
    <Collection
      title="Files"
      wide
      lead="Pictures and attachments. Drop files anywhere on the page to upload them."
      type={FILE}
      what="files"
      query={{ sort: '-created', ...links }}
      turn={stored.value}
      searchAt={STEPS}
      actions={() => (
        <>
          <a class="button" href={wayTo(['documents', FILE])}>
            As a table
          </a>
          <UploadButton />
        </>
      )}
      above={<Uploads />}
      below={isDropping && <p class="drop">Drop the files to upload them</p>}
      empty={{
        title: 'No files yet.',
        children: () => (
          <>
            <p>Pictures are shown here. Documents use files through relationships.</p>
            <UploadButton />
          </>
        ),
      }}
      more="Load more"
      show={(files) => (
        <ul class="gallery" aria-label="All files">
          {files.map((file) => (
            <li key={file.id}>
              <Tile file={file} />
            </li>
          ))}
        </ul>
      )}
    />
  );
}

/** Lets a list give the links to its pictures: in a size where the application has that, else as they are. */
async function linksOfPictures(signal: AbortSignal) {
  const until = new Date(Date.now() + DAY).toISOString();
  const sized = { until, width: '256' };
  const isSized = await list(pathOf(FILE), { ...sized, 'page[size]': '1' }, signal).catch(() => null);
  return isSized === null ? { until } : sized;
}

function UploadButton() {
  return (
    <Chooser look="primary" onFiles={upload}>
      Upload files
    </Chooser>
  );
}

function Tile({ file }: { readonly file: Resource }) {
  return (
    <a class="card tile" href={wayTo(['documents', FILE, file.id])}>
      <Picture file={file} href={file.meta?.['href']} />
      <strong>{nameOf(file) ?? file.id}</strong>
      <span class="fine soft">{wordsOfFile(file)}</span>
    </a>
  );
}
