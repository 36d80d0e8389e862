/** One text for all values that are equal, of any kind. Groups and sets use it as their key. */
import { isFields, ObjectId } from '../../domain/values/values.ts';
import { isNumber, numberKey } from '../../query/order/numbers.ts';
import type { Operand } from './meter.ts';
import { isList } from '../../domain/values/tree.ts';

/** Equal for two values exactly when `compareValues` takes them for the same; a missing value has its own. */
export function keyOfOperand(value: Operand): string {
  if (typeof value === 'string') return `"${value.length}:${value}`;
  if (value === undefined) return 'u';
  if (value === null) return 'n';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (isNumber(value)) return `#${numberKey(value)};`;
  if (value instanceof Date) return `d${value.getTime()};`;
  if (value instanceof ObjectId) return `i${value.hex}`;
  if (isList(value)) return `[${value.map(keyOfOperand).join('')}]`;
  if (!isFields(value)) return '';
  // Lengths in front, so that no name or string can be taken for what follows it.
  return `{${Object.entries(value)
    .map(([name, field]) => `${name.length}:${name}${keyOfOperand(field)}`)
    .join('')}}`;
}

export function distinct<T extends Operand>(values: Iterable<T>): Map<string, T> {
  const found = new Map<string, T>();
  for (const value of values) {
    const key = keyOfOperand(value);
    if (!found.has(key)) found.set(key, value);
  }
  return found;
}
