/**
 * The collections whose documents have rights through links to this one's. Each has asked for all the rights here, and
 * relies on them for as long as a lease lasts; a write that changes rights tells them before it answers. So whoever has
 * lost a right has lost it in all of them.
 */
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { TypeName } from '../../../domain/types.ts';
import type { RightsCursor, RightsOf, RightsPage } from '../../rpc/maintenance/rights.ts';
import type { Positioned } from '../../storage/documents/documents.ts';
import { rowsOfAcl } from '../../storage/documents/rights.ts';
import { STEP_UNITS, WRITE_STEP_DOCUMENTS } from '../../storage/steps.ts';
import type { Expiry } from '../upkeep/expiry.ts';
import { TypeLender } from './lease-ends.ts';
import type { Ground } from '../ground.ts';

interface Parts extends Ground {
  readonly expiry: Pick<Expiry, 'settled' | 'next'>;
}

export class Inheritors extends TypeLender<Parts> {
  /** The changes of the rights here since a cursor; without one, all rights. To be called when there are tables. */
  async page(inheritor: TypeName, given: RightsCursor | null): Promise<Outcome<RightsPage>> {
    const { expiry, tables, writes } = this.parts;
    await expiry.settled();
    this.give(inheritor);
    const { inheritors, records } = tables;
    const isNew = !inheritors.types.has(inheritor);
    if (isNew) {
      const added = writes.alone(() => {
        inheritors.add(inheritor);
        return ok(null);
      });
      if (!added.ok) return added;
    }
    const anew = given === null || isNew || !records.knows(given.at);
    const cursor = anew ? { at: records.counter(), seq: 0 } : given;
    const page = cursor.seq === null ? this.#changed(cursor.at) : this.#all(cursor.at, cursor.seq);
    return ok({ anew, ...page, until: expiry.next });
  }

  #all(at: number, seq: number): Omit<RightsPage, 'anew' | 'until'> {
    const documents = this.parts.tables.records.next(seq, WRITE_STEP_DOCUMENTS, STEP_UNITS);
    const last = documents.at(-1)?.seq ?? null;
    return {
      documents: documents.map((each) => this.#rightsOf(each)),
      cursor: { at, seq: last },
      more: true,
    };
  }

  #changed(at: number): Omit<RightsPage, 'anew' | 'until'> {
    const { inheritors, records } = this.parts.tables;
    const changes = inheritors.since(at, WRITE_STEP_DOCUMENTS);
    const documents = changes.map(({ id }): RightsOf => {
      const document = records.find(id);
      return document === undefined ? { id, rows: [] } : this.#rightsOf(document);
    });
    const more = changes.length >= WRITE_STEP_DOCUMENTS;
    return {
      documents,
      cursor: { at: more ? (changes.at(-1)?.number ?? at) : records.counter(), seq: null },
      more,
    };
  }

  /** What settings give that are still being put into force may be in the table, or not yet. */
  #rightsOf(document: Positioned): RightsOf {
    const { constraints, inheritors, rights } = this.parts.tables;
    const rows = new Set([...rowsOfAcl(rights.of(document.seq)), ...constraints.rowsOf(document)]);
    return { id: document.id, rows: inheritors.holding(document.seq, rows) };
  }

  /** Whether one of them relies on what is here. To be called when there are tables. */
  get rely(): boolean {
    return this.anyHolds(this.parts.tables.inheritors.types);
  }

  /** Resolves when no collection relies on rights that committed writes have changed. */
  async notified(): Promise<void> {
    const { tables, writes } = this.parts;
    if (!writes.hasTables || tables.inheritors.types.size === 0) return;
    const { inheritors } = tables;
    await this.changed(inheritors.last(), inheritors.types, (calls, own) => calls.rightsChanged(own));
  }
}
