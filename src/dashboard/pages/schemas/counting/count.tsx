/** How many existing documents would fail: a button, how far it is, and those that would. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problems } from '../../../parts/problems.tsx';
import { wayTo } from '../../../route.ts';
import { nameOf } from '../../document/related/names.ts';
import { countFailing, SHOWN, type Failing, type Progress } from './counting.ts';

interface CountProps {
  readonly type: string;
  /** The text of the schema as it stands in the editor. */
  readonly text: string;
}

export function Count({ type, text }: CountProps) {
  const [progress, setProgress] = useState<Progress>();
  const [counted, setCounted] = useState('');
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController | undefined>(undefined);
  const [isRunning, setRunning] = useState(false);
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
    setRunning(false);
  };
  useEffect(() => stop, []);
  const start = () => {
    stop();
    const control = new AbortController();
    running.current = control;
    setRunning(true);
    setError(undefined);
    setProgress(undefined);
    setCounted(text);
    Promise.resolve()
      .then(() => countFailing(type, JSON.parse(text), control.signal, setProgress))
      .catch((cause: unknown) => {
        if (!control.signal.aborted) setError(cause);
      })
      .finally(() => {
        if (running.current === control) stop();
      });
  };
  return (
    <section class="card" aria-label="Existing documents">
      <header class="card-head">
        <div>
          <h2>Existing documents</h2>
          <p class="hint">
            They stay as they are until they are written; then they must satisfy the schema. The documents are
            read and looked at in this tab.
          </p>
        </div>
        {isRunning ? (
          <button class="button" type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button class="button" type="button" onClick={start}>
            How many would fail?
          </button>
        )}
      </header>
      <Problems error={error} />
      <div role="status">
        {progress !== undefined && (
          <Sum progress={progress} isRunning={isRunning} isStale={counted !== text} />
        )}
      </div>
      {isRunning && (
        <progress
          aria-label="Documents looked at"
          max={progress?.total ?? 1}
          {...(progress !== undefined && { value: progress.seen })}
        />
      )}
      {progress !== undefined && progress.shown.length > 0 && <Failures failing={progress.shown} />}
      {progress !== undefined && progress.failing > SHOWN && <p class="hint">The first {SHOWN} are shown.</p>}
    </section>
  );
}

interface SumProps {
  readonly progress: Progress;
  readonly isRunning: boolean;
  readonly isStale: boolean;
}

function Sum({ progress: { seen, total, failing, isDone }, isRunning, isStale }: SumProps) {
  const all = `${seen.toLocaleString('en')}${isDone || total === undefined ? '' : ` of ${total.toLocaleString('en')}`}`;
  return (
    <p class="sum">
      <strong class={failing === 0 ? 'good' : 'bad'}>
        {failing === 0 ? 'None would fail' : `${failing.toLocaleString('en')} would fail`}
      </strong>{' '}
      <span class="soft">
        of {all} documents{isDone ? '' : isRunning ? ' so far' : ', where it was stopped'}.
        {isStale && ' The schema has changed since.'}
      </span>
    </p>
  );
}

function Failures({ failing }: { readonly failing: readonly Failing[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Table">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Document</th>
            <th scope="col">What is wrong</th>
          </tr>
        </thead>
        <tbody>
          {failing.map(({ document, faults }) => (
            <tr key={document.id}>
              <td class="name-cell">
                <a href={wayTo(['documents', document.type, document.id])}>
                  {nameOf(document) ?? document.id}
                </a>
              </td>
              <td>
                <ul class="violations">
                  {faults.slice(0, 5).map(({ pointer, message }, index) => (
                    <li key={index}>
                      <code>{pointer === '' ? '/' : pointer}</code> {message}
                    </li>
                  ))}
                  {faults.length > 5 && <li class="soft">and {faults.length - 5} more</li>}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
