/** Files: a gallery of all, which takes files that are dropped on it, and how far each upload is. */
import { useId } from 'preact/hooks';
import { pathOf } from '../../../client/paths.ts';
import { Button, Problems } from '../../parts/button.tsx';
import { Collection } from '../../parts/collection.tsx';
import { nameOf } from '../../parts/fields/names.tsx';
import { Chooser, Picture, useDrops, wordsOfFile } from '../../parts/files.tsx';
import { bytesText } from '../../parts/words.tsx';
import { wayTo } from '../../route.ts';
import { FILE, files, stop, stored, upload, uploads, type Upload } from '../../session/files.ts';
import { list, useLoad } from '../../session/service.ts';
import { rememberView } from '../documents/view.ts';

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
        children: (
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
              <a class="card tile" href={wayTo(['documents', FILE, file.id])}>
                <Picture file={file} href={file.meta?.['href']} />
                <strong>{nameOf(file) ?? file.id}</strong>
                <span class="fine soft">{wordsOfFile(file)}</span>
              </a>
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

/** The uploads that are under way, or have failed. */
export function Uploads() {
  const own = uploads.value.filter(({ to }) => to === files.value);
  if (own.length === 0) return null;
  return (
    <ul class="stack" aria-label="Uploads">
      {own.map((each, index) => (
        <li key={index} class="card">
          <Row upload={each} />
        </li>
      ))}
    </ul>
  );
}

function Row({ upload }: { readonly upload: Upload }) {
  const id = useId();
  const { file, sent, error } = upload;
  const hasFailed = error !== undefined;
  return (
    <>
      <div class="row spread">
        <span id={id}>{file.name}</span>
        <span class="row">
          {!hasFailed && (
            <span class="soft number">
              {bytesText(sent)} of {bytesText(file.size)}
            </span>
          )}
          <Button label={`${hasFailed ? 'Dismiss' : 'Stop'} ${file.name}`} onClick={() => stop(upload)}>
            {hasFailed ? 'Dismiss' : 'Stop'}
          </Button>
        </span>
      </div>
      {hasFailed ? (
        <Problems error={error} />
      ) : (
        <progress aria-labelledby={id} max={Math.max(file.size, 1)} value={sent} />
      )}
    </>
  );
}
