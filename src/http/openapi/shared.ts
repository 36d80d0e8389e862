/** What several operations have in common, kept once under `components`: equal schemas and answers share a name. */
import type { Schema } from '../../modules/contents/schema.ts';

type Kind = 'schemas' | 'responses';

export class Shared {
  readonly #named: Readonly<Record<Kind, Map<string, Schema>>>;
  /** Names by the text of what they name. */
  readonly #names: Readonly<Record<Kind, Map<string, string>>>;

  /** Begins with schemas that others name. */
  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#named = { schemas: new Map(Object.entries(schemas)), responses: new Map() };
    this.#names = { schemas: new Map(), responses: new Map() };
  }

  schema(name: string, schema: Schema): Schema {
    return this.#share('schemas', name, schema);
  }

  response(name: string, response: Schema): Schema {
    return this.#share('responses', name, response);
  }

  get components(): Readonly<Record<Kind, Schema>> {
    return {
      schemas: Object.fromEntries(this.#named.schemas),
      responses: Object.fromEntries(this.#named.responses),
    };
  }

  /** A reference to what is kept under this name, or under that of its equal. */
  #share(kind: Kind, name: string, value: Schema): Schema {
    const text = JSON.stringify(value);
    const known = this.#names[kind].get(text);
    if (known !== undefined) return { $ref: `#/components/${kind}/${known}` };
    const wanted = name.replaceAll(' ', '-');
    let free = wanted;
    for (let number = 2; this.#named[kind].has(free); number += 1) free = `${wanted}-${number}`;
    this.#named[kind].set(free, value);
    this.#names[kind].set(text, free);
    return { $ref: `#/components/${kind}/${free}` };
  }
}
