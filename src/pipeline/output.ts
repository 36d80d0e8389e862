/** `output`: which fields of the outputs are attributes and which are relationships. It can only be the last stage. */
import { hintOf, shownName } from '../domain/names.ts';
import { inside } from '../domain/pointer.ts';
import { isFields, type Value } from '../domain/values/values.ts';
import { faultOfFieldName, isFieldName, type FieldName } from '../domain/field-names.ts';
import { substitute } from '../operators/core/parameters.ts';
import { refuseStage, type At } from '../operators/stages/stage.ts';
import { memberOf, isList } from '../domain/values/tree.ts';

/** Null attributes mean all fields but the id and the type. */
export interface OutputShape {
  readonly attributes: readonly FieldName[] | null;
  readonly relationships: readonly FieldName[];
}

/** Without an output stage. */
export const ALL_ATTRIBUTES: OutputShape = { attributes: null, relationships: [] };

const MEMBERS = ['attributes', 'relationships'];

export function readOutput(argument: Value, at: At): OutputShape | null {
  const value = substitute(argument, at);
  if (!isFields(value)) return refuseStage(at, 'output takes an object with attributes and relationships.');
  const strange = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (strange !== undefined) {
    return refuseStage(
      { ...at, place: inside(at.place, strange) },
      () => `output does not know ${shownName(strange)}.${hintOf(strange, MEMBERS)}`,
    );
  }
  const attributes = readNames(value, 'attributes', at);
  const relationships = readNames(value, 'relationships', at);
  if (attributes === null || relationships === null) return null;
  const both = relationships.find((name) => attributes.includes(name));
  if (both !== undefined) return refuseStage(at, `${both} cannot be an attribute and a relationship.`);
  return { attributes, relationships };
}

function readNames(
  value: Value,
  member: 'attributes' | 'relationships',
  at: At,
): readonly FieldName[] | null {
  const list = isFields(value) ? (memberOf(value, member) ?? []) : [];
  const here = { ...at, place: inside(at.place, member) };
  if (!isList(list)) return refuseStage(here, `${member} is an array of names of fields.`);
  const names: FieldName[] = [];
  for (const [index, name] of list.entries()) {
    if (typeof name !== 'string' || !isFieldName(name)) {
      const fault = typeof name === 'string' ? faultOfFieldName(name) : undefined;
      const there = { ...here, place: inside(here.place, index) };
      return refuseStage(there, fault ?? 'It is not the name of a field.');
    }
    if (!names.includes(name)) names.push(name);
  }
  return names;
}
