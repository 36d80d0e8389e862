/** How files come in: chosen, or dropped on the page; and how far each upload is. */
import { useEffect, useId, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Problems } from '../../parts/problems.tsx';
import { bytesText } from '../../parts/words.tsx';
import { files, stop, uploads, type Upload } from '../../session/files.ts';

interface ChooserProps {
  readonly onFiles: (chosen: readonly File[]) => void;
  readonly words?: string;
}

export function Chooser({ onFiles, words = 'Upload files' }: ChooserProps) {
  return (
    <label class="button primary chooser">
      <Icon name="add" /> {words}
      <input
        class="visually-hidden"
        type="file"
        multiple
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
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Else the browser would open the file in the place of the page.
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragover', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('drop', drop, { signal });
    return () => {
      control.abort();
    };
  }, [onFiles]);
  return isOver;
}

/** The uploads that are under way, or have failed. */
export function Uploads() {
  const own = uploads.value.filter(({ to }) => to === files.value);
  if (own.length === 0) return null;
  return (
    <ul class="uploads" aria-label="Uploads">
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
          <Button
            label={`${hasFailed ? 'Dismiss' : 'Stop'} ${file.name}`}
            onClick={() => {
              stop(upload);
            }}
          >
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
