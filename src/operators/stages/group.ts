/** `group`: a document for each value of `id`, made by accumulators. It keeps their states, never its input. */
import { isFields, type Fields } from '../../domain/values/values.ts';
import { inside } from '../../domain/pointer.ts';
import { constant, type Expression } from '../core/expression.ts';
import { keyOfOperand } from '../core/keys.ts';
import { readField } from './accumulated.ts';
import { type AccumulatedField, GroupTable } from './groups.ts';
import {
  frameOf,
  held,
  refuseStage,
  type GroupParts,
  type Groups,
  type ReadStage,
  type StageRun,
  type Start,
} from './stage.ts';

export const group: ReadStage = (argument, at) => {
  if (!isFields(argument)) return refuseStage(at, 'group takes an object with id and accumulators.');
  let id = constant(null);
  const fields: AccumulatedField[] = [];
  let faulty = false;
  for (const [name, value] of Object.entries(argument)) {
    const here = { ...at, place: inside(at.place, name) };
    if (name === 'id') id = at.scope.parse(value, here.place, at.scope);
    else {
      const read = readField(name, value, here);
      if (read === null) faulty = true;
      else fields.push(read);
    }
  }
  if (faulty) return null;
  const only: Groups['only'] = (keys) => startGroup(id, fields, keys);
  const groups = { path: id.path ?? null, only, parts: partsOf(id, fields) };
  return { kind: 'step', start: startGroup(id, fields), remakes: 'anew', groups };
};

/** Groups come in the order of their first documents: those of some keys, or all. */
export function startGroup(
  id: Expression,
  fields: readonly AccumulatedField[],
  keys: ReadonlySet<string> | null = null,
): Start {
  return (input, run) => {
    const table = new GroupTable(fields);
    return held(input, run, takeInto(table, id, run, keys), () => given(table, run));
  };
}

function takeInto(
  table: GroupTable,
  id: Expression,
  run: StageRun,
  keys: ReadonlySet<string> | null,
): (document: Fields) => void {
  const frame = frameOf(run);
  return (document) => {
    frame.root = document;
    // What is missing groups with null.
    const value = id.evaluate(frame) ?? null;
    frame.meter.spendOn([value]);
    const key = keyOfOperand(value);
    if (keys?.has(key) !== false) table.take(key, value, frame);
  };
}

function* given(table: GroupTable, { meter }: StageRun): Generator<Fields> {
  for (const document of table.documents()) yield meter.admit(document);
}

function partsOf(id: Expression, fields: readonly AccumulatedField[]): GroupParts | null {
  if (!fields.every(({ accumulator }) => accumulator.joins)) return null;
  const nothing = function* (): Generator<Fields> {
    // What was taken stays in the table.
  };
  return {
    table: () => new GroupTable(fields),
    into: (table) => (input, run) => held(input, run, takeInto(table, id, run, null), nothing),
    outOf: (table) => (input, run) =>
      held(
        input,
        run,
        () => undefined,
        () => given(table, run),
      ),
  };
}
