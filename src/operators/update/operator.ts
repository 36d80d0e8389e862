/** The parts of an update operator. Each is one entry, and a line in `table.ts`. */
import type { Detail } from '../../domain/names.ts';
import type { Parsed } from '../../domain/values/json.ts';
import type { Place } from '../../domain/pointer.ts';
import type { Value } from '../../domain/values/values.ts';
import { readValue } from '../../domain/values/wrappers.ts';
import type { Path } from '../../query/walk.ts';
import type { Run } from './run.ts';
import type { Operands, OperatorName } from './update.ts';

/** The place of an operand, and the function that takes its faults. */
export interface UpdateAt {
  /** As it was written, `$inc`. */
  readonly name: string;
  readonly path: Path;
  readonly place: Place;
  readonly report: (place: Place, detail: Detail) => void;
}

/** Why an operator cannot be applied to the value at its path: a sentence. */
export class UpdateRefusal {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

export interface UpdateOperator<Op extends OperatorName> {
  /** Reads what the operator is given at one path; null, with a fault reported, where it takes no such thing. */
  readonly read: (json: Parsed, at: UpdateAt) => Operands[Op] | null;
  /** True when it makes a value where there is none. */
  readonly creates: boolean;
  /** The value at the path afterwards; undefined for none. Nothing that is given is changed. */
  readonly apply: (
    operand: Operands[Op],
    current: Value | undefined,
    run: Run,
  ) => Value | undefined | UpdateRefusal;
}

/** Tells a fault of an operand. */
export function refuseUpdate(at: Pick<UpdateAt, 'place' | 'report'>, detail: Detail): null {
  at.report(at.place, detail);
  return null;
}

/** The value of an operand, with wrappers read. It reports faults, and returns null for an operand that has one. */
export function valueOf(json: Parsed, { report }: UpdateAt, place: Place): Value {
  return readValue(json, place, report);
}
