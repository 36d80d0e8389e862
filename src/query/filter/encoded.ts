/** Filters as they travel to a collection. The same few filters are asked for again and again: each is read once. */
import { encodeText } from '../../domain/codec.ts';
import { Lru } from '../../domain/lru.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import { parseFilter, type FilterParameter } from './parse.ts';

/** Filters of this isolate, by their texts; the limit is on the UTF-16 units of text and encoding together. */
const REMEMBERED = 500;
const LONGEST = 4_000;

const known = new Lru<string, string>(REMEMBERED);

/** The stored encoding (domain/codec.ts) of the condition that the filter parameters make together, or their faults. */
export function encodeFilter(parameters: readonly FilterParameter[]): Outcome<string> {
  const key = JSON.stringify(parameters.map(({ field, text }) => [field, text]));
  const remembered = known.get(key);
  if (remembered !== undefined) return ok(remembered);
  const filter = parseFilter(parameters);
  if (!filter.ok) return filter;
  const encoded = encodeText(filter.value);
  if (key.length + encoded.length <= LONGEST) known.set(key, encoded);
  return ok(encoded);
}
