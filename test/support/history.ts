/** The history of documents for tests (docs/history.md). */
import { pathOf, type Client, type Link, type Reply } from './client.ts';

/** A version as the list shows it. */
export interface Version {
  readonly number: number;
  readonly change: string;
  readonly at?: string;
  readonly user?: unknown;
  readonly key?: unknown;
}

export function versionsOf(client: Client, document: Link, headers = {}, query = ''): Promise<Reply> {
  return client.get(`${pathOf(document)}/versions${query}`, headers);
}

export const versionsIn = ({ body }: Reply): readonly Version[] =>
  body.data.map(({ attributes }) => attributes as unknown as Version);

/** Number and kind of each version of a list. */
export const listed = (reply: Reply): readonly string[] =>
  reply.status === 200 ? versionsIn(reply).map(({ number, change }) => `${number} ${change}`) : [];

export function versionOf(client: Client, document: Link, n: number, headers = {}): Promise<Reply> {
  return client.get(`${pathOf(document)}/versions/${n}`, headers);
}

export function restore(client: Client, document: Link, n: number, headers = {}): Promise<Reply> {
  return client.post(`${pathOf(document)}/versions/${n}/restore`, undefined, headers);
}

export function change(client: Client, { type, id }: Link, attributes: object, headers = {}): Promise<Reply> {
  return client.update(pathOf({ type, id }), { attributes }, headers);
}
