/** Local ids in the operations of a list, replaced by the ids that the documents have got. */
import { type Link, type Linkage } from '../../../domain/documents.ts';
import type { DocumentId } from '../../../domain/ids.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { StoredContent } from '../../../domain/values/stored.ts';
import { localIdOf, type Change } from '../../rpc/writes/operations.ts';
import { isList } from '../../../domain/values/tree.ts';

/** As in stored content. No text value contains this, because quotes inside strings are escaped. */
const STORED_LOCAL_ID = /\{"\$oid":"LID(\d+)"\}/g;

export class LocalNames {
  readonly #type: TypeName;
  readonly #added: (at: number) => DocumentId;

  /** `added` gives the id of what the operation at a position of the list has added. */
  constructor(type: TypeName, added: (at: number) => DocumentId) {
    this.#type = type;
    this.#added = added;
  }

  idOf(id: DocumentId): DocumentId {
    const at = localIdOf(id);
    return at === null ? id : this.#added(at);
  }

  /** Content without local ids, but for that of its own operation. */
  content({ body, relationships }: StoredContent, own?: number): StoredContent {
    return {
      body: body.replace(STORED_LOCAL_ID, (whole, at: string) =>
        Number(at) === own ? whole : `{"$oid":"${this.#added(Number(at))}"}`,
      ),
      relationships,
    };
  }

  change(change: Change): Change {
    if (change.kind === 'merge') return { ...change, content: this.content(change.content) };
    return { ...change, linkage: this.linkage(change.linkage) };
  }

  linkage(linkage: Linkage): Linkage {
    if (linkage === null) return null;
    // Ids of aggregates' documents may be any text.
    const named = ({ type, id }: Link): Link => ({ type, id: type === this.#type ? this.idOf(id) : id });
    return isList(linkage) ? linkage.map(named) : named(linkage);
  }
}
