/** Groups that are being made: for each key an id, and what accumulators have made of its documents so far. */
import type { Fields, Value } from '../../domain/values/values.ts';
import type { Frame } from '../core/expression.ts';
import { sizeOf } from '../core/meter.ts';
import { Gathered, type AccumulatedField } from './gathered.ts';

interface Group {
  readonly id: Value;
  readonly gathered: Gathered;
}

/** In the order of their first documents, whose ids they have. */
export class GroupTable {
  readonly #fields: readonly AccumulatedField[];
  readonly #groups = new Map<string, Group>();

  constructor(fields: readonly AccumulatedField[]) {
    this.#fields = fields;
  }

  get size(): number {
    return this.#groups.size;
  }

  /** Takes the document of the frame, whose group has this id with this key. */
  take(key: string, id: Value, frame: Frame): void {
    (this.#groups.get(key) ?? this.#begin(key, id, frame)).gathered.add(frame);
  }

  /**
   * Takes all that another table has taken, as if it came behind. False where the result could then be another in its last
   * digit: this table is of no use any more.
   */
  join(other: GroupTable, frame: Frame): boolean {
    for (const [key, { id, gathered }] of other.#groups) {
      const group = this.#groups.get(key) ?? this.#begin(key, id, frame);
      if (!group.gathered.join(gathered)) return false;
    }
    return true;
  }

  /** A document for each group, made as it is asked for. */
  *documents(idKey: string): Generator<Fields> {
    for (const { id, gathered } of this.#groups.values()) yield gathered.documentOf(idKey, id);
  }

  #begin(key: string, id: Value, frame: Frame): Group {
    frame.meter.hold(2 * key.length + sizeOf(id));
    const made = { id, gathered: new Gathered(this.#fields, frame) };
    this.#groups.set(key, made);
    return made;
  }
}
