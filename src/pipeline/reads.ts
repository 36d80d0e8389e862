/**
 * Notes which fields of its input a pipeline looks at, so that the others need not be decoded. A stage that may look at
 * any field counts as all of them.
 */
import { isAuditField } from '../domain/audit-fields.ts';
import type { Remakes } from '../operators/stages/stage.ts';

/** Fields that stages in a row look at, up to one that makes documents of its own, that one included. */
interface Segment {
  readonly fields: Set<string>;
  whole: boolean;
  /** How the last stage made its documents; undefined until it has come. */
  remakes?: Remakes;
  /** Whether these have the ids of those that they are made of. */
  keepsIds?: boolean;
}

export class Reads {
  readonly #first: Segment = { fields: new Set(), whole: false };
  readonly #segments: Segment[] = [this.#first];

  /** Takes the name of a field that the pipeline reads; null means all fields. */
  note(field: string | null): void {
    const segment = this.#segments.at(-1);
    if (field === null) (segment ?? this.#first).whole = true;
    else segment?.fields.add(field);
  }

  noteAll(fields: ReadonlySet<string> | null): void {
    if (fields === null) this.note(null);
    else for (const field of fields) this.note(field);
  }

  /** From here on, fields are those of documents that a stage has made. */
  end(remakes: Remakes, keepsIds = false): void {
    const segment = this.#segments.at(-1);
    if (segment !== undefined) Object.assign(segment, { remakes, keepsIds });
    this.#segments.push({ fields: new Set(), whole: false });
  }

  /** True until a stage makes documents of its own. */
  get ofInput(): boolean {
    return this.#segments.length === 1;
  }

  /** Whether what the service knows of the input is looked at. */
  get auditFields(): boolean {
    return [...this.#first.fields].some(isAuditField);
  }

  /** The fields of the pipeline's input that are looked at; null for all. */
  get fields(): ReadonlySet<string> | null {
    if (this.#first.whole || this.#orderShows()) return null;
    return this.#readsOwnId() ? new Set([...this.#first.fields, 'id']) : this.#first.fields;
  }

  /** True when a document's own id, which is taken over unasked, is looked at behind that. */
  #readsOwnId(): boolean {
    for (const { whole, fields, keepsIds } of this.#segments) {
      if (whole || fields.has('id')) return true;
      if (keepsIds !== true) return false;
    }
    return false;
  }

  /** True when an output may have several fields in the order that they have in the input. */
  #orderShows(): boolean {
    for (const { whole, remakes } of this.#segments) {
      if (whole) return true;
      if (remakes === 'anew') return false;
    }
    return true;
  }
}
