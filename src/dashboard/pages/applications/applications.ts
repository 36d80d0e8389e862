/** Applications, as the operator has them. */
import type { Resource } from '../../../client/transport.ts';
import { isMembers, literal, stringIn, type Members } from '../../parts/json.ts';
import { isoOf } from '../../parts/kinds.ts';
import { credentials, enter } from '../../session/credentials.ts';
import { documentIn, listedIn } from '../../session/documents.ts';
import { leaveApplication } from '../../session/leave.ts';
import { askAsOperator, pathOfApplications } from '../../session/service.ts';

export interface ApplicationRow {
  readonly id: string;
  readonly name: string;
  readonly placement: string | undefined;
  /** When an application ends that was deleted. */
  readonly ends: string | undefined;
  readonly quotas: Members;
  readonly auditDays: number | undefined;
}

export const PAGE_SIZE = 100;

/** A page of applications whose name contains a text, and how many there are of them. */
export async function readApplications(search: string, offset: number, signal: AbortSignal) {
  const query = new URLSearchParams({
    'page[offset]': String(offset),
    'page[limit]': String(PAGE_SIZE),
    sort: 'name',
    ...(search !== '' && { 'filter[name]': JSON.stringify({ $regex: literal(search), $options: 'i' }) }),
  });
  const answer = await askAsOperator('GET', pathOfApplications(), { query: query.toString(), signal });
  const { documents, count = documents.length } = listedIn(answer);
  return { rows: documents.map(rowOf), count };
}

export async function readApplication(id: string, signal?: AbortSignal): Promise<ApplicationRow> {
  return rowIn(documentIn(await askAsOperator('GET', pathOfApplications(id), { signal })));
}

/** Changes attributes of an application. */
export async function changeApplication(id: string, attributes: object): Promise<void> {
  await askAsOperator('PATCH', pathOfApplications(id), {
    body: { data: { type: 'core.application', id, attributes } },
  });
}

export async function createApplication(name: string, placement: string): Promise<ApplicationRow> {
  const attributes = { name, ...(placement !== '' && { placement }) };
  const body = { data: { type: 'core.application', attributes } };
  return rowIn(documentIn(await askAsOperator('POST', pathOfApplications(), { body })));
}

/**
 * Opens an application: its documents are read with an API key, which the dashboard makes for itself and deletes on
 * leaving. Its name tells where it came from, if a tab was closed without that.
 */
export async function openApplication({ id, name }: ApplicationRow): Promise<void> {
  await leaveApplication();
  const since = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const permissions = [{ path: '.*', methods: ['get', 'post', 'patch', 'delete', 'bulk'] }];
  const body = { data: { type: 'core.api-key', attributes: { name: `dashboard, ${since}`, permissions } } };
  const key = documentIn(await askAsOperator('POST', pathOfApplications(id, 'api-keys'), { body }));
  enter({
    ...credentials.value,
    application: {
      id,
      name,
      key: stringIn(key?.attributes?.['secure-id']),
      ...(key !== null && { madeKey: key.id }),
    },
  });
}

function rowOf({ id, attributes = {} }: Resource): ApplicationRow {
  const { name, placement, ends, quotas } = attributes;
  const days = attributes['audit-days'];
  return {
    id,
    name: typeof name === 'string' ? name : id,
    placement: typeof placement === 'string' ? placement : undefined,
    ends: isoOf(ends),
    quotas: isMembers(quotas) ? quotas : {},
    auditDays: typeof days === 'number' ? days : undefined,
  };
}

function rowIn(document: Resource | null): ApplicationRow {
  if (document === null) throw new Error('The service has not shown the application.');
  return rowOf(document);
}
