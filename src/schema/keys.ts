/**
 * Compares values for equality by one text each (plain.ts), at a bounded cost. Texts of a schema are made once, texts
 * of a document for each comparison.
 */
import { keyOfPlain, type Plain } from './plain.ts';
import type { Work } from './work.ts';
import { isList } from '../domain/values/tree.ts';
import { recall } from '../domain/caching/recall.ts';

const KEYS = new WeakMap<object, string>();
const CHOICES = new WeakMap<object, ReadonlySet<string>>();

export function keyOfArgument(argument: Plain): string {
  return typeof argument === 'object' && argument !== null
    ? recall(KEYS, argument, () => keyOfPlain(argument))
    : keyOfPlain(argument);
}

export function choicesOf(argument: Plain): ReadonlySet<string> {
  return isList(argument) ? recall(CHOICES, argument, () => new Set(argument.map(keyOfPlain))) : new Set();
}

/** The key of a value of the document, of at most 1 MiB. */
export function keyOfDocument(value: Plain, work: Work): string {
  const key = keyOfPlain(value);
  work.spend(key.length / 2);
  return key;
}
