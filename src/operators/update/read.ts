/** Reads the JSON of a request into a validated update. No other module reads or refuses updates. */
import { isParsedObject, type Parsed, type ParsedObject } from '../../domain/values/json.ts';
import { unknownName, type Detail } from '../../domain/names.ts';
import { inside, type Place } from '../../domain/pointer.ts';
import { addPath, newBranch, readSource, readTarget, type Branch } from './paths.ts';
import { isOperatorName, OPERATOR_NAMES, operatorOf } from './table.ts';
import { pathsOf, type OperatorName, type UpdateStep, type Update } from './update.ts';

/** Told of each fault: where it is and what is wrong, as a sentence. */
export type Report = (place: Place, detail: Detail) => void;

/** MongoDB's operators that have no place here, and what has. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  $set: 'There is no $set: attributes replace or add what is in them.',
  $setOnInsert: 'There is no $setOnInsert: what is new is created.',
};

/** Reads `{$inc: {"a.b": 1}, …}`. It reports each fault and reads the rest. */
export function readUpdate(json: ParsedObject, place: Place, report: Report): Update {
  const names = Object.keys(json);
  if (names.length === 0) report(place, `An update has at least one of ${OPERATOR_NAMES.join(', ')}.`);
  const taken = newBranch<string>();
  return names.flatMap((name) => {
    const at = inside(place, name);
    const operands = json[name] ?? null;
    if (!isOperatorName(name)) {
      report(at, () => faultOfOperator(name));
      return [];
    }
    if (!isParsedObject(operands)) {
      report(at, `${name} takes an object of paths.`);
      return [];
    }
    return Object.entries(operands).flatMap(([path, operand]) =>
      readStep(name, path, operand, { taken, place: inside(at, path), report }),
    );
  });
}

function faultOfOperator(name: string): string {
  const known = Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined;
  return known ?? unknownName(name, { what: 'update operator', names: OPERATOR_NAMES });
}

interface Reading {
  /** The operators, with their paths, of the steps before. */
  readonly taken: Branch<string>;
  readonly place: Place;
  readonly report: Report;
}

function readStep(
  op: OperatorName,
  text: string,
  json: Parsed,
  { taken, place, report }: Reading,
): readonly UpdateStep[] {
  const operator = operatorOf(op);
  const path = (operator.creates ? readTarget : readSource)(text);
  if (typeof path === 'string') {
    report(place, path);
    return [];
  }
  const operand = operator.read(json, { name: op, path, place, report });
  if (operand === null) return [];
  // The table has an operator's operands under its own name.
  const step = { op, path, operand } as UpdateStep;
  const self = `${op} on ${text.slice(0, 200)}`;
  for (const each of pathsOf(step)) {
    const other = addPath(taken, each, self);
    if (other === null) continue;
    const detail =
      op === '$rename' && other === self
        ? 'A field can not be renamed to itself, or into itself.'
        : `${self} and ${other} would change the same place.`;
    report(place, detail);
    return [];
  }
  return [step];
}
