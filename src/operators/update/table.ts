/** The update operators by their names. Add a new one here and in `update.ts`. */
import { addToSet, pop, push, pull } from './arrays.ts';
import { currentDate, rename, unset } from './fields.ts';
import { inc, max, min, mul } from './numbers.ts';
import type { Value } from '../../domain/values/values.ts';
import type { UpdateRefusal, UpdateOperator } from './operator.ts';
import type { Run } from './run.ts';
import type { OperatorName, Operands } from './update.ts';

const OPERATORS: { readonly [Op in OperatorName]: UpdateOperator<Op> } = {
  $inc: inc,
  $mul: mul,
  $min: min,
  $max: max,
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pop: pop,
  $unset: unset,
  $rename: rename,
  $currentDate: currentDate,
};

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly OperatorName[];

export function isOperatorName(name: string): name is OperatorName {
  return Object.hasOwn(OPERATORS, name);
}

export function operatorOf<Op extends OperatorName>(op: Op): UpdateOperator<Op> {
  return OPERATORS[op];
}

export function applyStep<Op extends OperatorName>(
  { op, operand }: { readonly op: Op; readonly operand: Operands[Op] },
  current: Value | undefined,
  run: Run,
): Value | undefined | UpdateRefusal {
  return operatorOf(op).apply(operand, current, run);
}
