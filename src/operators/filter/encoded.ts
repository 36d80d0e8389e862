/** Filters on their way to a collection. Each is decoded once, because the same few come again and again. */
import { decodeText, encodeText } from '../../domain/values/codec.ts';
import { Lru } from '../../domain/caching/lru.ts';
import { ok, type Outcome } from '../../domain/problems.ts';
import type { Condition } from './conditions.ts';
import { relationshipsOf } from './through.ts';
import { parseFilter, type FilterParameter } from './parse.ts';

/** Filters of this isolate, by their texts; the limit is on the UTF-16 units of text and encoding together. */
const REMEMBERED = 500;
const LONGEST = 4_000;

const known = new Lru<string, EncodedFilter>(REMEMBERED);

/** A filter as it travels: `condition` in the stored encoding (domain/values/codec.ts). */
export interface EncodedFilter {
  readonly condition: string;
  /** Names in it that may be those of relationships whose documents it asks. */
  readonly through: readonly string[];
}

/** The condition that the filter parameters make together, or their faults. */
export function readFilter(parameters: readonly FilterParameter[]): Outcome<EncodedFilter> {
  const key = JSON.stringify(parameters.map(({ field, text }) => [field, text]));
  const remembered = known.get(key);
  if (remembered !== undefined) return ok(remembered);
  const filter = parseFilter(parameters);
  if (!filter.ok) return filter;
  const encoded = { condition: encodeText(filter.value), through: relationshipsOf(filter.value) };
  const { length } = encoded.condition;
  if (key.length + length + encoded.through.join().length <= LONGEST) known.set(key, encoded);
  return ok(encoded);
}

export function decodeCondition(condition: string): Condition {
  return decodeText(condition) as unknown as Condition;
}
