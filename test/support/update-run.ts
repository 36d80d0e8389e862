/** Updates as a request would bring them, applied to attributes that can not be changed. */
import { sentenceOf } from '../../src/domain/names.ts';
import { decodeText, encodeText } from '../../src/domain/values/codec.ts';
import type { ParsedObject } from '../../src/domain/values/json.ts';
import { placeOf, pointerOf } from '../../src/domain/pointer.ts';
import type { Fields, Value } from '../../src/domain/values/values.ts';
import { readValue } from '../../src/domain/values/wrappers.ts';
import { applyUpdate } from '../../src/operators/update/apply.ts';
import { readUpdate } from '../../src/operators/update/read.ts';
import type { Update } from '../../src/operators/update/update.ts';

const NOW = new Date(1000);

/** The attributes after, or each fault with its pointer in front. */
export function updated(before: Fields, update: ParsedObject): Fields | readonly string[] {
  const faults: string[] = [];
  const read = readUpdate(update, placeOf('data', 'meta', 'update'), (place, detail) => {
    faults.push(`${pointerOf(place)} ${sentenceOf(detail)}`);
  });
  if (faults.length > 0) return faults;
  // As it crosses to the collection.
  const crossed = decodeText(encodeText(read)) as Update;
  const after = applyUpdate(frozen(before), crossed, NOW);
  if (after.ok) return after.value;
  return after.problems.map(({ detail, source }) => `${JSON.stringify(source)} ${detail}`);
}

export function valueOf(json: ParsedObject): Fields {
  return readValue(json, null, (_place, detail) => {
    throw new Error(sentenceOf(detail));
  }) as Fields;
}

function frozen<T extends Value>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach((child: Value) => frozen(child));
    Object.freeze(value);
  }
  return value;
}
