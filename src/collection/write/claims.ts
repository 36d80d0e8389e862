/**
 * Files that somebody is about to link to: from the check that a file is there until the document is written, nothing
 * removes it for want of links (notify/file-carrier.ts). In memory alone: whoever claims asks the object that deletes.
 */
import type { DocumentId } from '../../domain/ids.ts';

/** Milliseconds after which a claim counts no more: its writer has ended without giving it back. */
const LONGEST = 60_000;

export class Claims {
  /** In the order of the last claims. */
  readonly #claims = new Map<DocumentId, { readonly many: number; readonly at: number }>();

  add(ids: readonly DocumentId[], now: number): void {
    for (const [id, { at }] of this.#claims) {
      if (at + LONGEST > now) break;
      this.#claims.delete(id);
    }
    for (const id of ids) {
      const many = 1 + (this.#claims.get(id)?.many ?? 0);
      this.#claims.delete(id);
      this.#claims.set(id, { many, at: now });
    }
  }

  drop(ids: readonly DocumentId[]): void {
    for (const id of ids) {
      const { many, at } = this.#claims.get(id) ?? { many: 1, at: 0 };
      if (many > 1) this.#claims.set(id, { many: many - 1, at });
      else this.#claims.delete(id);
    }
  }

  has(id: DocumentId, now: number): boolean {
    const claim = this.#claims.get(id);
    return claim !== undefined && claim.at + LONGEST > now;
  }
}
