/** `group`: a document for each value of `id`, made by accumulators. It keeps their states, never its input. */
import type { Fields, Value } from '../../domain/values/values.ts';
import { isFields } from '../../domain/values/values.ts';
import { inside } from '../../domain/pointer.ts';
import { constant, type Expression } from '../core/expression.ts';
import { keyOfValue } from '../core/keys.ts';
import { sizeOf } from '../core/meter.ts';
import { Gathered, readField, type AccumulatedField } from './accumulated.ts';
import { frameOf, held, refuseStage, type Groups, type ReadStage, type Start } from './stage.ts';

interface Group {
  readonly id: Value;
  readonly gathered: Gathered;
}

export const group: ReadStage = (argument, at) => {
  if (!isFields(argument)) return refuseStage(at, 'group takes an object with id and accumulators.');
  let id = constant(null);
  const fields: AccumulatedField[] = [];
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
  if (faulty) return null;
  const { idKey } = at;
  const only: Groups['only'] = (keys) => startGroup(idKey, id, fields, keys);
  const groups = { path: id.path ?? null, only };
  return { kind: 'step', name: 'group', start: startGroup(idKey, id, fields), remakes: 'anew', groups };
};

/** Groups come in the order of their first documents: those of some keys, or all. */
export function startGroup(
  idKey: string,
  id: Expression,
  fields: readonly AccumulatedField[],
  keys: ReadonlySet<string> | null = null,
): Start {
  return (input, run) => {
    const { meter } = run;
    const frame = frameOf(run);
    const groups = new Map<string, Group>();
    const begin = (key: string, value: Value): Group => {
      meter.hold(2 * key.length + sizeOf(value));
      const made = { id: value, gathered: new Gathered(fields, frame) };
      groups.set(key, made);
      return made;
    };
    const take = (document: Fields): void => {
      frame.root = document;
      // What is missing groups with null.
      const value = id.evaluate(frame) ?? null;
      meter.spendOn([value]);
      const key = keyOfValue(value);
      if (keys?.has(key) === false) return;
      (groups.get(key) ?? begin(key, value)).gathered.add(frame);
    };
    const give = function* (): Generator<Fields> {
      for (const each of groups.values()) yield meter.admit(each.gathered.documentOf(idKey, each.id));
      groups.clear();
    };
    return held(input, run, take, give);
  };
}
