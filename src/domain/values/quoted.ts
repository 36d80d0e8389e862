/** Texts as JSON strings. */

/** Texts without what JSON escapes: quotes, backslashes, control characters and halves of characters. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** What `JSON.stringify` makes of a text: most have nothing to escape, and need no serializer. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
