/** Many documents at once, for the limits that only many show. */
import type { Client, Link } from './client.ts';

/** Makes so many blank documents of a type, a few at a time; in the order of creation. */
export async function crowd(client: Client, type: string, count: number): Promise<readonly Link[]> {
  const links: Link[] = [];
  while (links.length < count) {
    const batch = Array.from({ length: Math.min(50, count - links.length) }, () => client.make(type));
    links.push(...(await Promise.all(batch)).map(({ id }) => ({ type, id })));
  }
  return links.sort((one, other) => (one.id < other.id ? -1 : 1));
}
