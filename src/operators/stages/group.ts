/** `group`: a document for each value of `id`, made by accumulators. It keeps their states, never its input. */
import type { Fields, Value } from '../../domain/values.ts';
import { isFields } from '../../domain/values.ts';
import { inside } from '../../domain/pointer.ts';
import { faultOfName } from '../../domain/wrappers.ts';
import type { Accumulator, State } from '../accumulators/accumulator.ts';
import { readAccumulator, Site } from '../core/dispatch.ts';
import { constant, type Expression } from '../core/expression.ts';
import { keyOfValue } from '../core/keys.ts';
import { sizeOf } from '../core/meter.ts';
import { REFUSED_OPERATORS } from '../core/refused.ts';
import { frameOf, held, refuseStage, type At, type ReadStage, type Start } from './stage.ts';

interface Field {
  readonly field: string;
  /** The accumulator's name. */
  readonly name: string;
  readonly accumulator: Accumulator;
}

interface Group {
  readonly id: Value;
  readonly states: readonly State[];
}

/** What a group costs beside the values that it keeps. */
const GROUP_BYTES = 200;
const STATE_BYTES = 300;

export const group: ReadStage = (argument, at) => {
  if (!isFields(argument)) return refuseStage(at, 'group takes an object with id and accumulators.');
  let id = constant(null);
  const fields: Field[] = [];
  let faulty = false;
  for (const [name, value] of Object.entries(argument)) {
    const here = { ...at, place: inside(at.place, name) };
    if (name === at.idKey) id = at.scope.parse(value, here.place, at.scope);
    else {
      const read = readField(name, value, here);
      if (read === null) faulty = true;
      else fields.push(read);
    }
  }
  return faulty
    ? null
    : { kind: 'step', name: 'group', start: startGroup(at.idKey, id, fields), remakes: 'anew' };
};

function readField(field: string, value: Value, at: At): Field | null {
  const fault = field === '_id' ? 'The id of a group is given as id.' : faultOfName(field);
  if (fault !== undefined) return refuseStage(at, fault);
  const names = isFields(value) ? Object.keys(value) : [];
  const [given = ''] = names;
  if (!isFields(value) || names.length !== 1) {
    return refuseStage(
      at,
      'A field of a group is an object with one accumulator, such as {"$sum": "$price"}.',
    );
  }
  // Nothing else can stand here, so the sign may be left out.
  const name = given.startsWith('$') ? given : `$${given}`;
  const place = inside(at.place, given);
  const accumulator = readAccumulator(value[given] ?? null, new Site(name, place, at.scope));
  if (accumulator === undefined) {
    const why = Object.hasOwn(REFUSED_OPERATORS, name) ? REFUSED_OPERATORS[name] : undefined;
    return refuseStage(
      { ...at, place },
      why === undefined ? `There is no accumulator ${given}.` : `${given} is refused: ${why}.`,
    );
  }
  return accumulator && { field, name, accumulator };
}

function startGroup(idKey: string, id: Expression, fields: readonly Field[]): Start {
  return (input, run) => {
    const { meter } = run;
    const frame = frameOf(run);
    const groups = new Map<string, Group>();
    const begin = (key: string, value: Value): Group => {
      meter.hold(GROUP_BYTES + STATE_BYTES * fields.length + 2 * key.length + sizeOf(value));
      const states = fields.map(({ accumulator, name }) => accumulator.start(meter, name, frame));
      const made = { id: value, states };
      groups.set(key, made);
      return made;
    };
    const take = (document: Fields): void => {
      frame.root = document;
      // What is missing groups with null.
      const value = id.evaluate(frame) ?? null;
      meter.spendOn([value]);
      const key = keyOfValue(value);
      const { states } = groups.get(key) ?? begin(key, value);
      let index = 0;
      for (const { accumulator } of fields) {
        meter.spend(1);
        states[index]?.add(accumulator.operand(frame));
        index += 1;
      }
    };
    const give = function* (): Generator<Fields> {
      for (const each of groups.values()) yield meter.admit(documentOf(idKey, each, fields));
      groups.clear();
    };
    return held(input, run, take, give);
  };
}

function documentOf(idKey: string, { id, states }: Group, fields: readonly Field[]): Fields {
  const entries: [string, Value][] = [[idKey, id]];
  fields.forEach(({ field }, index) => {
    const value = states[index]?.result();
    if (value !== undefined) entries.push([field, value]);
  });
  return Object.fromEntries(entries);
}
