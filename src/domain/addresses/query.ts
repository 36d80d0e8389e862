/** Queries of addresses as text. Every name and value is encoded. */
export function textOfQuery(entries: readonly (readonly [name: string, value: string])[]): string {
  return entries.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}
