/** Equality as SQL over bodies: for one value, and for a list. */
import { encodeText } from '../../domain/values/codec.ts';
import type { Value } from '../../domain/values/values.ts';
import { isPlain, kind, plainNumber, type BodyTest } from '../../query/sql/body-test.ts';
import { joined, sql } from '../../query/sql/condition.ts';

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
  const textOf = (row: string) => `${row}.body -> ${path}`;
  const found =
    texts.length === 1
      ? sql((row) => `(${textOf(row)}) IS ?`, texts[0] ?? '')
      : sql((row) => `(${textOf(row)}) IN (SELECT value FROM json_each(?)) IS TRUE`, JSON.stringify(texts));
  const nothing = values.includes(null) ? [sql((row) => `(${textOf(row)}) IS NULL`)] : [];
  const array = sql((row) => `${kind(row, path)} IS 'array'`);
  const unsure = numbers ? sql((row) => `${kind(row, path)} IN ('array', 'object') IS TRUE`) : array;
  // Of a path that ends within an array nothing is found, and yet no null need be there.
  const certain = path.includes('"."') ? [found] : [found, ...nothing];
  return { may: joined('OR', [found, ...nothing, unsure]), must: joined('OR', certain) };
}
