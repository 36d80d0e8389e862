/** Ids of an offline store's documents: the client's own, and those that the service has given since. */
import { linksOf, relinked, saidOf, type Said } from './pending.ts';
import type { Tables } from './storage.ts';
import type { Resource } from '../transport.ts';

/** The id that a document has by now. */
export async function idNow(tables: Tables, id: string): Promise<string> {
  const known = await tables.get('ids', id);
  return known === undefined ? id : idNow(tables, known.id);
}

/** What values say of a document, with links to the ids that their documents have by now. */
export async function saidNow(tables: Tables, values: object, resource: Resource | null): Promise<Said> {
  let said = saidOf(values, resource);
  for (const link of linksOf({ said })) said = relinked(said, link, await idNow(tables, link.id));
  return said;
}

/** An id in the form of the service's own: the time in seconds, and 64 random bits. */
export function newId(): string {
  const [one = 0, two = 0] = crypto.getRandomValues(new Uint32Array(2));
  return [Date.now() / 1000, one, two].map((part) => Math.floor(part).toString(16).padStart(8, '0')).join('');
}
