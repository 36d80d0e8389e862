/** What the tests of searches share: addresses of filtered lists, and documents loaded quickly. */
import type { Client } from './client.ts';

export interface FilterParameter {
  readonly field: string | null;
  readonly text: string;
}

/** The address of a list with filters and further parameters. */
export function listPath(
  type: string,
  filters: readonly FilterParameter[],
  further: Readonly<Record<string, string>> = {},
): string {
  const pairs = [
    ...filters.map(({ field, text }) => [`filter[${field ?? '*'}]`, text] as const),
    ...Object.entries(further),
  ];
  return `/resources/${type}?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}

/** The address of a list with one `filter[*]`. */
export function searchPath(
  type: string,
  filter: unknown,
  further: Readonly<Record<string, string>> = {},
): string {
  return listPath(type, [{ field: null, text: JSON.stringify(filter) }], further);
}

/** Creates documents one after the other, so that their ids have the order of the list. Returns the ids. */
export async function makeInOrder(
  client: Client,
  type: string,
  attributes: readonly string[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const text of attributes) {
    const made = await client.post(`/resources/${type}`, `{"data":{"type":"${type}","attributes":${text}}}`);
    if (made.status !== 201) throw new Error(made.text);
    ids.push(made.body.data.id);
  }
  return ids;
}

/** Creates documents with many requests at once, in no order. */
export async function makeMany(client: Client, type: string, attributes: readonly unknown[]): Promise<void> {
  const waiting = [...attributes.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await client.make(type, next[1]);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}
