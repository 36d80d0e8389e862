/** What is clicked and done: it is busy meanwhile, tells why it was refused, or that it was done and how to undo it. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ForedgeError, type ErrorObject } from '../../client/errors.ts';
import { BASE } from '../session/service.ts';
import { faultsIn, stringIn, type Fault, type LineFault } from './fields/json.ts';
import { Icon, type IconName } from './icons.tsx';
import { countText } from './words.tsx';

export interface ButtonProps {
  /** `link` stands in a line of text, `bare` is an icon alone. */
  readonly look?: 'primary' | 'danger' | 'link' | 'bare' | undefined;
  readonly icon?: IconName | undefined;
  /** What programs are told, where the words alone say too little. */
  readonly label?: string | undefined;
  readonly title?: string;
  readonly 'aria-keyshortcuts'?: string;
  readonly disabled?: boolean | undefined;
  /** For one that is on or off. */
  readonly pressed?: boolean;
  /** Without it the button sends its form. */
  readonly onClick?: () => void;
  readonly children?: ComponentChildren;
}

export function Button({ look, icon, label, pressed, onClick, children, ...others }: ButtonProps) {
  return (
    <button
      {...others}
      class={look === 'link' || look === 'bare' ? look : `button ${look ?? ''}`}
      type={onClick === undefined ? 'submit' : 'button'}
      aria-label={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />} {children}
    </button>
  );
}

type IconButtonProps = Pick<ButtonProps, 'title' | 'disabled' | 'pressed'> &
  Required<Pick<ButtonProps, 'icon' | 'onClick'>> & { readonly label: string };

export function IconButton({ title, ...button }: IconButtonProps) {
  return <Button {...button} look="bare" title={title ?? button.label} />;
}

interface WorkButtonProps extends Omit<ButtonProps, 'onClick'> {
  readonly of: { readonly isBusy: boolean; readonly run: () => void; readonly stop: () => void };
}

/** Begins what takes a while, and stops it. */
export function WorkButton({ of: { isBusy, run, stop }, ...button }: WorkButtonProps) {
  return isBusy ? <Button onClick={stop}>Stop</Button> : <Button {...button} onClick={run} />;
}

interface RunButtonProps extends Omit<ButtonProps, 'onClick' | 'disabled'> {
  readonly work: () => Promise<void>;
}

/** Does something, and says why it was refused. */
export function RunButton({ work, ...button }: RunButtonProps) {
  const { error, isBusy, run } = useRun(work);
  return (
    <>
      <Button {...button} disabled={isBusy} onClick={run} />
      <Problems error={error} />
    </>
  );
}

interface OpenerProps extends Omit<ButtonProps, 'onClick'> {
  readonly dialog: (close: () => void) => ComponentChildren;
}

export function Opener({ dialog, ...button }: OpenerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

/** Milliseconds for which the button says that it has copied. */
const SAYS_SO = 1_500;

export function Copy({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), SAYS_SO);
  };
  return (
    <IconButton
      icon={isDone ? 'check' : 'copy'}
      label={isDone ? 'Copied' : label}
      onClick={() => void copy()}
    />
  );
}

export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div class="code-block">
      {/* It scrolls: so it can be reached by keyboard. */}
      <pre tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <Copy text={text} label={`Copy ${label}`} />
    </div>
  );
}

/** Something that is done on a click or by a form: it is busy meanwhile, and has why it was refused. */
export function useRun<Arguments extends readonly unknown[]>(work: (...given: Arguments) => Promise<void>) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const run = (...given: Arguments) => {
    setBusy(true);
    setError(undefined);
    work(...given)
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { error, isBusy, run, setError };
}

export function useSubmit(send: () => Promise<void>) {
  const { run, ...state } = useRun(send);
  const submit = (event?: Event) => {
    event?.preventDefault();
    run();
  };
  return { ...state, submit };
}

/** The same for what takes a while: it tells how far it is, and can be stopped. It stops when its page is left. */
export function useWork<Progress>(
  work: (report: (progress: Progress | undefined) => void, signal: AbortSignal) => Promise<void>,
) {
  const [progress, setProgress] = useState<Progress>();
  const control = useRef(new AbortController());
  const stop = () => control.current.abort();
  useEffect(() => stop, []);
  const { error, isBusy, run } = useRun(async () => {
    const own = new AbortController();
    control.current = own;
    setProgress(undefined);
    await work(setProgress, own.signal).catch((cause: unknown) => {
      throw own.signal.aborted ? new Error('It was stopped.') : cause;
    });
  });
  return { progress, error, isBusy, run, stop };
}

