/** Queries of addresses as text: every name and value is encoded, whatever it holds. */
export function textOfQuery(entries: readonly (readonly [name: string, value: string])[]): string {
  return entries.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
}
