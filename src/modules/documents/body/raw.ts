/** Raw attributes: JSON that is stored as text because its `$` names are no wrappers (schemas, pipelines). */
import { parseJson, type Parsed } from '../../../domain/values/json.ts';
import { LIMITS } from '../../../domain/limits.ts';
import { isList, memberOf } from '../../../domain/values/tree.ts';
import { isFields, type Fields, type Value } from '../../../domain/values/values.ts';

/** Attributes with a list of objects whose raw members are as the JSON that a client sent. */
export function showRawMembers(attributes: Fields, name: string, members: ReadonlySet<string>): Fields {
  const list = memberOf(attributes, name);
  if (
    list === undefined ||
    !isList(list) ||
    !list.some((item) => isFields(item) && Object.keys(item).some((each) => members.has(each)))
  ) {
    return attributes;
  }
  return {
    ...attributes,
    [name]: list.map((item) =>
      isFields(item) ? [...members].reduce<Fields>((shown, member) => showRaw(shown, member), item) : item,
    ),
  };
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

/** Attributes with a raw one as the JSON that a client sent. */
export function showRaw(attributes: Fields, name: string): Fields {
  const text = memberOf(attributes, name);
  if (typeof text !== 'string') return attributes;
  // A stored document holds no number that a value cannot hold, so its parsed JSON is a value.
  return { ...attributes, [name]: openRaw(text) as Value };
}
