/** All expression operators by name. */
import { type Operators, refuseExpression, type Operator } from '../core/operator.ts';
import { ARITHMETIC } from './arithmetic.ts';
import { ARRAYS, SETS } from './arrays.ts';
import { DATE_ARITHMETIC } from './dates/date-arithmetic.ts';
import { DATE_FORMS } from './dates/date-forms.ts';
import { DATE_PARTS } from './dates/date-parts.ts';
import { ITERATION } from './iteration.ts';
import { LOGIC } from './logic.ts';
import { OBJECTS } from './objects.ts';
import { OVER_ARRAYS, QUANTILES } from './over-arrays.ts';
import { POWERS, TRIGONOMETRY } from './powers.ts';
import { REGEX } from './regex.ts';
import { ROUNDING } from './rounding.ts';
import { STRINGS, SUBSTRINGS } from './strings.ts';
import { TYPES } from './types.ts';
import { isFields, doubleOf } from '../../domain/values/values.ts';
import { readValue, toParsed } from '../../domain/values/wrappers.ts';
import { constant } from '../core/expression.ts';

/** A value in which `$` means nothing, but for the wrappers. */
const literal: Operator = (argument, { place, scope }) =>
  constant(readValue(toParsed(argument), place, scope.report));

const rand: Operator = (argument, at) => {
  if (!isFields(argument) || Object.keys(argument).length > 0)
    return refuseExpression(at, `${at.name} takes an empty object.`);
  at.scope.changing();
  return { evaluate: ({ random }) => doubleOf(random()), constant: null };
};

const SPECIAL: Operators = { $literal: literal, $const: literal, $rand: rand };

export const OPERATORS: Operators = {
  ...ARITHMETIC,
  ...ARRAYS,
  ...DATE_ARITHMETIC,
  ...DATE_FORMS,
  ...DATE_PARTS,
  ...ITERATION,
  ...LOGIC,
  ...OBJECTS,
  ...OVER_ARRAYS,
  ...POWERS,
  ...QUANTILES,
  ...REGEX,
  ...ROUNDING,
  ...SETS,
  ...SPECIAL,
  ...STRINGS,
  ...SUBSTRINGS,
  ...TRIGONOMETRY,
  ...TYPES,
};
