/** Unfinished groups: for each key an id, and the states of its accumulators. */
import type { Fields, Value } from '../../domain/values/values.ts';
import { isList } from '../../domain/values/tree.ts';
import type { Frame } from '../core/expression.ts';
import { keyOfOperand } from '../core/keys.ts';
import { sizeOf } from '../core/meter.ts';
import type { Accumulator, AccumulatorState } from '../accumulators/accumulator.ts';

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

  /** Takes the document of the frame, whose group has this id with this key. */
  take(key: string, id: Value, frame: Frame): void {
    (this.#groups.get(key) ?? this.#begin(key, id, frame)).gathered.add(frame);
  }

  /**
   * Takes all that another table has taken, as if it came behind. False where the result could then differ in its last
   * digit: this table is of no use any more.
   */
  join(other: GroupTable, frame: Frame): boolean {
    for (const [key, { id, gathered }] of other.#groups) {
      const group = this.#groups.get(key) ?? this.#begin(key, id, frame);
      if (!group.gathered.join(gathered)) return false;
    }
    return true;
  }

  /** All groups as a value; undefined where no value says it. */
  packed(): Value | undefined {
    const packed: Value[] = [];
    for (const { id, gathered } of this.#groups.values()) {
      const states = gathered.packed();
      if (states === undefined) return undefined;
      packed.push([id, states]);
    }
    return packed;
  }

  /** Takes what a table of the same fields has packed, and is empty before; false for what is not that. */
  unpack(packed: Value, frame: Frame): boolean {
    return (
      isList(packed) &&
      packed.every((group) => {
        const [id, states] = isList(group) ? group : [];
        if (id === undefined || states === undefined || !isList(states)) return false;
        const key = keyOfOperand(id);
        return !this.#groups.has(key) && this.#begin(key, id, frame).gathered.unpack(states);
      })
    );
  }

  /** A document for each group, made as it is asked for. */
  *documents(): Generator<Fields> {
    for (const { id, gathered } of this.#groups.values()) yield gathered.documentOf(id);
  }

  #begin(key: string, id: Value, frame: Frame): Group {
    frame.meter.hold(2 * key.length + sizeOf(id));
    const made = { id, gathered: new Gathered(this.#fields, frame) };
    this.#groups.set(key, made);
    return made;
  }
}

/** Groups of documents, and the fields that accumulators make of them. */
export interface AccumulatedField {
  readonly field: string;
  readonly name: string;
  readonly accumulator: Accumulator;
}

/** Bytes of a group beside the values that are kept. */
const GROUP_BYTES = 200;
const STATE_BYTES = 300;

/** The documents that are gathered under one id. */
export class Gathered {
  readonly #fields: readonly AccumulatedField[];
  readonly #states: readonly AccumulatorState[];

  /** `frame` is that of the first document. */
  constructor(fields: readonly AccumulatedField[], frame: Frame) {
    frame.meter.hold(GROUP_BYTES + STATE_BYTES * fields.length);
    this.#fields = fields;
    this.#states = fields.map(({ accumulator, name }) => accumulator.start(frame.meter, name, frame));
  }

  add(frame: Frame): void {
    let index = 0;
    for (const { accumulator } of this.#fields) {
      const value = accumulator.operand(frame);
      frame.meter.spend(1);
      frame.meter.spendOnNumber(value);
      this.#states[index]?.add(value);
      index += 1;
    }
  }

  /** Takes all that others of these fields have taken, as if it came behind; false where that is not exact. */
  join(other: Gathered): boolean {
    return this.#states.every((state, index) => {
      const joined = other.#states[index];
      return joined !== undefined && state.join?.(joined) === true;
    });
  }

  /** The states as values; undefined where one has no such form. */
  packed(): readonly Value[] | undefined {
    const packed: Value[] = [];
    for (const state of this.#states) {
      const each = state.packed?.();
      if (each === undefined) return undefined;
      packed.push(each);
    }
    return packed;
  }

  /** Takes what was packed of others of these fields, and has taken nothing before; false for what is not that. */
  unpack(packed: readonly Value[]): boolean {
    return (
      packed.length === this.#states.length &&
      this.#states.every((state, index) => state.unpack?.(packed[index] ?? null) === true)
    );
  }

  documentOf(id: Value): Fields {
    const entries: [string, Value][] = [['id', id]];
    this.#fields.forEach(({ field }, index) => {
      const value = this.#states[index]?.result();
      if (value !== undefined) entries.push([field, value]);
    });
    return Object.fromEntries(entries);
  }
}
