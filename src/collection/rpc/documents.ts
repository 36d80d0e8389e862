/**
 * Documents as a collection's client gives them: decoded only when a caller looks into one, which most answers do not.
 */
import { decodeFields } from '../../domain/codec.ts';
import { unflatten, type Content, type Document } from '../../domain/documents.ts';
import type { DocumentId } from '../../domain/ids.ts';
import { readProvenance } from '../../domain/provenance.ts';
import type { TypeName } from '../../domain/types.ts';
import { splitContent, unpackContent, type SplitContent, type StoredDocument } from './content.ts';

/** A document as it came from its collection. */
export class LazyDocument implements Document {
  readonly type: TypeName;
  readonly #stored: StoredDocument;
  #content: Content | null = null;
  #split: SplitContent | null | undefined;

  constructor(type: TypeName, stored: StoredDocument) {
    this.type = type;
    this.#stored = stored;
  }

  get id(): DocumentId {
    return this.#stored.id;
  }
  get version(): number {
    return this.#stored.version;
  }
  get aclVersion(): number {
    return this.#stored.aclVersion;
  }
  get provenance(): Document['provenance'] {
    const { provenance } = this.#stored;
    return provenance === undefined ? undefined : readProvenance(provenance);
  }
  get attributes(): Document['attributes'] {
    return this.#opened().attributes;
  }
  get relationships(): Document['relationships'] {
    return (this.split ?? this.#opened()).relationships;
  }
  /** The parts that can be read without decoding the document, if this is possible. */
  get split(): SplitContent | null {
    if (this.#split === undefined) this.#split = splitContent(this.#stored);
    return this.#split;
  }
  /** UTF-16 units of its stored text. */
  get units(): number {
    return this.#stored.body.length;
  }

  #opened(): Content {
    this.#content ??= unpackContent(this.#stored);
    return this.#content;
  }
}

/** A document that a pipeline has made. It has no version. */
export class Output implements Document {
  readonly version = 0;
  readonly aclVersion = 0;
  readonly type: TypeName;
  readonly id: DocumentId;
  /** The stored encoding of attributes and relationships side by side. */
  readonly body: string;
  readonly relationshipNames: readonly string[];
  #content: Content | null = null;

  constructor(type: TypeName, id: DocumentId, body: string, relationshipNames: readonly string[]) {
    this.type = type;
    this.id = id;
    this.body = body;
    this.relationshipNames = relationshipNames;
  }

  get attributes(): Document['attributes'] {
    return this.#opened().attributes;
  }
  get relationships(): Document['relationships'] {
    return this.#opened().relationships;
  }

  #opened(): Content {
    this.#content ??= unflatten(decodeFields(this.body), this.relationshipNames);
    return this.#content;
  }
}