/** What went wrong: what to do, then the service's words; the place of the error and its page are a click away. */
export function Problems({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  return (
    <div class="notice bad" role="alert">
      <Icon name="alert" />
      <ul>
        {errorsOf(error).map((each, index) => (
          <Problem key={index} {...each} />
        ))}
      </ul>
    </div>
  );
}

/** What to do, by status. Where the service speaks of headers, its words are with the place. */
const TO_DO: Readonly<Record<string, string>> = {
  400: 'Correct this:',
  403: 'Enter with credentials that may do this:',
  409: 'Change what is in the way:',
  412: 'Somebody has changed this meanwhile. Load it again to see how it is now.',
  422: 'Correct this:',
  500: 'Try again, and tell the operator if it stays so:',
  503: 'Try again in a moment:',
};
const TOLD_LATER = '412';

function Problem(error: ErrorObject) {
  const { status, code, title, detail, meta } = error;
  const words = `${title} ${detail === title ? '' : (detail ?? '')}${waitOf(error)}`;
  return (
    <li>
      {TO_DO[status] !== undefined && <strong>{TO_DO[status]} </strong>}
      {status !== TOLD_LATER && words}
      {status !== '0' && (
        <details class="fine">
          <summary>Details</summary>
          {status === TOLD_LATER && words} <code>{placeOf(error) + stringIn(meta?.['pointer'])}</code>{' '}
          <a class="soft" href={`${BASE}/docs/errors#${code}`} target="_blank" rel="noreferrer">
            {status} {code}
          </a>
        </details>
      )}
    </li>
  );
}

/** How long to wait, where the service says so. */
export function waitOf({ meta }: ErrorObject): string {
  const seconds = meta?.['retry-after'];
  if (typeof seconds !== 'number') return '';
  return ` Try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`;
}

/** The errors of a failure. One that is no answer of the service is told as it is. */
export function errorsOf(error: unknown): readonly ErrorObject[] {
  if (error === undefined || error === null) return [];
  if (error instanceof ForedgeError && error.errors.length > 0) return error.errors;
  const detail = error instanceof Error ? error.message : JSON.stringify(error);
  return [{ status: '0', code: 'failure', title: 'Something went wrong.', detail }];
}

/** The place that an error names: a pointer into the body, a parameter or a header. */
export function placeOf({ source }: ErrorObject): string {
  return source?.pointer ?? source?.parameter ?? source?.header ?? '';
}

/** What is wrong, and with which field, as people call it. */
export function reasonOf({
  title,
  detail = title,
  source,
}: Pick<ErrorObject, 'title' | 'detail' | 'source'>) {
  const [, place = ''] = /\/(?:attributes|relationships)\/(.*)$/.exec(source?.pointer ?? '') ?? [];
  const field = place.replace(/\/data(?:\/.*)?$/, '').replaceAll('/', '.');
  return field === '' ? detail : `${field}: ${detail}`;
}

/** What the service says of places at a pointer into the body, or below it: as places from there. */
export function faultsBelow(error: unknown, pointer: string): readonly Fault[] {
  const faults = errorsOf(error).flatMap(({ source, title, detail = title }) =>
    source?.pointer === undefined ? [] : [{ pointer: source.pointer, message: detail }],
  );
  return faultsIn(faults, pointer);
}

/** How many are shown. */
const SHOWN = 50;

interface LineFaultsProps {
  readonly faults: readonly LineFault[];
  /** What is numbered. */
  readonly unit?: 'Line' | 'Item';
}

export function LineFaults({ faults, unit = 'Line' }: LineFaultsProps) {
  return (
    <>
      <ul class="stack bad wrap" aria-label="Lines with faults">
        {faults.slice(0, SHOWN).map(({ line, reason }) => (
          <li key={line}>
            {unit} {line}: {reason}
          </li>
        ))}
      </ul>
      {faults.length > SHOWN && <p class="hint">And {countText(faults.length - SHOWN)} more.</p>}
    </>
  );
}

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: () => void;
}

/** Milliseconds that a message stays; one that can be undone stays longer. */
const STAYS = 5_000;
const STAYS_TO_UNDO = 12_000;

const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Tells what was done, perhaps with a way to undo it, in a message that leaves by itself. */
export function notify(text: string, undo?: () => void): void {
  const id = (last += 1);
  toasts.value = [...toasts.value, { id, text, ...(undo && { undo }) }];
  setTimeout(() => dismiss(id), undo === undefined ? STAYS : STAYS_TO_UNDO);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts" role="status">
      {toasts.value.map(({ id, text, undo }) => (
        <div class="toast row together" key={id}>
          <span>{text}</span>
          {undo && (
            <Button
              look="link"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </Button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
