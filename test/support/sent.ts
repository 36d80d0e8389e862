/** Values as requests send them, where JavaScript has none that says the same. */
import '../../src/domain/values/present.ts'; // Only for the type of JSON.rawJSON.

/** What is sent as JSON; what `raw` makes may stand anywhere in it. */
export type Sent = unknown;

/** JSON text to be sent as it is, where a JavaScript number would lose something: `1.0`, `9007199254740993`. */
export const raw = (text: string): Sent => JSON.rawJSON(text);
export const date = (text: string | number): Sent => ({ $date: text });
export const long = (digits: string): Sent => ({ $numberLong: digits });
export const decimal = (text: string): Sent => ({ $numberDecimal: text });
export const oid = (hex: string): Sent => ({ $oid: hex });

/** Several of one kind, which a row of a table shows on one line. */
export const list = <Item>(...items: readonly Item[]): readonly Item[] => items;
