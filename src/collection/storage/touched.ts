/**
 * What writes touch beside the documents, in UTF-16 units of a document that take about as long (12 ns): a list
 * must not delay others for long, however many rows of other tables it changes.
 */

/** Of a row that is looked up, added or removed; of a key that is made to find out which rows change. */
const ROW = 256;
const KEY = 16;

/** Of a character in the index of words. */
const CHARACTER = 4;

/** Rows of rights that most documents have not more of. */
const FEW_RIGHTS = 25;

/** Rows that a document counts which is deleted for another's sake. */
const UNSEEN = 256;

interface Units {
  readonly units: number;
  /** Rows of rights that documents have of their own. */
  readonly ownRights: number;
}

export class Touched {
  #units = 0;
  #ownRights = 0;

  rows(count: number): void {
    this.#units += count * ROW;
  }

  keys(count: number): void {
    this.#units += count * KEY;
  }

  words(characters: number): void {
    this.#units += characters * CHARACTER;
  }

  ownRights(rows: number): void {
    this.#ownRights += rows;
  }

  /** Counts the same for whatever was touched since a checkpoint: it belongs to a document that is nobody's to know. */
  unseen({ units, ownRights }: Units): void {
    [this.#units, this.#ownRights] = [units + UNSEEN * ROW, ownRights];
  }

  /** Since the object began; what was undone counts, too. */
  get checkpoint(): Units {
    return { units: this.#units, ownRights: this.#ownRights };
  }

  /**
   * Units since a checkpoint. Who may not read the rights of a document learns of their number no more than the time
   * of its deletion tells: its order of magnitude.
   */
  since({ units, ownRights }: Units, knowsRights = true): number {
    const rows = this.#ownRights - ownRights;
    const magnitude = Math.max(0, Math.ceil(Math.log10(rows / FEW_RIGHTS)));
    return this.#units - units + ROW * (knowsRights ? rows : FEW_RIGHTS * 10 ** magnitude);
  }
}
