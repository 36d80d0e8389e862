/** Lists of operations and what they come to (JSON:API, Atomic Operations). */
import {
  ATOMIC_MEDIA_TYPE,
  type Client,
  type Link,
  type Options,
  type Reply,
  type Resource,
} from './client.ts';

/** An operation, right or wrong. */
export type Operation = Readonly<Record<string, unknown>>;

interface Result {
  readonly data?: Resource & (Link | readonly Link[] | null);
  readonly meta?: { readonly etag: string; readonly errors?: unknown };
}

export interface Results extends Reply {
  /** Empty where there are none. */
  readonly results: readonly Result[];
}

const ATOMIC = { 'content-type': ATOMIC_MEDIA_TYPE };

/** Sends a list of operations. */
export function operate(
  client: Client,
  operations: unknown,
  headers?: Options['headers'],
  query = '',
): Promise<Results> {
  return operateWith(client, { 'atomic:operations': operations }, headers, query);
}

/** Sends a body to `/operations`, as JSON or as it is. */
export async function operateWith(
  client: Client,
  body: unknown,
  headers?: Options['headers'],
  query = '',
): Promise<Results> {
  const reply = await client.post(`/operations${query}`, body, { ...ATOMIC, ...headers });
  const { 'atomic:results': results } = reply.body as { readonly 'atomic:results'?: readonly Result[] };
  return { ...reply, results: results ?? [] };
}

export function add(type: string, attributes?: unknown, relationships?: unknown, lid?: string): Operation {
  return {
    op: 'add',
    data: {
      type,
      ...(lid !== undefined && { lid }),
      ...(attributes !== undefined && { attributes }),
      ...(relationships !== undefined && { relationships }),
    },
  };
}

export function update(link: Link, attributes?: unknown, meta?: unknown): Operation {
  const { type, id } = link;
  return {
    op: 'update',
    ref: { type, id },
    data: { type, id, attributes },
    ...(meta !== undefined && { meta }),
  };
}

export function remove(link: Link, meta?: unknown): Operation {
  return { op: 'remove', ref: { type: link.type, id: link.id }, ...(meta !== undefined && { meta }) };
}

export function relink(op: string, link: Link, relationship: string, data: unknown): Operation {
  return { op, ref: { type: link.type, id: link.id, relationship }, data };
}

/** Leaves two people in an application, new ones, and nobody else. */
export async function onlyAdaAndEva(client: Client): Promise<[ada: Resource, eva: Resource]> {
  const { body } = await client.get('/resources/people?page[limit]=1000');
  if (body.data.length > 0)
    await operate(
      client,
      body.data.map((each) => remove(each)),
    );
  return [
    await client.make('people', { name: 'Ada' }, { kin: { data: null } }),
    await client.make('people', { name: 'Eva' }),
  ];
}
