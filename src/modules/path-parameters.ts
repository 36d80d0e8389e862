/** What the segments of a path say: which handlers ask for only where their endpoint's path has it. */
import type { DocumentId } from '../domain/ids.ts';
import type { TypeName } from '../domain/types.ts';
import type { FieldName } from '../domain/field-names.ts';

/** The parameters of a path. To ask for one that the path does not have is a bug, and throws. */
export interface PathParameters {
  readonly type: TypeName;
  readonly id: DocumentId;
  /** The id of a user of the application whose id comes before. */
  readonly user: DocumentId;
  readonly name: FieldName;
}

export function pathParameters(
  type: TypeName,
  id?: DocumentId,
  name?: FieldName,
  user?: DocumentId,
): PathParameters {
  return {
    type,
    get id() {
      return given(id, 'id');
    },
    get user() {
      return given(user, 'user');
    },
    get name() {
      return given(name, 'name');
    },
  };
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The path has no {${name}}.`);
  return value;
}
