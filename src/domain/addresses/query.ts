/** Queries of addresses as text. Every name and value is encoded. */
export function textOfQuery(entries: readonly (readonly [name: string, value: string])[]): string {
  let text = '';
  let separator = '';
  // The links of a page are five queries: lists in between cost more than their text.
  for (const [name, value] of entries) {
    text += `${separator}${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
    separator = '&';
  }
  return text;
}
