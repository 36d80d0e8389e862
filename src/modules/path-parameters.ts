/** What the segments of a path say: which handlers ask for only where their endpoint's path has it. */
import type { DocumentId } from '../domain/ids.ts';
import type { TypeName } from '../domain/types.ts';
import type { FieldName } from '../domain/field-names.ts';

/** The parameters of a path. To ask for one that the path does not have is a bug, and throws. */
export class PathParameters {
  readonly type: TypeName;
  readonly #id: DocumentId | undefined;
  readonly #name: FieldName | undefined;
  readonly #user: DocumentId | undefined;
  readonly #number: number | undefined;

  constructor(type: TypeName, id?: DocumentId, name?: FieldName, user?: DocumentId, number?: number) {
    this.type = type;
    this.#id = id;
    this.#name = name;
    this.#user = user;
    this.#number = number;
  }

  /** Whether the path is that of a document, or of something of it. */
  get isDocument(): boolean {
    return this.#id !== undefined;
  }
  get id(): DocumentId {
    return given(this.#id, 'id');
  }
  /** The id of a user of the application whose id comes before. */
  get user(): DocumentId {
    return given(this.#user, 'user');
  }
  get name(): FieldName {
    return given(this.#name, 'name');
  }
  /** Of a version. */
  get number(): number {
    return given(this.#number, 'number');
  }
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The path has no {${name}}.`);
  return value;
}
