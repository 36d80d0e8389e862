/** What went wrong, in the words of the service: every error with the place that it names and a way to its page. */
import { ForedgeError, type ErrorObject } from '../../client/errors.ts';
import { BASE } from '../session/service.ts';
import { Icon } from './icons.tsx';
import type { Fault } from './fields/json.ts';

export function Problems({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null;
  return (
    <div class="notice bad" role="alert">
      <Icon name="alert" />
      <ul>
        {errorsOf(error).map((each, index) => (
          <li key={index}>
            <strong>{each.title}</strong> {each.detail !== each.title && each.detail}
            {waitOf(each)}
            <span class="where">{placeOf(each)}</span>
            {each.status !== '0' && (
              <a class="soft" href={`${BASE}/docs/errors#${each.code}`} target="_blank" rel="noreferrer">
                {each.status} {each.code}
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How long to wait, where the service says so. */
function waitOf({ meta }: ErrorObject): string {
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

/** What the service says of places at a pointer into the body, or below it: as places from there. */
export function faultsBelow(error: unknown, pointer: string): readonly Fault[] {
  return errorsOf(error).flatMap(({ source, title, detail = title }) =>
    source?.pointer === pointer || source?.pointer?.startsWith(`${pointer}/`) === true
      ? [{ pointer: source.pointer.slice(pointer.length), message: detail }]
      : [],
  );
}
