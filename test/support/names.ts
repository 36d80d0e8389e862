/** Ids and names of types and fields as tests write them. */
import { isFieldName, type FieldName } from '../../src/domain/field-names.ts';

export { applicationId, storedId as idOf } from '../../src/domain/ids.ts';
export { storedType as typeOf } from '../../src/domain/types.ts';

export function fieldOf(name: string): FieldName {
  if (!isFieldName(name)) throw new TypeError(`No field can be named ${name}.`);
  return name;
}
