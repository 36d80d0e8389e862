/** What a case of an update is, and how the tables of them are written. Values are written as requests have them. */
import type { Parsed } from '../../src/domain/values/json.ts';

export { list } from './sent.ts';

export type Json = { readonly [name: string]: Parsed };

/** A name, the attributes before, the update, and the attributes after or a part of the refusal. */
export type UpdateCase = readonly [name: string, before: Json, update: Json, after: Json | string];

export const long = (digits: string): Json => ({ $numberLong: digits });
export const decimal = (text: string): Json => ({ $numberDecimal: text });
export const each = (items: readonly Parsed[], modifiers: Json = {}): Json => ({
  $each: items,
  ...modifiers,
});
