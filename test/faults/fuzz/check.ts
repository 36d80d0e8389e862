/** What every answer must be, whatever was sent (docs/errors.md, docs/requests.md). */
import { PROBLEMS } from '../../../src/domain/problems.ts';
import { MEDIA_TYPE, type Reply } from '../../support/client.ts';
import type { Drawn } from './requests.ts';

const STATUSES: ReadonlySet<number> = new Set([
  ...[200, 201, 204, 304],
  ...Object.values(PROBLEMS).map(([status]) => status),
]);

const CODES: ReadonlyMap<string, readonly [number, string]> = new Map(Object.entries(PROBLEMS));

/** What would come of a fault that leaks: frames of a stack, statements, places of the source. */
const LEAK = /\.ts:\d|at \w+ \(|SQLITE_|node_modules|RangeError|TypeError/;

/** What is wrong with an answer; nothing for a right one. */
export function faultsOfReply({ method }: Drawn, { status, headers, text }: Reply): readonly string[] {
  const faults: string[] = [];
  const complain = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  complain(STATUSES.has(status) && status !== 500, `the status ${status}`);
  complain(headers.get('x-request-id') !== null, 'no request id');
  const bare = status === 204 || status === 304 || method === 'HEAD';
  if (bare) complain(text === '', 'a body where there is none');
  if (bare || (method === 'OPTIONS' && status < 300)) return faults;
  const mediaType = headers.get('content-type') ?? '';
  complain(mediaType.split(';')[0]?.trim() === MEDIA_TYPE, `the media type ${mediaType}`);
  complain(!LEAK.test(text) || status < 400, 'a text that is the inside of the service');
  const body = parsed(text);
  if (body === undefined) return [...faults, 'no JSON object'];
  if (status >= 400) faults.push(...faultsOfErrors(status, body['errors']));
  else {
    complain('data' in body || 'meta' in body || 'atomic:results' in body, 'neither data nor meta');
    complain(!('errors' in body), 'errors beside success');
  }
  return faults;
}

function faultsOfErrors(status: number, errors: unknown): readonly string[] {
  if (!Array.isArray(errors) || errors.length === 0) return ['no errors'];
  return errors.flatMap((error: Readonly<Record<string, unknown>>) => {
    const { code, title, detail, source } = error;
    const known = CODES.get(String(code));
    const faults: string[] = [];
    if (error['status'] !== String(status)) faults.push('an error of another status');
    if (known === undefined) faults.push(`the code ${String(code)}`);
    else if (known[0] !== status || known[1] !== title)
      faults.push(`another title or status of ${String(code)}`);
    if (typeof detail !== 'string' || !/\w/.test(detail)) faults.push(`the detail ${String(detail)}`);
    if (source !== undefined && !isSource(source)) faults.push(`the source ${JSON.stringify(source)}`);
    return faults;
  });
}

function isSource(source: unknown): boolean {
  if (typeof source !== 'object' || source === null) return false;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(source);
  const [only] = entries;
  if (entries.length !== 1 || only === undefined) return false;
  const [name, value] = only;
  if (typeof value !== 'string') return false;
  return name === 'pointer'
    ? value === '' || value.startsWith('/')
    : name === 'parameter' || name === 'header';
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? { ...body } : undefined;
  } catch {
    return undefined;
  }
}
