/** Parts of addresses, decoded; undefined where one of them is no percent-encoded UTF-8. */
export function decodedParts(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
