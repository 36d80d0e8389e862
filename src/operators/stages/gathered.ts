/** Groups of documents, and the fields that accumulators make of them. */
import type { Fields, Value } from '../../domain/values/values.ts';
import type { Accumulator, State } from '../accumulators/accumulator.ts';
import type { Frame } from '../core/expression.ts';

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
  readonly #states: readonly State[];

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
