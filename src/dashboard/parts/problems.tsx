/** What went wrong: what to do, then the service's words; the place of the error and its page are a click away. */
import { type ErrorObject, ForedgeError } from '../../client/errors.ts';
import { BASE } from '../session/service.ts';
import { Icon } from './icons.tsx';
import { type Fault, faultsIn, type LineFault, stringIn } from './fields/json.ts';
import { countText } from './words.tsx';

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
