/** Documents that many tests need to be there: made by lists of operations, which is quick. */
import type { Client } from './client.ts';
import { operateWith } from './operations.ts';

/** The most operations of a list. */
const LIST = 1_000;

/**
 * Makes documents of a type with these attributes, or so many; a text is JSON that is sent as it is. They and their
 * ids, which it returns, have the order of the list.
 */
export async function crowd(
  client: Client,
  type: string,
  documents: number | readonly unknown[],
  attributesOf: (n: number) => unknown = () => ({}),
): Promise<readonly string[]> {
  const all =
    typeof documents === 'number' ? Array.from({ length: documents }, (_, n) => attributesOf(n)) : documents;
  const ids: string[] = [];
  for (let from = 0; from < all.length; from += LIST) {
    const operations = all.slice(from, from + LIST).map((attributes) => {
      const text = typeof attributes === 'string' ? attributes : JSON.stringify(attributes);
      return `{"op":"add","data":{"type":"${type}","attributes":${text}}}`;
    });
    const body = `{"atomic:operations":[${operations.join(',')}]}`;
    const made = await operateWith(client, body, { prefer: 'return=minimal' });
    if (made.status !== 200) throw new Error(made.text);
    ids.push(...made.results.flatMap(({ data }) => data?.id ?? []));
  }
  return ids;
}
