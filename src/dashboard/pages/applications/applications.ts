/** Applications, as the operator has them. */
import type { Resource } from '../../../client/transport.ts';
import { dateOf, textOf } from '../../parts/json.ts';
import { credentials, enter } from '../../session/credentials.ts';
import { askAsOperator, pathOfApplications } from '../../session/service.ts';
import { leaveApplication } from '../../session/leave.ts';
import { listOf } from '../../session/answers.ts';

export interface ApplicationRow {
  readonly id: string;
  readonly name: string;
  readonly placement: string | undefined;
  /** When an application ends that was deleted. */
  readonly ends: Date | undefined;
  readonly quotas: Readonly<Record<string, unknown>>;
  readonly auditDays: number | undefined;
}

export const PAGE_SIZE = 100;

/** A page of applications whose name contains a text, and how many there are of them. */
export async function readApplications(
  search: string,
  offset: number,
  signal: AbortSignal,
): Promise<{ readonly rows: readonly ApplicationRow[]; readonly count: number }> {
  const query = new URLSearchParams({
    'page[offset]': String(offset),
    'page[limit]': String(PAGE_SIZE),
    sort: 'name',
    ...(search !== '' && { 'filter[name]': JSON.stringify({ $regex: literal(search), $options: 'i' }) }),
  });
  const answer = await askAsOperator('GET', pathOfApplications(), { query: query.toString(), signal });
  const found = listOf(answer.body);
  return { rows: found.map(rowOf), count: answer.body.meta?.count ?? found.length };
}

export async function readApplication(id: string, signal?: AbortSignal): Promise<ApplicationRow> {
  const { body } = await askAsOperator('GET', pathOfApplications(id), { signal });
  return rowOf(body.data as Resource);
}

/** Changes attributes of an application. */
export async function changeApplication(id: string, attributes: object): Promise<void> {
  await askAsOperator('PATCH', pathOfApplications(id), {
    body: { data: { type: 'core.application', id, attributes } },
  });
}

export async function createApplication(name: string, placement: string): Promise<ApplicationRow> {
  const attributes = { name, ...(placement !== '' && { placement }) };
  const { body } = await askAsOperator('POST', pathOfApplications(), {
    body: { data: { type: 'core.application', attributes } },
  });
  return rowOf(body.data as Resource);
}

/**
 * Opens an application: its documents are read with an API key, which the dashboard makes for itself and deletes on
 * leaving. Its name tells where it came from, if a tab was closed without that.
 */
export async function openApplication({ id, name }: ApplicationRow): Promise<void> {
  await leaveApplication();
  const since = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const permissions = [{ path: '.*', methods: ['get', 'post', 'patch', 'delete', 'bulk'] }];
  const { body } = await askAsOperator('POST', pathOfApplications(id, 'api-keys'), {
    body: { data: { type: 'core.api-key', attributes: { name: `dashboard, ${since}`, permissions } } },
  });
  const key = body.data as Resource;
  enter({
    ...credentials.value,
    application: { id, name, key: textOf(key.attributes?.['secure-id']), madeKey: key.id },
  });
}

function rowOf({ id, attributes = {} }: Resource): ApplicationRow {
  const { name, placement, ends, quotas } = attributes;
  const days = attributes['audit-days'];
  return {
    id,
    name: typeof name === 'string' ? name : id,
    placement: typeof placement === 'string' ? placement : undefined,
    ends: dateOf(ends),
    quotas: Object.fromEntries(Object.entries(quotas ?? {})),
    auditDays: typeof days === 'number' ? days : undefined,
  };
}

/** A text as a pattern that matches itself. */
function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
