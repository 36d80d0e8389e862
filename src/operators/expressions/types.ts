/** `$type`, `$isNumber`, `$convert` and its short forms: values of one kind from values of another. */
import { isNumber } from '../../query/order/numbers.ts';
import { convert, isOtherKind, targetOf, type Target } from '../core/convert.ts';
import { isNullish, NOTHING } from '../core/expression.ts';
import { isCaught, stop, type Operand } from '../core/meter.ts';
import { aliasOf } from '../numbers/kinds.ts';
import {
  call,
  namedArguments,
  type Names,
  REQUIRED,
  unary,
  type Operator,
  type Operators,
} from '../core/operator.ts';

/** `$toInt` and its kin: null for null, a stop for what cannot be converted. */
function to(target: Target): Operator {
  return unary((value, _frame, name) => (isNullish(value) ? null : convert(value, target, name)));
}

/** With `onError` and `onNull` in place of what would be a stop or null. */
const converting: Operator = (argument, at) => {
  const names: Names = { input: REQUIRED, to: REQUIRED, onError: undefined, onNull: null };
  const given = namedArguments(argument, names, at);
  if (given === undefined) return NOTHING;
  const hasOnError = given.some(({ name, value }) => name === 'onError' && value !== undefined);
  const operands = given.map(({ name, value, fallback }) =>
    at.scope.parse(value ?? fallback ?? null, { parent: at.place, key: name }, at.scope),
  );
  return call(
    operands,
    ([input, kind, onError, onNull], frame, name) => {
      if (isNullish(input)) return onNull;
      if (isNullish(kind)) return null;
      const target = targetOf(kind);
      if (target === undefined && !isOtherKind(kind)) {
        return stop(`${name} does not know the kind to convert to.`);
      }
      try {
        return target === undefined
          ? stop(`${name} cannot convert to that kind.`)
          : convert(input, target, name);
      } catch (error) {
        if (!hasOnError || !isCaught(error, frame.meter)) throw error;
        return onError;
      }
    },
    at,
  );
};

export const TYPES: Operators = {
  $type: unary((value: Operand) => aliasOf(value), { cheap: true }),
  $isNumber: unary((value) => isNumber(value), { cheap: true }),
  $convert: converting,
  $toBool: to('bool'),
  $toInt: to('int'),
  $toLong: to('long'),
  $toDouble: to('double'),
  $toDecimal: to('decimal'),
  $toString: to('string'),
  $toObjectId: to('objectId'),
  $toDate: to('date'),
};
