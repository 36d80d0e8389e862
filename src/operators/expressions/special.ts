/** `$literal` and `$rand`: a value taken as written, and a random number. */
import type { Parsed } from '../../domain/values/json.ts';
import { isFields, type Value, doubleOf } from '../../domain/values/values.ts';
import { readValue, toParsed } from '../../domain/values/wrappers.ts';
import { constant } from '../core/expression.ts';
import { refuseExpression, type Operator, type Operators } from '../core/operator.ts';

/** A value in which `$` means nothing, but for the wrappers. */
const literal: Operator = (argument: Value, { place, scope }) => {
  const json: Parsed = toParsed(argument);
  return constant(
    readValue(json, place, (at, detail) => {
      scope.report(at, detail);
    }),
  );
};

const rand: Operator = (argument, at) => {
  if (!isFields(argument) || Object.keys(argument).length > 0)
    return refuseExpression(at, `${at.name} takes an empty object.`);
  at.scope.changing();
  return { evaluate: ({ random }) => doubleOf(random()), constant: null };
};

export const SPECIAL: Operators = { $literal: literal, $const: literal, $rand: rand };
