/**
 * The collections whose documents have rights through links to this one's. Each has asked for all the rights here, and
 * relies on them for as long as a lease lasts; a write that changes rights tells them before it answers. So whoever has
 * lost a right has lost it in all of them.
 */
import { ok, type Outcome } from '../../../domain/problems.ts';
import type { TypeName } from '../../../domain/types.ts';
import { collectionOf } from '../../rpc/client.ts';
import type { RightsMark, RightsOf, RightsPage } from '../../rpc/maintenance/rights.ts';
import type { Positioned } from '../../storage/documents/documents.ts';
import { rowsOfAcl } from '../../storage/documents/rights.ts';
import { STEP_UNITS, WRITE_STEP_DOCUMENTS } from '../../storage/steps.ts';
import type { Expiry } from '../upkeep/expiry.ts';
import { Lender, notifiedOrEnded } from './lease-ends.ts';
import type { Ground } from '../ground.ts';

interface Parts extends Ground {
  readonly expiry: Pick<Expiry, 'settled' | 'next'>;
}

/** The holders are types. */
export class Inheritors extends Lender<TypeName, Parts> {
  /** The last change of rights that they were told of; null until a write asks. */
  #notified: number | null = null;

  /** What has changed of the rights here since a mark; all of them, from none on. To be called when there are tables. */
  async page(inheritor: TypeName, given: RightsMark | null): Promise<Outcome<RightsPage>> {
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
    const mark = anew ? { at: records.counter(), seq: 0 } : given;
    const page = mark.seq === null ? this.#changed(mark.at) : this.#all(mark.at, mark.seq);
    return ok({ anew, ...page, until: expiry.next });
  }

  #all(at: number, seq: number): Omit<RightsPage, 'anew' | 'until'> {
    const documents = this.parts.tables.records.next(seq, WRITE_STEP_DOCUMENTS, STEP_UNITS);
    const last = documents.at(-1)?.seq ?? null;
    return { documents: documents.map((each) => this.#rightsOf(each)), mark: { at, seq: last }, more: true };
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
      mark: { at: more ? (changes.at(-1)?.number ?? at) : records.counter(), seq: null },
      more,
    };
  }

  /** What settings give that are still being put into force may be in the table, or not yet. */
  #rightsOf(document: Positioned): RightsOf {
    const { constraints, inheritors, rights } = this.parts.tables;
    const rows = new Set([...rowsOfAcl(rights.of(document.seq)), ...constraints.rowsOf(document)]);
    return { id: document.id, rows: inheritors.holding(document.seq, rows) };
  }

  /** Resolves when no collection relies on rights that committed writes have changed. */
  async notified(): Promise<void> {
    const { tables, writes } = this.parts;
    if (!writes.hasTables || tables.inheritors.types.size === 0) return;
    const last = tables.inheritors.last();
    const isNews = last !== this.#notified;
    this.#notified = last;
    await this.allTold(isNews ? () => this.#notify() : null);
  }

  async #notify(): Promise<void> {
    const { environment, own, tables } = this.parts;
    if (own === null) return;
    const caller = { environment, application: own.application };
    await Promise.all(
      Array.from(tables.inheritors.types, async (type) => {
        const end = this.endOf(type);
        const notify = () => collectionOf(caller, type).calls.rightsChanged(own.type);
        if (end > Date.now()) await notifiedOrEnded(end, notify);
        // It relies on nothing any more, but its streams want to know.
        else notify().catch(() => undefined);
      }),
    );
  }
}
