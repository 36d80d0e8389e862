/** What the segments of a path say: which handlers ask for only where their endpoint's path has it. */
import type { DocumentId } from '../domain/ids.ts';
import type { TypeName } from '../domain/types.ts';
import type { FieldName } from '../domain/field-names.ts';

/** What a path may have beside a type. */
interface Segments {
  readonly id?: DocumentId | undefined;
  readonly name?: FieldName | undefined;
  /** The id of a user of the application whose id comes before. */
  readonly user?: DocumentId | undefined;
  /** Of a version. */
  readonly number?: number | undefined;
}

/** The parameters of a path. To ask for one that the path does not have is a bug, and throws. */
export class PathParameters {
  readonly type: TypeName;
  readonly #given: Segments;

  constructor(type: TypeName, given: Segments = {}) {
    this.type = type;
    this.#given = given;
  }

  /** Whether the path is that of a document, or of something of it. */
  get isDocument(): boolean {
    return this.#given.id !== undefined;
  }
  get id() {
    return this.#of('id');
  }
  get user() {
    return this.#of('user');
  }
  get name() {
    return this.#of('name');
  }
  get number() {
    return this.#of('number');
  }

  #of<Name extends keyof Segments>(name: Name): NonNullable<Segments[Name]> {
    const value = this.#given[name];
    if (value === undefined) throw new Error(`The path has no {${name}}.`);
    return value;
  }
}
