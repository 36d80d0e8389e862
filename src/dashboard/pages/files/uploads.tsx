/** How far each upload is. */
import { useId } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Problems } from '../../parts/problems.tsx';
import { bytesText } from '../../parts/words.tsx';
import { files, stop, uploads, type Upload } from '../../session/files.ts';

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
