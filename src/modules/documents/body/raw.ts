/** Raw attributes: JSON that is stored as text because its `$` names are no wrappers (schemas, pipelines). */
import { parseJson, type Parsed } from '../../../domain/values/json.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isList, mapFields, memberOf } from '../../../domain/values/tree.ts';
import { isFields, type Fields, type Value } from '../../../domain/values/values.ts';

/** By names of attributes: the whole of them, or those members of the objects in their list. */
export type Raw = Readonly<Record<string, 'whole' | ReadonlySet<string>>>;

/** Stored attributes with the raw ones as the JSON that a client sent. */
export function openedRaw(attributes: Fields, raw: Raw): Fields {
  return mapFields(attributes, (value, name) => {
    const members = memberOf(raw, name);
    if (members === 'whole') return opened(value);
    if (members === undefined || !isList(value)) return value;
    const shown = (each: Value, member: string) => (members.has(member) ? opened(each) : each);
    return value.map((item) => (isFields(item) ? mapFields(item, shown) : item));
  });
}

/** A stored document holds no number that a value cannot hold, so its parsed JSON is a value. */
function opened(stored: Value): Value {
  return typeof stored === 'string' ? (openRaw(stored) as Value) : stored;
}

/** The text of a stored attribute that was checked to be one. */
export function storedText(attributes: Fields, name: string): string {
  const text = memberOf(attributes, name);
  if (typeof text !== 'string') throw new Error(`The stored attribute ${name} is no text.`);
  return text;
}

export function openRaw(text: string): Parsed {
  const parsed = parseJson(text, LIMITS.jsonDepth);
  if (!parsed.ok) throw new Error('A stored raw attribute is no JSON.');
  return parsed.value;
}
