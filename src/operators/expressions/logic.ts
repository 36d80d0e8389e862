/** Comparison, boolean and conditional operators. They evaluate an operand only if it is needed. */
import { inside } from '../../domain/pointer.ts';
import { isFields } from '../../domain/values/values.ts';
import { compareValues } from '../../query/order/compare.ts';
import { composed, constant, isNullish, type Expression, type Frame } from '../core/expression.ts';
import { stop } from '../core/meter.ts';
import { isTrue } from '../numbers/kinds.ts';
import {
  namedArguments,
  positional,
  readList,
  readNamed,
  refuseExpression,
  REQUIRED,
  unary,
  type Argument,
  type Operator,
  type Operators,
} from '../core/operator.ts';
import { memberOf, isList } from '../../domain/values/tree.ts';

/** Compares two operands by MongoDB's order of all values: unlike a filter, across kinds as well. */
function comparison(accepts: (difference: number) => boolean): Operator {
  return positional(2, 2, ([a, b]) => accepts(compareValues(a, b)));
}

/** `$and` and `$or`: stops at the first operand that decides. */
function junction(deciding: boolean): Operator {
  return (argument, at) => {
    const parts = readList(argument, at);
    return composed(
      (frame) => {
        frame.meter.spend(1);
        for (const part of parts) if (isTrue(part.evaluate(frame)) === deciding) return deciding;
        return !deciding;
      },
      parts,
      at.place,
      at.scope,
    );
  };
}

const cond: Operator = (argument, at) => {
  const parts = isList(argument)
    ? readList(argument, at)
    : readNamed(argument, { if: REQUIRED, then: REQUIRED, else: REQUIRED }, at);
  if (parts === undefined) return constant(undefined);
  const [test, then, otherwise] = parts;
  if (test === undefined || then === undefined || otherwise === undefined || parts.length > 3) {
    return refuseExpression(at, `${at.name} takes 3 operands, not ${parts.length}.`);
  }
  return composed((frame) => choose(test, then, otherwise, frame).evaluate(frame), parts, at.place, at.scope);
};

function choose(test: Expression, then: Expression, otherwise: Expression, frame: Frame): Expression {
  frame.meter.spend(1);
  return isTrue(test.evaluate(frame)) ? then : otherwise;
}

const ifNull: Operator = (argument, at) => {
  const parts = readList(argument, at);
  if (parts.length < 2)
    return refuseExpression(at, `${at.name} takes at least 2 operands, not ${parts.length}.`);
  return composed(
    (frame) => {
      frame.meter.spend(1);
      let value;
      for (const part of parts) {
        value = part.evaluate(frame);
        if (!isNullish(value)) return value;
      }
      // The last operand is returned as it is, null or missing.
      return value;
    },
    parts,
    at.place,
    at.scope,
  );
};

const choice: Operator = (argument, at) => {
  const given = namedArguments(argument, { branches: REQUIRED, default: undefined }, at);
  const read = given && readBranches(given.branches);
  if (given === undefined || read === undefined) return constant(undefined);
  const otherwise = given.default?.parse();
  const parts = [...read.flatMap(({ test, then }) => [test, then]), ...(otherwise ? [otherwise] : [])];
  return composed(
    (frame) => {
      frame.meter.spend(1);
      for (const { test, then } of read) if (isTrue(test.evaluate(frame))) return then.evaluate(frame);
      if (otherwise === undefined) return stop(`${at.name} found no branch that holds and has no default.`);
      return otherwise.evaluate(frame);
    },
    parts,
    at.place,
    at.scope,
  );
};

function readBranches({ name, place, scope, value }: Argument) {
  if (!isList(value) || value.length === 0) {
    scope.report(place, `${name} takes an array of branches that is not empty.`);
    return undefined;
  }
  return value.flatMap((branch, index) => {
    const here = inside(place, index);
    const test = isFields(branch) ? memberOf(branch, 'case') : undefined;
    const then = isFields(branch) ? memberOf(branch, 'then') : undefined;
    if (!isFields(branch) || test === undefined || then === undefined || Object.keys(branch).length > 2) {
      scope.report(here, 'A branch is an object with case and then.');
      return [];
    }
    return {
      test: scope.parse(test, inside(here, 'case'), scope),
      then: scope.parse(then, inside(here, 'then'), scope),
    };
  });
}

export const LOGIC: Operators = {
  $cmp: positional(2, 2, ([a, b]) => Math.sign(compareValues(a, b))),
  $eq: comparison((difference) => difference === 0),
  $ne: comparison((difference) => difference !== 0),
  $gt: comparison((difference) => difference > 0),
  $gte: comparison((difference) => difference >= 0),
  $lt: comparison((difference) => difference < 0),
  $lte: comparison((difference) => difference <= 0),
  $and: junction(false),
  $or: junction(true),
  $not: unary((value) => !isTrue(value), { cheap: true }),
  $cond: cond,
  $ifNull: ifNull,
  $switch: choice,
};
