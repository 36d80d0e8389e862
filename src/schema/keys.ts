/**
 * Compares values for equality by one text each (plain.ts), at a bounded cost. Texts of a schema are made once, texts
 * of a document for each comparison.
 */
import { SCHEMA_LIMITS } from './limits.ts';
import { keyOfPlain, type Plain } from './plain.ts';
import type { Work } from './work.ts';
import { recall } from '../domain/caching/recall.ts';

const CHOICES = new WeakMap<readonly Plain[], ReadonlySet<string>>();

/** A string, which may be long, needs no text beside itself: no other value's begins with a quotation mark. */
const keyOf = (value: Plain): string => (typeof value === 'string' ? `"${value}` : keyOfPlain(value));

export function choicesOf(choices: readonly Plain[]): ReadonlySet<string> {
  return recall(CHOICES, choices, () => new Set(choices.map(keyOf)));
}

/** The key of a value of the document, of at most 1 MiB. */
export function keyOfDocument(value: Plain, work: Work): string {
  const key = keyOf(value);
  work.spend(SCHEMA_LIMITS.memberWork + key.length / (typeof value === 'string' ? 16 : 2));
  return key;
}
