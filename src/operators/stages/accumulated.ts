/** Fields that accumulators make of several documents: those of `group`, and of `output` in buckets. */
import { unknownName } from '../../domain/names.ts';
import { inside } from '../../domain/pointer.ts';
import { isFields, type Fields, type Value } from '../../domain/values/values.ts';
import { faultOfName } from '../../domain/field-names.ts';
import type { Accumulator, State } from '../accumulators/accumulator.ts';
import { readAccumulator, Site } from '../core/dispatch.ts';
import type { Frame } from '../core/expression.ts';
import { REFUSED_OPERATORS } from '../core/refused.ts';
import { refuseStage, type At } from './stage.ts';

export interface AccumulatedField {
  readonly field: string;
  /** The accumulator's name. */
  readonly name: string;
  readonly accumulator: Accumulator;
}

/** What documents that are gathered cost beside the values that are kept. */
const GROUP_BYTES = 200;
const STATE_BYTES = 300;

/** A field with its accumulator; null when it reported a fault. `at` is the place of the field. */
export function readField(field: string, value: Value, at: At): AccumulatedField | null {
  const fault =
    field === '_id' || field === at.idKey ? `The id of a ${at.name} is given as id.` : faultOfName(field);
  if (fault !== undefined) return refuseStage(at, fault);
  const names = isFields(value) ? Object.keys(value) : [];
  const [given = ''] = names;
  if (!isFields(value) || names.length !== 1) {
    return refuseStage(
      at,
      `A field of a ${at.name} is an object with one accumulator, such as {"$sum": "$price"}.`,
    );
  }
  // Nothing else is allowed here, so the sign may be left out.
  const name = given.startsWith('$') ? given : `$${given}`;
  const place = inside(at.place, given);
  const accumulator = readAccumulator(value[given] ?? null, new Site(name, place, at.scope));
  if (accumulator === undefined) {
    const names = at.scope.names.accumulators;
    return refuseStage({ ...at, place }, () => unknownOperator(given, 'accumulator', names));
  }
  return accumulator && { field, name, accumulator };
}

/** Why there is nothing of a name. */
export function unknownOperator(given: string, what: string, names: readonly string[]): string {
  const name = given.startsWith('$') ? given : `$${given}`;
  const why = Object.hasOwn(REFUSED_OPERATORS, name) ? REFUSED_OPERATORS[name] : undefined;
  if (why !== undefined) return `${given} is refused: ${why}.`;
  return unknownName(given, { what, names, listed: '/docs/aggregates-reference#accumulators' });
}

/** The fields that buckets have; without `output`, they count. */
export function readOutput(value: Value | undefined, at: At): readonly AccumulatedField[] | null {
  const output = value ?? { count: { $sum: 1 } };
  const here = { ...at, place: inside(at.place, 'output') };
  if (!isFields(output)) return refuseStage(here, 'output is an object of fields and accumulators.');
  const fields: AccumulatedField[] = [];
  let faulty = false;
  for (const [name, each] of Object.entries(output)) {
    const read = readField(name, each, { ...here, place: inside(here.place, name) });
    if (read === null) faulty = true;
    else fields.push(read);
  }
  return faulty ? null : fields;
}

/** What a `groupBy` is: a path or an operator, as MongoDB takes them; anything else would be one bucket. */
export function isGroupBy(value: Value): boolean {
  if (typeof value === 'string') return value.startsWith('$');
  return isFields(value) && Object.keys(value).some((name) => name.startsWith('$'));
}

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

  /** Takes the document of the frame. */
  add(frame: Frame): void {
    let index = 0;
    for (const { accumulator } of this.#fields) {
      frame.meter.spend(1);
      this.#states[index]?.add(accumulator.operand(frame));
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

  documentOf(idKey: string, id: Value): Fields {
    const entries: [string, Value][] = [[idKey, id]];
    this.#fields.forEach(({ field }, index) => {
      const value = this.#states[index]?.result();
      if (value !== undefined) entries.push([field, value]);
    });
    return Object.fromEntries(entries);
  }
}
