/** How header values are split into the members of a list, or a member into its parts. */

/** Splits at a separator, but not inside quoted strings. One pass, whatever the header holds. */
export function splitUnquoted(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
