/** Equality as SQL over bodies: for one value, and for a list. */
import { encodeText } from '../../domain/codec.ts';
import type { Value } from '../../domain/values.ts';
import { isPlain, joined, kind, plainNumber, sql, type BodyTest } from '../../query/index/body.ts';

/**
 * Equal values have equal stored text, but for numbers of different kinds. What SQL does not find at the path is
 * null, as it is to a filter, unless the path leads through an array.
 */
export function testEquality(values: readonly Value[], path: string): BodyTest | undefined {
  const texts: string[] = [];
  let numbers = false;
  for (const value of values) {
    const plain = plainNumber(value);
    if (plain !== undefined) texts.push(JSON.stringify(plain));
    else if (isPlain(value)) texts.push(encodeText(value));
    else return undefined;
    numbers ||= plain !== undefined;
  }
  const text = `documents.body -> ${path}`;
  const found =
    texts.length === 1
      ? sql(`(${text}) IS ?`, texts[0] ?? '')
      : sql(`(${text}) IN (SELECT value FROM json_each(?)) IS TRUE`, JSON.stringify(texts));
  const nothing = values.includes(null) ? [sql(`(${text}) IS NULL`)] : [];
  const array = sql(`${kind(path)} IS 'array'`);
  const unsure = numbers ? sql(`${kind(path)} IN ('array', 'object') IS TRUE`) : array;
  // Of a path that ends within an array nothing is found, and yet no null need be there.
  const certain = path.includes('"."') ? [found] : [found, ...nothing];
  return { may: joined('OR', [found, ...nothing, unsure]), must: joined('OR', certain) };
}
